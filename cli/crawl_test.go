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
