package api

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/httpx/httpxtest"
)

// shownProject is a project as the API shows it.
type shownProject struct {
	Name      string
	Budget    map[string]*int
	BudgetMet *bool `json:"budget_met"`
	Lang      *string
	Privacy   int
	ShareURL  *string `json:"share_url"`
}

func (s *server) shownProject(r httpxtest.Response) shownProject {
	s.Helper()
	var document struct{ Data shownProject }
	s.decode(r, &document)
	return document.Data
}

func (s *server) patch(status int, project, json string) shownProject {
	s.Helper()
	return s.shownProject(s.must(status, call{method: "PATCH", path: "/projects/" + project, json: json}))
}

// met says whether a budget is met, or that it is not known.
func met(p shownProject) string {
	if p.BudgetMet == nil {
		return "null"
	}
	return fmt.Sprint(*p.BudgetMet)
}

func TestProjectsAreChanged(t *testing.T) {
	s := newServer(t, Options{})
	s.post(http.StatusCreated, "url", s.site.URL, "project", "p")
	s.post(http.StatusCreated, "url", s.site.URL, "project", "q")
	if p := s.patch(http.StatusOK, "p", `{"budget": {"min_score": 100, "max_high": 0}, "lang": "de"}`); met(p) != "false" || *p.Budget["min_score"] != 100 || p.Budget["max_drop"] != nil || *p.Lang != "de" {
		t.Errorf("%+v", p)
	}
	if p := s.patch(http.StatusOK, "p", `{"budget": {"min_score": 1, "max_high": null}, "lang": null}`); met(p) != "true" || p.Budget["max_high"] != nil || p.Lang != nil {
		t.Errorf("%+v", p)
	}
	if p := s.patch(http.StatusOK, "p", `{}`); *p.Budget["min_score"] != 1 {
		t.Errorf("%+v", p)
	}
	if p := s.patch(http.StatusOK, "p", `{"budget": null}`); p.Budget != nil || met(p) != "null" {
		t.Errorf("%+v", p)
	}
	shown := s.get(http.StatusOK, "/projects/p")
	stale := http.Header{"If-Match": {`"0123456789abcdef"`}}
	s.must(http.StatusPreconditionFailed, call{method: "PATCH", path: "/projects/p", json: `{"name": "r"}`, header: stale})
	renamed := s.must(http.StatusOK, call{method: "PATCH", path: "/projects/p", form: form("name", "R & B", "lang", "fr"), header: http.Header{"If-Match": {shown.Header.Get("ETag")}}})
	if now := s.get(http.StatusOK, "/projects/"+url.PathEscape("r & b")); now.Header.Get("ETag") != renamed.Header.Get("ETag") || s.shownProject(now).Name != "R & B" {
		t.Errorf("%s", now.Body)
	}
	s.get(http.StatusNotFound, "/projects/p")
	s.must(http.StatusNotFound, call{method: "PATCH", path: "/projects/q", json: `{"name": "r"}`, key: s.other})
	for body, field := range map[string]string{
		`{"budget": {"min_score": 101}}`: "budget.min_score", `{"budget": {"max_drop": "5"}}`: "budget.max_drop", `{"budget": {"speed": 5}}`: "budget.speed",
		`{"budget": 80}`: "budget", `{"name": "r & B"}`: "name", `{"name": "a/b"}`: "name", `{"lang": "tlh"}`: "lang", `{"colour": "red"}`: "colour",
	} {
		r := s.must(http.StatusUnprocessableEntity, call{method: "PATCH", path: "/projects/q", json: body})
		if !strings.Contains(string(r.Body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, r.Body)
		}
	}
	s.must(http.StatusUnprocessableEntity, call{method: "PATCH", path: "/projects/q", form: form("budget", "80")})
	s.wrongBodies("PATCH", "/projects/q")
}

func TestWhoMaySeeTheSiteOfAProject(t *testing.T) {
	s := newServer(t, Options{})
	s.post(http.StatusCreated, "url", s.site.URL, "project", "p")
	if p := s.shownProject(s.get(http.StatusOK, "/projects/p")); p.Privacy != 1 || p.ShareURL != nil {
		t.Errorf("a new one: %+v", p)
	}
	p := s.patch(http.StatusOK, "p", `{"privacy": 2, "password": "word"}`)
	if p.Privacy != 2 || p.ShareURL == nil || !strings.Contains(*p.ShareURL, "/s/") {
		t.Fatalf("%+v", p)
	}
	address := *p.ShareURL
	if p := s.patch(http.StatusOK, "p", `{"privacy": 0}`); p.Privacy != 0 || *p.ShareURL != address {
		t.Errorf("%+v", p)
	}
	if listed := s.get(http.StatusOK, "/projects"); !strings.Contains(string(listed.Body), `"privacy":0,"share_url":"`+address+`"`) {
		t.Errorf("%s", listed.Body)
	}
	s.must(http.StatusOK, call{method: "PATCH", path: "/projects/p", form: form("privacy", "1")})
	for body, field := range map[string]string{
		`{"privacy": 3}`: "privacy", `{"privacy": "open"}`: "privacy", `{"privacy": 2}`: "password", `{"password": "word"}`: "password",
		`{"privacy": 2, "password": 5}`: "password",
	} {
		r := s.must(http.StatusUnprocessableEntity, call{method: "PATCH", path: "/projects/p", json: body})
		if !strings.Contains(string(r.Body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, r.Body)
		}
	}
	if p := s.patch(http.StatusOK, "p", `{}`); p.Privacy != 1 || p.ShareURL != nil {
		t.Errorf("in the end: %+v", p)
	}
}

