package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// The benchmarks answer one request after the other, without a network in between.

func BenchmarkShowReport(b *testing.B) {
	s := newServer(b, Options{})
	s.answer(b, "/reports/"+s.record(s.post(http.StatusCreated, "url", s.site.URL)).ID)
}

func BenchmarkListReports(b *testing.B) {
	s := newServer(b, Options{})
	s.fill(100)
	s.answer(b, "/reports?per_page=100")
}

func (s *server) answer(b *testing.B, path string) {
	b.Helper()
	request := httptest.NewRequest(http.MethodGet, Base+path, nil)
	request.Header.Set("Authorization", "Bearer "+s.key)
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		w := httptest.NewRecorder()
		if s.api.ServeHTTP(w, request); w.Code != http.StatusOK {
			b.Fatalf("status %d: %s", w.Code, w.Body)
		}
		size = w.Body.Len()
	}
	b.SetBytes(int64(size))
}
