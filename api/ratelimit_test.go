package api

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"sitegrade/httpx"
)

// TestRateLimit has a clock of its own: three requests at once, then one in two seconds.
func TestRateLimit(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := newServer(t, Options{Limits: httpx.NewLimits(1.5, nil), Now: func() time.Time { return now }})
	limited := func(status int, headers ...string) {
		t.Helper()
		r := s.must(status, call{path: "/reports"})
		got := []string{r.Header.Get("RateLimit-Policy"), r.Header.Get("RateLimit"), r.Header.Get("Retry-After")}
		if fmt.Sprint(got) != fmt.Sprint(headers) {
			t.Errorf("the headers are %q, not %q", got, headers)
		}
	}
	const policy = `"key";q=3;w=2`
	limited(200, policy, `"key";r=2;t=1`, "")
	limited(200, policy, `"key";r=1;t=2`, "")
	limited(200, policy, `"key";r=0;t=2`, "")
	limited(429, policy, `"key";r=0;t=2`, "1")
	s.must(http.StatusOK, call{path: "/reports", key: s.other})
	now = now.Add(time.Second)
	limited(200, policy, `"key";r=0;t=2`, "")
	limited(429, policy, `"key";r=0;t=2`, "1")
	s.must(http.StatusUnauthorized, call{path: "/reports", key: "-"})
}

func TestNoRateLimit(t *testing.T) {
	s := newServer(t, Options{})
	if h := s.get(http.StatusOK, "/reports").Header; h.Get("RateLimit") != "" || h.Get("RateLimit-Policy") != "" {
		t.Errorf("%v", h)
	}
}
