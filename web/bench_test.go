package web

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sitegrade/api"
	"sitegrade/db"
)

// BenchmarkPages measures pages beside what the API answers for the same thing, in process and uncompressed.
func BenchmarkPages(b *testing.B) {
	s := newServer(b, Options{})
	fill(s, 100_000)
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	session := strings.Split(s.visitor().submit("/login", "key", s.key).header.Get("Set-Cookie"), ";")[0]
	key := http.Header{"Authorization": {"Bearer " + s.key}}
	cookie := http.Header{"Cookie": {session}}
	for _, c := range []struct {
		name, path string
		handler    http.Handler
		header     http.Header
	}{
		{"list/api", api.Base + "/reports", s.api, key},
		{"list/page", "/", s.web, cookie},
		{"list100/api", api.Base + "/reports?per_page=100", s.api, key},
		{"list100/page", "/?per_page=100", s.web, cookie},
		{"search/api", api.Base + "/reports?search=page-4242", s.api, key},
		{"search/page", "/?search=page-4242", s.web, cookie},
		{"report/api", api.Base + "/reports/" + r.ID.String(), s.api, key},
		{"report/page", "/reports/" + r.ID.String(), s.web, cookie},
		{"report/shared", "/r/" + r.Share, s.web, http.Header{}},
		{"report/gzip", "/r/" + r.Share, s.web, http.Header{"Accept-Encoding": {"gzip"}}},
		{"report/br", "/r/" + r.Share, s.web, http.Header{"Accept-Encoding": {"br"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			request := httptest.NewRequest(http.MethodGet, c.path, nil)
			request.Header = c.header
			b.ReportAllocs()
			for b.Loop() {
				answer := httptest.NewRecorder()
				c.handler.ServeHTTP(answer, request)
				if answer.Code != http.StatusOK {
					b.Fatalf("status %d: %s", answer.Code, answer.Body)
				}
			}
		})
	}
}

// fill imports n reports.
func fill(s *server, n int) {
	lines, end := io.Pipe()
	go func() {
		for i := range n {
			_, _ = fmt.Fprintf(end, `{"kind":"report","url":"https://example.com/page-%d","project":"p%d","status":"done","result":"good","score":90}`+"\n", i, i%100)
		}
		_ = end.Close()
	}()
	if _, err := s.store.Import(s.Context(), "default", lines, nil); err != nil {
		s.Fatal(err)
	}
}
