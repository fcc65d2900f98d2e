package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// site is a local site for audits to fetch.
type site struct {
	*httptest.Server
	mu      sync.Mutex
	title   string
	gate    chan struct{} // what /slow waits for
	arrived chan struct{} // gets one element for each request of /slow
}

// newSite serves a page at every path but those below, under a title that a test may change.
func newSite(t testing.TB) *site {
	s := &site{title: "A page of a small local site", gate: make(chan struct{}), arrived: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.page)
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		s.arrived <- struct{}{}
		select {
		case <-s.gate:
		case <-r.Context().Done():
		}
		s.page(w, r)
	})
	mux.HandleFunc("/image", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("\x89PNG\r\n\x1a\n"))
	})
	mux.Handle("/loop", http.RedirectHandler("/loop", http.StatusFound))
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

func (s *site) page(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	title := s.title
	s.mu.Unlock()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="What a test looks at."></head>
<body><h1>A small page</h1><p>A few words for the audit to count, & <a href="/two">a link</a> to another page.</p></body></html>`, title)
}

func (s *site) setTitle(title string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.title = title
}
