package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sitegrade/db"
	"sitegrade/db/bolt"
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
	full := reply{}
	for i := 0; full.status != http.StatusInsufficientStorage; i++ {
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
	old := s.http
	s.http = httptest.NewUnstartedServer(s.api)
	s.http.Config.BaseContext = func(net.Listener) context.Context { return stopping }
	s.http.Start()
	old.Close()
	for _, c := range []call{
		{method: "POST", path: "/reports", form: form("url", s.site.URL)},
		{method: "PUT", path: "/reports/" + r.ID, form: form("privacy", "1")},
		{method: "DELETE", path: "/reports/" + r.ID},
		{method: "DELETE", path: "/projects/p"},
	} {
		answered := s.must(http.StatusServiceUnavailable, c)
		if answered.header.Get("Retry-After") == "" {
			t.Errorf("%s %s: 503 without Retry-After", c.method, c.path)
		}
		s.problem(answered)
	}
	s.total("/reports", 1)
}

// TestWorkerThatHasStopped holds that a create is answered with what is stored, and not before the database has it.
func TestWorkerThatHasStopped(t *testing.T) {
	s := newServer(t, Options{})
	s.stopWorker()
	made := s.must(http.StatusAccepted, call{method: "POST", path: "/reports", form: form("url", s.site.URL)})
	if r := s.record(s.get(http.StatusOK, "/reports/"+s.record(made).ID)); r.Status != "queued" {
		t.Errorf("%+v", r)
	}
}

// TestProblemOf has every error that the packages below name.
func TestProblemOf(t *testing.T) {
	tests := []struct {
		err    error
		status int
	}{
		{db.ErrNotFound, 404},
		{db.ErrFull, 507},
		{db.ErrClosed, 503},
		{db.ErrIdempotencyMismatch, 422},
		{&db.InvalidError{Fields: []db.FieldError{{Field: "url", Detail: "x"}}}, 422},
		{&sortfilter.InvalidError{Fields: []sortfilter.FieldError{{Field: "page", Detail: "x"}}}, 422},
		{&sortfilter.MalformedError{Parameter: "page", Detail: "x"}, 400},
		{context.Canceled, 503},
		{context.DeadlineExceeded, 503},
		{preconditionFailed, 412},
		{errors.New("the disk is on fire"), 500},
	}
	for _, test := range tests {
		for _, err := range []error{test.err, fmt.Errorf("doing something: %w", test.err)} {
			p := problemOf(err)
			if p.status != test.status {
				t.Errorf("%v is %d, not %d", err, p.status, test.status)
			}
			if strings.Contains(string(p.document("id")), "fire") {
				t.Errorf("%v tells of the inside", err)
			}
		}
	}
}

// TestProblemsDiffer holds that programs can tell all problems apart.
func TestProblemsDiffer(t *testing.T) {
	names := map[string]bool{}
	for _, p := range problems {
		if names[p.name] || p.title == "" || p.detail == "" || http.StatusText(p.status) == "" {
			t.Errorf("%+v", p)
		}
		names[p.name] = true
	}
}
