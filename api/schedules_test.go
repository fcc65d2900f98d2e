package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"sitegrade/auth"
)

// shownSchedule is a schedule as the API shows it.
type shownSchedule struct {
	ID      string
	Project struct{ ID, Name string }
	Report  *string
	What    string
	Cron    *string
	Every   *string
	Zone    string `json:"timezone"`
	Enabled bool
	NextRun *time.Time `json:"next_run_at"`
	LastRun *struct {
		At             time.Time
		Status, Detail *string
	} `json:"last_run"`
}

func (s *server) schedule(status int, c call) shownSchedule {
	s.Helper()
	var document struct{ Data shownSchedule }
	s.decode(s.must(status, c), &document)
	return document.Data
}

func TestSchedules(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s := newServer(t, Options{})
	report := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/", "project", "p"))
	made := s.must(http.StatusCreated, call{method: "POST", path: "/schedules", form: form("project", "p", "cron", "0 6 * * *", "timezone", "Europe/Berlin", "enabled", "true")})
	first := s.schedule(http.StatusOK, call{path: "/schedules/" + s.record(made).ID})
	if first.Project.Name != "p" || first.Report != nil || first.What != "audit" || *first.Cron != "0 6 * * *" || first.Every != nil || !first.Enabled || first.LastRun != nil {
		t.Errorf("made is %s", made.Body)
	}
	if at := first.NextRun.In(berlin(t)); at.Hour() != 6 || at.Before(now) {
		t.Errorf("the next run is at %s", at)
	}
	if got, want := made.Header.Get("Location"), s.HTTP.URL+Base+"/schedules/"+first.ID; got != want {
		t.Errorf("the Location is %q, not %q", got, want)
	}
	s.heldByTag("/schedules/"+first.ID, made.Header.Get("ETag"), `{"enabled":false}`)
	second := s.schedule(http.StatusCreated, call{method: "POST", path: "/schedules", json: `{"report":"` + report.ID + `","every":"6h","enabled":false}`})
	if second.NextRun != nil || *second.Report != report.ID || *second.Every != "6h" || second.Cron != nil || second.Zone != "UTC" {
		t.Errorf("made %+v", second)
	}
	path := "/schedules/" + second.ID
	if got := s.schedule(http.StatusOK, call{method: "PATCH", path: path, json: `{"cron":"@daily","enabled":true}`}); got.Every != nil || *got.Cron != "@daily" || got.NextRun == nil {
		t.Errorf("changed it is %+v", got)
	}
	s.schedule(http.StatusOK, call{method: "PUT", path: path, form: form("run", "1")})
	if queued, _, err := s.Store.RunSchedules(t.Context(), 0, 10); err != nil || queued != 1 {
		t.Errorf("it queued %d, %v", queued, err)
	}
	if ran := s.schedule(http.StatusOK, call{path: path}); ran.LastRun == nil || *ran.LastRun.Status != "done" || *ran.LastRun.Detail != "1 report was queued." {
		t.Errorf("it ran as %+v", ran.LastRun)
	}
	s.head("/schedules")
	s.must(http.StatusNoContent, call{method: "DELETE", path: path})
	s.refused(http.StatusNotFound, "not_found", call{path: path})
}

func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// heldByTag holds that a record has a tag, and that a change asks for it where the request does.
func (s *server) heldByTag(path, tag, change string) {
	s.Helper()
	s.must(http.StatusNotModified, call{path: path, header: http.Header{"If-None-Match": {tag}}})
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "PUT", path: path, json: change, header: http.Header{"If-Match": {`"7-0"`}}})
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "DELETE", path: path, header: http.Header{"If-Match": {`"7-0"`}}})
	changed := s.must(http.StatusOK, call{method: "PATCH", path: path, json: change, header: http.Header{"If-Match": {tag}}})
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "PATCH", path: path, json: change, header: http.Header{"If-Match": {tag}}})
	s.must(http.StatusNotModified, call{path: path, header: http.Header{"If-None-Match": {changed.Header.Get("ETag")}}})
}