// wrongBodies sends bodies that no operation takes.
func (s *server) wrongBodies(method, path string) {
	s.Helper()
	s.must(http.StatusBadRequest, call{method: method, path: path, json: `[]`})
	s.must(http.StatusUnsupportedMediaType, call{method: method, path: path, json: `{}`, header: http.Header{"Content-Type": {"text/plain"}}})
	s.must(http.StatusRequestEntityTooLarge, call{method: method, path: path, form: form("name", strings.Repeat("x", maxBody))})
}

func TestAcceptedOutcomes(t *testing.T) {
	now := time.Now()
	s := newServer(t, Options{})
	r := s.record(s.post(http.StatusCreated, "url", s.site.URL, "project", "p q"))
	failing := func() (failed, accepted []audit.Outcome) {
		t.Helper()
		for _, o := range s.record(s.get(http.StatusOK, "/reports/"+r.ID)).Checks {
			if o.Status == audit.Failed {
				failed = append(failed, o)
			}
			if o.Accepted != nil {
				accepted = append(accepted, o)
			}
		}
		return failed, accepted
	}
	failed, _ := failing()
	path := "/projects/p%20q/accepted"
	accept := func(status int, fields ...string) httpxtest.Response {
		t.Helper()
		return s.must(status, call{method: "POST", path: path, form: form(fields...), header: http.Header{idempotencyHeader: {"k" + fields[1]}}})
	}
	end := now.Add(time.Hour).UTC().Format(time.RFC3339)
	made := s.record(accept(http.StatusCreated, "check", failed[0].ID, "url", s.site.URL+"/*", "reason", "we know", "expires_at", end))
	if again := s.record(accept(http.StatusCreated, "check", failed[0].ID, "url", s.site.URL+"/*", "reason", "we know", "expires_at", end)); again.ID != made.ID {
		t.Errorf("repeated, it is %s and not %s", again.ID, made.ID)
	}
	accept(http.StatusUnprocessableEntity, "check", failed[0].ID, "url", "*", "reason", "another")
	if stillFailed, marked := failing(); len(stillFailed) != len(failed) || len(marked) != 1 || marked[0].ID != failed[0].ID {
		t.Errorf("%d of %d fail, and marked are %+v", len(stillFailed), len(failed), marked)
	}
	if shown := string(s.get(http.StatusOK, "/reports/"+r.ID).Body); !strings.Contains(shown, `"accepted":{"reason":"we know","expires_at":"`+end[:19]+`.000Z"}`) {
		t.Errorf("%s", shown)
	}
	s.total(path, 1)
	s.total(path+"?search=nothing", 0)
	s.get(http.StatusUnprocessableEntity, path+"?per_page=11")
	s.get(http.StatusBadRequest, path+"?page=1&page=2")
	s.get(http.StatusNotFound, "/projects/unknown/accepted")
	s.must(http.StatusNotFound, call{method: "POST", path: "/projects/unknown/accepted", form: form("check", "h1", "url", "*", "reason", "x")})
	s.must(http.StatusNotFound, call{method: "DELETE", path: path + "/" + made.ID, key: s.other})
	for body, field := range map[string]string{
		`{"url": "*", "reason": "x"}`: "check", `{"check": "eaten", "url": "*", "reason": "x"}`: "check", `{"check": "h1", "reason": "x"}`: "url",
		`{"check": "h1", "url": "a b", "reason": "x"}`: "url", `{"check": "h1", "url": "*"}`: "reason",
		`{"check": "h1", "url": "*", "reason": "x", "expires_at": "2020-01-01T00:00:00Z"}`: "expires_at",
		`{"check": "h1", "url": "*", "reason": "x", "expires_at": "soon"}`:                 "expires_at",
	} {
		r := s.must(http.StatusUnprocessableEntity, call{method: "POST", path: path, json: body})
		if !strings.Contains(string(r.Body), `"field":"`+field+`"`) {
			t.Errorf("%s: %s", body, r.Body)
		}
	}
	s.wrongBodies("POST", path)
	s.must(http.StatusNoContent, call{method: "DELETE", path: path + "/" + made.ID})
	s.must(http.StatusNotFound, call{method: "DELETE", path: path + "/" + made.ID})
	if _, marked := failing(); len(marked) != 0 {
		t.Errorf("marked are %+v", marked)
	}
}
