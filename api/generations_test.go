package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sitegrade/db/bolt"
	"sitegrade/httpx/httpxtest"
)

// shownDiff is a diff as the API shows it.
type shownDiff struct {
	From, To                                          int
	Delta                                             *int
	Regressed, Fixed, Returned, Still, Not_Comparable []struct{ ID, Title, From, To, Reason string }
}

func data[T any](t *testing.T, r httpxtest.Response) T {
	t.Helper()
	var d struct{ Data T }
	if err := json.Unmarshal(r.Body, &d); err != nil {
		t.Fatalf("%v: %s", err, r.Body)
	}
	return d.Data
}

// hasCheck reports whether a class has a check.
func hasCheck(class []struct{ ID, Title, From, To, Reason string }, id string) bool {
	return slices.ContainsFunc(class, func(e struct{ ID, Title, From, To, Reason string }) bool { return e.ID == id })
}

// auditedAgain returns a server and the path of a report that was audited with a title, without, with one and without.
func auditedAgain(t *testing.T) (s *server, path string) {
	s = newServerOn(t, Options{}, bolt.Options{KeepFindings: 2})
	path = "/reports/" + s.record(s.post(http.StatusCreated, "url", s.site.URL)).ID
	for _, title := range []string{"", "A page of a small local site", ""} {
		s.site.setTitle(title)
		s.must(http.StatusOK, call{method: "PUT", path: path, form: form("results", "1")})
	}
	return s, path
}

func TestGenerations(t *testing.T) {
	s, path := auditedAgain(t)
	listed := data[[]struct {
		Number     int
		Status     string
		Score      int
		Summary    map[string]int
		Categories map[string]*int
	}](t, s.get(http.StatusOK, path+"/generations?per_page=10&page=1"))
	if len(listed) != 4 || listed[0].Number != 4 || listed[3].Number != 1 || listed[0].Score >= listed[1].Score || listed[0].Categories["seo"] == nil || listed[0].Summary["failed"] <= listed[1].Summary["failed"] {
		t.Errorf("the generations are %+v", listed)
	}
	if oldest := data[[]struct{ Number int }](t, s.get(http.StatusOK, path+"/generations?sort=asc")); oldest[0].Number != 1 {
		t.Errorf("the oldest first are %+v", oldest)
	}
	shown := s.record(s.get(http.StatusOK, path))
	newest := s.record(s.get(http.StatusOK, path+"/generations/4"))
	if newest.ID != shown.ID || *newest.Score != *shown.Score || !newest.GeneratedAt.Equal(*shown.GeneratedAt) || newest.Checks[0].Title == "" || newest.Page == nil {
		t.Errorf("the newest is %+v", newest)
	}
	old := s.record(s.get(http.StatusOK, path+"/generations/1"))
	if *old.Score != listed[3].Score || old.Status != "done" || len(old.Checks) < 100 || old.Checks[0].Title != "" || old.Page != nil {
		t.Errorf("the oldest is %+v", old)
	}
	s.holdsRecord(t, path+"/generations/1")
	for _, none := range []string{"0", "5", "-1", "01", "x", "99999999999999999999"} {
		s.must(http.StatusNotFound, call{path: path + "/generations/" + none})
	}
	s.get(http.StatusUnprocessableEntity, path+"/generations?per_page=11")
	s.get(http.StatusBadRequest, path+"/generations?page=1&page=2")
	s.must(http.StatusNotFound, call{path: path + "/generations", key: s.other})
}

// holdsRecord holds that what is at a path can be asked for with its entity tag, and is as unknown to others as what does not exist.
func (s *server) holdsRecord(t *testing.T, path string) {
	t.Helper()
	shown := s.get(http.StatusOK, path)
	tag := shown.Header.Get("ETag")
	s.must(http.StatusNotModified, call{path: path, header: http.Header{"If-None-Match": {tag}}})
	if head := s.must(http.StatusOK, call{method: "HEAD", path: path}); head.Header.Get("ETag") != tag || len(head.Body) > 0 {
		t.Errorf("HEAD of %s has the tag %s and %d bytes", path, head.Header.Get("ETag"), len(head.Body))
	}
	foreign := s.must(http.StatusNotFound, call{path: path, key: s.other})
	id := strings.Split(path, "/")[2]
	unknown := s.must(http.StatusNotFound, call{path: strings.Replace(path, id, "019b7e5a-3c00-7000-8000-000000000001", 1), key: s.other})
	if string(foreign.Body) != string(unknown.Body) {
		t.Errorf("a foreign report gives %s, an unknown one %s", foreign.Body, unknown.Body)
	}
}