func TestSchedulesAreRefused(t *testing.T) {
	s := newServer(t, Options{})
	report := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/", "project", "p")).ID
	for body, want := range map[string]string{
		`{}`:                              "project cron",
		`{"project":"p"}`:                 "cron",
		`{"project":"q","cron":"@daily"}`: "project",
		`{"report":"` + report + `x","cron":"@daily"}`:                 "report",
		`{"report":"` + report + `","project":"p","cron":"@daily"}`:    "project",
		`{"project":"p","cron":"@daily","every":"6h"}`:                 "cron",
		`{"project":"p","cron":"60 * * * *"}`:                          "cron",
		`{"project":"p","cron":"0 0 30 2 *"}`:                          "cron",
		`{"project":"p","cron":"0 5-3 * * *"}`:                         "cron",
		`{"project":"p","every":"4m"}`:                                 "every",
		`{"project":"p","every":"6h","timezone":"Europe/Atlantis"}`:    "timezone",
		`{"project":"p","every":"6h","what":"dance"}`:                  "what",
		`{"project":"p","every":"6h","enabled":"yes"}`:                 "enabled",
		`{"project":"p","every":"6h","enabled":1}`:                     "enabled",
		`{"project":"p","every":6}`:                                    "every cron",
		`{"project":"p","every":"6h","colour":"red"}`:                  "colour",
		`{"project":"q","cron":"x","timezone":"y","what":"z","run":1}`: "run what timezone cron",
		`{"project":"q","cron":"x","timezone":"y","what":"z"}`:         "what timezone cron project",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/schedules", json: body}); got != want {
			t.Errorf("%s is refused for %q, not %q", body, got, want)
		}
	}
	if list := s.rows("/schedules"); list.Meta.Total != 0 {
		t.Errorf("%d schedules are half made", list.Meta.Total)
	}
	id := s.record(s.must(http.StatusCreated, call{method: "POST", path: "/schedules", form: form("project", "p", "every", "1d")})).ID
	for body, want := range map[string]string{
		`{"timezone":"Nowhere","enabled":7}`: "enabled",
		`{"timezone":"Nowhere"}`:             "timezone",
		`{"cron":"* * * *"}`:                 "cron",
		`{"run":2}`:                          "run",
		`{"run":true}`:                       "run",
		`{"project":"p"}`:                    "project",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "PUT", path: "/schedules/" + id, json: body}); got != want {
			t.Errorf("%s is refused for %q, not %q", body, got, want)
		}
	}
}

// rows is a list, as far as tests of more than one kind look at it.
type rows struct {
	Data []json.RawMessage
	Meta struct{ Total int }
}

func (s *server) rows(path string) rows {
	s.Helper()
	var list rows
	s.decode(s.get(http.StatusOK, path), &list)
	return list
}

