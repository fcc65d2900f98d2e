package cli

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// faults are pieces of a page that fail one check each, in as many places as there are pieces.
var faults = map[string]string{
	"image-alt":   `<img src="" width=1 height=1 class=%d>`,
	"frame-title": `<iframe src="about:blank" class=%d></iframe>`,
	"button-name": `<button class=%d></button>`,
	"form-labels": `<input type=text class=%d>`,
	"link-name":   `<a href="/" class=%d></a>`,
}

// generated is a page as it was and as it is: how often each fault is in it, and in which order.
type generated struct {
	counts map[string]int
	pieces []string
}

// page is what is served: the pieces in their order, with lines between them that mean nothing.
func (g generated) page(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><meta charset=utf-8><title>A page that was generated</title><main>\n")
	words := r.IntN(len(g.pieces) + 1)
	for i, piece := range slices.Concat(g.pieces, []string{"<!-- %d -->"}) {
		if i == words {
			b.WriteString("<p>Words without weight, and <a href=\"/elsewhere\">a link to elsewhere</a>.</p>")
		}
		b.WriteString(strings.Repeat("\n", r.IntN(4)))
		fmt.Fprintf(&b, piece+"\n", r.IntN(9))
	}
	return b.String() + "</main></html>\n"
}

func newGenerated(r *rand.Rand, counts map[string]int) generated {
	g := generated{counts: counts}
	for id, n := range counts {
		for range n {
			g.pieces = append(g.pieces, faults[id])
		}
	}
	slices.Sort(g.pieces)
	r.Shuffle(len(g.pieces), func(i, j int) { g.pieces[i], g.pieces[j] = g.pieces[j], g.pieces[i] })
	return g
}

// changed returns the page later: some faults mended, some repeated, perhaps one that it had not, or only in another order.
func (g generated) changed(r *rand.Rand) (later generated, isWorse bool) {
	counts := map[string]int{}
	for id := range faults {
		n := g.counts[id]
		switch r.IntN(7) {
		case 0:
			n++
		case 1:
			n = max(0, n-1)
		case 2:
			n = 0
		}
		isWorse = isWorse || n > g.counts[id]
		counts[id] = n
	}
	return newGenerated(r, counts), isWorse
}

// TestGateFailsExactlyWhenSomethingIsNew audits 500 pairs of generated pages by the command line: the first writes a baseline, the second
// is held against it.
func TestGateFailsExactlyWhenSomethingIsNew(t *testing.T) {
	const pairs = 500
	var mu sync.Mutex
	pages := map[string]string{}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if page, ok := pages[r.URL.Path]; ok {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, page)
			return
		}
		http.NotFound(w, r)
	}))
	defer site.Close()
	serve := func(path, page string) {
		mu.Lock()
		defer mu.Unlock()
		pages[path] = page
	}
	dir, worse := t.TempDir(), 0
	for seed := range uint64(pairs) {
		r := rand.New(rand.NewPCG(seed, 1))
		counts := map[string]int{}
		for id := range faults {
			if r.IntN(2) == 0 {
				counts[id] = r.IntN(13) // more than a report shows, too
			}
		}
		first := newGenerated(r, counts)
		later, isWorse := first.changed(r)
		baseline, path := filepath.Join(dir, "baseline.json"), fmt.Sprintf("/%d?seed", seed)
		reason := ""
		audit := func(g generated, args ...string) int {
			serve(strings.TrimSuffix(path, "?seed"), g.page(r))
			args = append([]string{"audit", "-audit-samples", "0", "-audit-site-requests", "0", site.URL + path}, args...)
			err := runCommand(t.Context(), args, nil, io.Discard, io.Discard)
			reason = fmt.Sprint(err)
			return exitStatus(err)
		}
		if got := audit(first, "-write-baseline", baseline); got != statusDone {
			t.Fatalf("pair %d: writing the baseline ends with %d", seed, got)
		}
		want := statusDone
		if isWorse {
			want = statusFailed
			worse++
		}
		if got := audit(later, "-baseline", baseline, "-fail-on", "new"); got != want {
			t.Errorf("pair %d: the exit status is %d, not %d: %v, then %v: %s", seed, got, want, first.counts, later.counts, reason)
		}
	}
	if worse < pairs/5 || worse > pairs*4/5 {
		t.Errorf("%d of %d pairs are worse: too few of a kind", worse, pairs)
	}
}