func TestDiff(t *testing.T) {
	s, path := auditedAgain(t)
	for query, want := range map[string]struct {
		from, to int
		class    func(shownDiff) bool
	}{
		"":             {3, 4, func(d shownDiff) bool { return hasCheck(d.Returned, "document-title") }},
		"from=&to=":    {3, 4, func(d shownDiff) bool { return hasCheck(d.Returned, "document-title") }},
		"to=2":         {1, 2, func(d shownDiff) bool { return hasCheck(d.Regressed, "document-title") && *d.Delta < 0 }},
		"from=2&to=3":  {2, 3, func(d shownDiff) bool { return hasCheck(d.Fixed, "document-title") && *d.Delta > 0 }},
		"from=2":       {2, 4, func(d shownDiff) bool { return hasCheck(d.Still, "document-title") && *d.Delta == 0 }},
		"x=1&from=1":   {1, 4, func(d shownDiff) bool { return hasCheck(d.Returned, "document-title") }},
		"from=1&to=3&": {1, 3, func(d shownDiff) bool { return len(d.Fixed)+len(d.Regressed)+len(d.Returned) == 0 }},
	} {
		d := data[shownDiff](t, s.get(http.StatusOK, path+"/diff?"+query))
		if d.From != want.from || d.To != want.to || !want.class(d) {
			t.Errorf("%s: %+v", query, d)
		}
	}
	s.holdsRecord(t, path+"/diff")
	for query, field := range map[string]string{
		"from=9": "from", "to=9": "to", "from=0": "from", "to=x": "to", "from=3&to=3": "from", "from=4&to=2": "from", "from=4": "from", "to=1": "from",
	} {
		problem := s.get(http.StatusUnprocessableEntity, path+"/diff?"+query)
		if !strings.Contains(string(problem.Body), fmt.Sprintf(`"field":%q`, field)) {
			t.Errorf("%s: %s", query, problem.Body)
		}
	}
	s.get(http.StatusBadRequest, path+"/diff?from=1&from=2")
}

// TestDiffOfFailures names generations that failed, and asks for those of a report that has one success.
func TestDiffOfFailures(t *testing.T) {
	s := newServer(t, Options{})
	path := "/reports/" + s.record(s.post(http.StatusCreated, "url", s.site.URL)).ID
	s.get(http.StatusUnprocessableEntity, path+"/diff")
	s.site.CloseClientConnections()
	s.site.Close()
	s.must(http.StatusOK, call{method: "PUT", path: path, form: form("results", "1")})
	s.get(http.StatusUnprocessableEntity, path+"/diff")
	d := data[shownDiff](t, s.get(http.StatusOK, path+"/diff?from=1&to=2"))
	if d.Delta != nil || len(d.Fixed)+len(d.Regressed)+len(d.Returned)+len(d.Still) > 0 || len(d.Not_Comparable) < 100 || d.Not_Comparable[0].Reason != "audit_failed" {
		t.Errorf("%+v", d)
	}
	failed := s.record(s.get(http.StatusOK, path+"/generations/2"))
	if failed.Status != "failed" || failed.Error == nil || failed.Score != nil || len(failed.Checks) != 0 {
		t.Errorf("the failed generation is %+v", failed)
	}
	first := data[[]struct{ Status string }](t, s.get(http.StatusOK, path+"/generations"))
	if len(first) != 2 || first[0].Status != "failed" || first[1].Status != "done" {
		t.Errorf("the generations are %+v", first)
	}
}
