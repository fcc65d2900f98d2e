package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestInterruptedCrawl holds that a crawl that is interrupted ends with the report of what there is, and writes no baseline.
func TestInterruptedCrawl(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>The start</title><a href="/slow">Slow</a>`)
		case "/slow":
			interrupt()
			<-r.Context().Done()
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	baseline := filepath.Join(t.TempDir(), "baseline.json")
	var stdout, stderr bytes.Buffer
	err := runCommand(ctx, []string{"audit", "-crawl", "-fail-under", "100", "-write-baseline", baseline, site.URL + "/"}, nil, &stdout, &stderr)
	if exitStatus(err) != statusNotPossible || err.Error() != "the crawl was interrupted" {
		t.Errorf("it ends with %v", err)
	}
	for _, want := range []string{"The crawl was ended early", "\n1 page: ", "; 1 more were not asked for."} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &stdout)
		}
	}
	if _, err := os.Stat(baseline); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a baseline was written: %v", err)
	}
}

// TestProgressOfACrawl holds that the line of progress is written over again, and stays in its width.
func TestProgressOfACrawl(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, wide: 60}
	p.show("%d found, %d done, %d failed, %.1f pages a second: %s", 812, 400, 3, 12.25, "/"+strings.Repeat("x", 100))
	p.clear()
	if want := "\r\x1b[K812 found, 400 done, 3 failed, 12.2 pages a second: /xxxxx…\r\x1b[K"; b.String() != want {
		t.Errorf("%q, not %q", b.String(), want)
	}
}

// TestHeadersOfACrawl holds that -header goes to the site alone, and that nothing says its value, whatever is wrong.
func TestHeadersOfACrawl(t *testing.T) {
	var mu sync.Mutex
	got := map[string]string{} // by host
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		got[r.Host] += r.Header.Get("X-Staging") + r.Header.Get("X-Other") + " "
		mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>The start</title><img src="http://localhost%s/a.png" alt=""><a href="/b">B</a>`, r.Host[strings.Index(r.Host, ":"):])
	})
	site := httptest.NewServer(handler)
	defer site.Close()
	var stdout, stderr bytes.Buffer
	args := []string{"audit", "-crawl", "-header", "X-Staging: sesame", "-header", "x-other:open", site.URL + "/"}
	if err := runCommand(t.Context(), args, nil, &stdout, &stderr); err != nil {
		t.Fatal(err)
	}
	for host, values := range got {
		if isSite := strings.HasPrefix(host, "127."); isSite && strings.Contains(" "+values, "  ") || !isSite && strings.TrimSpace(values) != "" {
			t.Errorf("%s got %q", host, values)
		}
	}
	if len(got) != 2 || strings.Contains(stdout.String()+stderr.String(), "sesame") {
		t.Errorf("%d hosts were asked; the report is %s", len(got), &stdout)
	}
	for line, want := range map[string]string{
		"Host: sesame": "Host cannot be given", "transfer-encoding: sesame": "belongs to the connection", "sesame": "is not of the form",
		"X: sesame\r\nY: z": "without control characters", "X:": "must have 1 to",
	} {
		err := runCommand(t.Context(), []string{"audit", "-crawl", "-header", line, site.URL + "/"}, nil, &stdout, &stderr)
		if exitStatus(err) != statusUsage || !strings.Contains(err.Error(), want) || strings.Contains(err.Error()+stderr.String(), "sesame") {
			t.Errorf("%q is answered by %v", line, err)
		}
	}
}
