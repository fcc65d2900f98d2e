package cli

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var memoryAll = flag.Bool("memory.all", false, "have TestWorstPagesFitInMemory audit all pages of the corpus, not only those that take the most")

const (
	// worstSize is just what a document may have by default.
	worstSize = 10<<20 - 1000
	// mostMemory is how much the whole process may take, the mapped database included.
	mostMemory = 256 << 20
)

// worstPieces are those of the corpus that took the most memory.
var worstPieces = []string{"bytes", "references", "entities", "words", "same attribute", "alternates"}

// TestWorstPagesFitInMemory has 8 workers audit pages of the largest size, made of what is hardest to read, with nothing else between.
// All of the corpus: go test ./cli -run WorstPages -v -memory.all
func TestWorstPagesFitInMemory(t *testing.T) {
	pieces := hostilePieces(t)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		writeRepeated(w, r.URL.Query().Get("start"), pieces[r.URL.Query().Get("piece")], worstSize)
	})
	var sites [8]string // few pages of one are audited at once
	for i := range sites {
		site := httptest.NewServer(handler)
		defer site.Close()
		sites[i] = site.URL
	}
	p := newProgram(t)
	p.start("-workers", fmt.Sprint(len(sites)), "-audit-timeout", "2m")
	var made []string
	for name := range pieces {
		for _, start := range []string{"", "<body><main>", "<body><img "} {
			made = append(made, p.create(sites[len(made)%len(sites)]+"/?"+url.Values{"piece": {name}, "start": {start}}.Encode()))
		}
	}
	for _, id := range made {
		for status := ""; status != "done"; status = p.status("/reports/" + id) {
			if status == "failed" {
				t.Fatal("a page could not be audited")
			}
		}
	}
	peak := p.memory("VmHWM")
	t.Logf("%d pages: %d MB at the most", len(made), peak>>20)
	if peak > mostMemory {
		t.Errorf("the server takes %d MB", peak>>20)
	}
	p.terminate()
	p.check()
}

// TestWorstPagesThatHangFitInMemory has as many audits under way as there may be with 8 workers: of pages that are just not large, each with scripts
// that nearly come whole and then never end. It takes a minute, and so runs with -memory.all only.
func TestWorstPagesThatHangFitInMemory(t *testing.T) {
	if !*memoryAll {
		t.Skip("only with -memory.all")
	}
	var links strings.Builder
	for i := range 30 {
		fmt.Fprintf(&links, "<script src=/%d.js></script>", i)
	}
	piece := hostilePieces(t)[worstPieces[0]]
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, ".js") {
			writeRepeated(w, "", "f(1);\n", 399<<10)
			_ = http.NewResponseController(w).Flush() // a client that is gone is as good
			<-r.Context().Done()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		writeRepeated(w, links.String(), piece, 250<<10)
	})
	p := newProgram(t)
	p.start("-workers", "8", "-audit-samples", "60")
	for account := range 4 {
		var lines strings.Builder
		for range 60 {
			site := httptest.NewServer(handler)
			defer site.CloseClientConnections()
			fmt.Fprintf(&lines, `{"kind":"report","url":"%s/"}`+"\n", site.URL)
		}
		p.load(fmt.Sprint("account ", account), lines.String())
	}
	site := httptest.NewServer(handler)
	defer site.CloseClientConnections()
	for range 3 {
		id := p.create(site.URL + "/")
		for status := ""; status != "done"; status = p.status("/reports/" + id) {
			if status == "failed" {
				t.Fatal("a page could not be audited")
			}
		}
	}
	peak := p.memory("VmHWM")
	t.Logf("%d MB at the most", peak>>20)
	if peak > mostMemory {
		t.Errorf("the server takes %d MB", peak>>20)
	}
	p.kill()
}

// writeRepeated writes start and then piece again and again, size bytes in all.
func writeRepeated(w io.Writer, start, piece string, size int) {
	block := strings.Repeat(piece, 1+(64<<10)/len(piece))
	for text := start; size > 0; text = block {
		n, err := io.WriteString(w, text[:min(size, len(text))])
		if err != nil {
			return
		}
		size -= n
	}
}

// hostilePieces returns the audit's corpus of what makes pages hard to read: all of it, or the worst.
func hostilePieces(t *testing.T) map[string]string {
	t.Helper()
	corpus, err := os.ReadFile("../audit/testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	pieces := map[string]string{}
	for line := range strings.Lines(string(corpus)) {
		name, quoted, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") || !*memoryAll && !slices.Contains(worstPieces, name) {
			continue
		}
		if pieces[name], err = strconv.Unquote(quoted); err != nil {
			t.Fatal(name, err)
		}
	}
	return pieces
}