// TestToldAndPlannedListsAndScopes holds what lists of schedules and webhooks have in common with the others, and who may do what.
func TestToldAndPlannedListsAndScopes(t *testing.T) {
	s := newServer(t, Options{})
	for _, name := range []string{"alpha", "beta", "Gamma"} {
		s.post(http.StatusCreated, "url", s.site.URL+"/", "project", name)
		s.must(http.StatusCreated, call{method: "POST", path: "/schedules", form: form("project", name, "cron", "@daily")})
		s.must(http.StatusCreated, call{method: "POST", path: "/webhooks", form: form("url", "https://hooks.example/"+name, "events", "report.done")})
	}
	reader, writer := s.NewKey("default", auth.Read), s.NewKey("default", auth.Write)
	for path, create := range map[string]string{
		"/schedules": `{"project":"alpha","cron":"@daily"}`, "/webhooks": `{"url":"https://hooks.example/","events":["report.done"]}`,
	} {
		if list := s.rows(path + "?search=GAMMA"); list.Meta.Total != 1 || !strings.Contains(strings.ToLower(string(list.Data[0])), "gamma") {
			t.Errorf("a search in %s gives %s", path, list.Data)
		}
		if list := s.rows(path + "?sort=asc&per_page=25"); list.Meta.Total != 3 || !strings.Contains(string(list.Data[0]), "alpha") {
			t.Errorf("%s begins with %s", path, list.Data)
		}
		if list := s.rows(path + "?page=2"); list.Meta.Total != 3 || len(list.Data) != 0 {
			t.Errorf("the second page of %s has %d", path, len(list.Data))
		}
		s.refused(http.StatusUnprocessableEntity, "invalid", call{path: path + "?sort_by=url"})
		s.refused(http.StatusBadRequest, "malformed", call{path: path + "?page=1&page=2"})
		s.refused(http.StatusForbidden, "insufficient_scope", call{path: path, key: writer})
		s.refused(http.StatusForbidden, "insufficient_scope", call{method: "POST", path: path, key: reader, json: create})
		s.refused(http.StatusUnauthorized, "unauthorized", call{method: "POST", path: path, key: "-", json: create})
		s.refused(http.StatusUnsupportedMediaType, "unsupported_media_type", call{method: "POST", path: path, json: create, header: http.Header{"Content-Type": {"text/plain"}}})
		s.refused(http.StatusBadRequest, "malformed", call{method: "POST", path: path, json: "["})
		s.refused(http.StatusRequestEntityTooLarge, "body_too_large", call{method: "POST", path: path, json: `{"url":"` + strings.Repeat("x", maxBody) + `"}`})
		var one struct{ ID string }
		if err := json.Unmarshal(s.rows(path).Data[0], &one); err != nil {
			t.Fatal(err)
		}
		s.changesAreHeld(path+"/"+one.ID, reader)
		key := http.Header{"Idempotency-Key": {"key-of-" + path[1:]}}
		made := s.record(s.must(http.StatusCreated, call{method: "POST", path: path, json: create, header: key})).ID
		if again := s.must(http.StatusCreated, call{method: "POST", path: path, json: create, header: key}); s.record(again).ID != made || strings.Contains(string(again.Body), `"secret"`) {
			t.Errorf("a repetition gives %s", again.Body)
		}
		s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", call{method: "POST", path: path, json: create[:len(create)-1] + `,"enabled":false}`, header: key})
	}
}

// changesAreHeld holds what is refused of changes to one record.
func (s *server) changesAreHeld(path, reader string) {
	s.Helper()
	unknown := path[:strings.LastIndex(path, "/")] + "/019b7e5a-3c00-7000-8000-000000000001"
	for _, method := range []string{"GET", "PUT", "PATCH", "DELETE"} {
		foreign, none := s.do(call{method: method, path: path, key: s.other}), s.do(call{method: method, path: unknown})
		if foreign.Status != http.StatusNotFound || string(foreign.Body) != string(none.Body) {
			s.Errorf("%s of a foreign record: %d %s", method, foreign.Status, foreign.Body)
		}
		if method != "GET" {
			s.refused(http.StatusForbidden, "insufficient_scope", call{method: method, path: path, key: reader})
		}
		if method == "PUT" || method == "PATCH" {
			s.refused(http.StatusBadRequest, "malformed", call{method: method, path: path, json: "{"})
			s.refused(http.StatusUnsupportedMediaType, "unsupported_media_type", call{method: method, path: path, json: "x", header: http.Header{"Content-Type": {"text/plain"}}})
			s.refused(http.StatusRequestEntityTooLarge, "body_too_large", call{method: method, path: path, json: `{"url":"` + strings.Repeat("x", maxBody) + `"}`})
			s.refused(http.StatusUnprocessableEntity, "invalid", call{method: method, path: path, json: `{"colour":"red"}`})
			s.must(http.StatusOK, call{method: method, path: path})
			s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: method, path: path, header: http.Header{"If-Match": {`"7-0"`}}})
		}
	}
}
