package web

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"sitegrade/api"
	"sitegrade/db"
)

// benchmarked is how many reports the benchmark has: go test -bench Pages -reports 1000000.
var benchmarked = flag.Int("reports", 100_000, "how many reports the benchmark of the pages has")

// BenchmarkPages measures pages beside what the API answers for the same thing, over HTTP and, but where said, uncompressed.
func BenchmarkPages(b *testing.B) {
	s := newServer(b, Options{})
	fill(s, *benchmarked)
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	session := strings.Split(s.visitor().submit("/login", "key", s.key).Header.Get("Set-Cookie"), ";")[0]
	key := http.Header{"Authorization": {"Bearer " + s.key}}
	cookie := http.Header{"Cookie": {session}}
	for _, c := range []struct {
		name, path string
		header     http.Header
	}{
		{"list/api", api.Base + "/reports", key},
		{"list/page", "/", cookie},
		{"list100/api", api.Base + "/reports?per_page=100", key},
		{"list100/page", "/?per_page=100", cookie},
		{"search/api", api.Base + "/reports?search=page-4242", key},
		{"search/page", "/?search=page-4242", cookie},
		{"report/api", api.Base + "/reports/" + r.ID.String(), key},
		{"report/page", "/reports/" + r.ID.String(), cookie},
		{"report/shared", "/r/" + r.Share, http.Header{}},
		{"report/gzip", "/r/" + r.Share, http.Header{"Accept-Encoding": {"gzip"}}},
		{"report/br", "/r/" + r.Share, http.Header{"Accept-Encoding": {"br"}}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				fetchOnce(b, s.HTTP.URL+c.path, c.header)
			}
		})
	}
}

// plain is a client that asks for no compression by itself.
var plain = &http.Client{Transport: &http.Transport{DisableCompression: true}}

// fetch gets a page that must be there.
func fetchOnce(b *testing.B, address string, header http.Header) {
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		b.Fatal(err)
	}
	request.Header = header
	answer, err := plain.Do(request)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		b.Fatalf("%s: status %d, %v", address, answer.StatusCode, err)
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
	if _, err := s.Store.Import(s.Context(), "default", lines, nil); err != nil {
		s.Fatal(err)
	}
}
