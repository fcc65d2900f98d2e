package api

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sitegrade/db/bolt"
	"sitegrade/httpx/httpxtest"
	"sitegrade/sortfilter"
)

// TestFullDatabase holds that creates are refused when no space is left, while reading and deleting go on.
func TestFullDatabase(t *testing.T) {
	s := newServerOn(t, Options{}, bolt.Options{MaxSize: 2 << 20})
	kept := s.record(s.post(http.StatusCreated, "url", s.site.URL, "project", "kept"))
	async := http.Header{"Prefer": {"respond-async"}}
	create := func(i int) call {
		return call{
			method: "POST", path: "/reports", header: async,
			form: form("url", fmt.Sprintf("%s/%d?%s", s.site.URL, i, strings.Repeat("x", 1900)), "project", "large"),
		}
	}
	full := httpxtest.Response{}
	for i := 0; full.Status != http.StatusInsufficientStorage; i++ {
		if full = s.do(create(i)); i > 2000 {
			t.Fatalf("the database is not full after %d reports", i)
		}
	}
	if p := s.problem(full); p.Type != problemType+"storage_full" {
		t.Errorf("%+v", p)
	}
	path := "/reports/" + kept.ID
	s.get(http.StatusOK, path)
	s.get(http.StatusOK, "/reports")
	s.must(http.StatusNoContent, call{method: "DELETE", path: path})
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/projects/large"})
}

// TestStoppingServer has a server whose requests have all been told to end.
func TestStoppingServer(t *testing.T) {
	s := newServer(t, Options{})
	r := s.record(s.post(http.StatusCreated, "url", s.site.URL, "project", "p"))
	stopping, stop := context.WithCancel(context.Background())
	stop()
	old := s.HTTP
	s.HTTP = httptest.NewUnstartedServer(s.api)
	s.HTTP.Config.BaseContext = func(net.Listener) context.Context { return stopping }
	s.HTTP.Start()
	old.Close()
	for _, c := range []call{
		{method: "POST", path: "/reports", form: form("url", s.site.URL)},
		{method: "PUT", path: "/reports/" + r.ID, form: form("privacy", "1")},
		{method: "DELETE", path: "/reports/" + r.ID},
		{method: "DELETE", path: "/projects/p"},
	} {
		answered := s.must(http.StatusServiceUnavailable, c)
		if answered.Header.Get("Retry-After") == "" {
			t.Errorf("%s %s: 503 without Retry-After", c.method, c.path)
		}
		s.problem(answered)
	}
	if page, err := s.Store.Reports(t.Context(), "default", sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 10, Page: 1}); err != nil || page.Total != 1 {
		t.Errorf("%d reports, %v", page.Total, err)
	}
}

// TestWorkerThatHasStopped holds that a create is answered with what is stored, and not before the database has it.
func TestWorkerThatHasStopped(t *testing.T) {
	s := newServer(t, Options{})
	s.StopWorker()
	made := s.must(http.StatusAccepted, call{method: "POST", path: "/reports", form: form("url", s.site.URL)})
	if r := s.record(s.get(http.StatusOK, "/reports/"+s.record(made).ID)); r.Status != "queued" {
		t.Errorf("%+v", r)
	}
}
