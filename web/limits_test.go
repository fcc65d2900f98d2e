package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"sitegrade/api"
	"sitegrade/httpx"
)

// TestFormsCountAsCalls holds that a session is no way around what its key may do, and that nothing which was typed is lost by it.
func TestFormsCountAsCalls(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{Limits: httpx.NewLimits(1, nil), Now: func() time.Time { return now }})
	v := s.signedIn(s.key)
	many := strings.Repeat(s.site.URL+"/bread\n", 20)
	v.must(http.StatusSeeOther, v.use("/new", "/new", "url", many))
	refused := v.must(http.StatusTooManyRequests, v.use("/new", "/new", "url", many, "project", "bakery"))
	contains(t, refused.body, s.site.URL+"/bread", `value="bakery"`, "wait 18 seconds")
	if got := refused.Header.Get("Retry-After"); got != "18" {
		t.Errorf("Retry-After is %q", got)
	}
	v.must(http.StatusTooManyRequests, v.use("/new", "/new", "sitemap", s.site.URL+"/sitemap.xml"))
	v.must(http.StatusTooManyRequests, v.use("/new", "/reports/019b7e5a-3c00-7000-8000-000000000001/delete"))
	s.calls(http.StatusTooManyRequests)
	contains(t, v.page("/"), "/bread") // pages are counted apart

	now = now.Add(20 * time.Second)
	v.must(http.StatusSeeOther, v.use("/new", "/new", "url", s.site.URL+"/bread"))
}

// TestPagesAreLimited has a session ask for more pages than anybody can read.
func TestPagesAreLimited(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{Limits: httpx.NewLimits(1, nil), Now: func() time.Time { return now }})
	v := s.signedIn(s.key)
	for range 20 {
		v.page("/projects")
	}
	if got := v.must(http.StatusTooManyRequests, v.get("/projects")).Header.Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After is %q", got)
	}
	s.calls(http.StatusOK)
}

// calls makes a call of the API with the server's key, and insists on a status.
func (s *server) calls(status int) {
	s.Helper()
	v := s.visitor()
	v.header.Set("Authorization", "Bearer "+s.key)
	if got := v.get(api.Base + "/reports"); got.Status != status {
		s.Errorf("the API responds with %d", got.Status)
	}
}
