package api

import (
	"net/http"
	"strings"
	"testing"
)

// shownForm is a form as the API shows it.
type shownForm struct {
	ID, Name string
	Project  struct{ ID, Name string }
	Enabled  bool
	EmbedURL string `json:"embed_url"`
}

func (s *server) form(status int, c call) shownForm {
	s.Helper()
	var document struct{ Data shownForm }
	s.decode(s.must(status, c), &document)
	return document.Data
}

// missing is an id that nothing has.
const missing = "019b7e5a-3c00-7000-8000-000000000001"

func TestForms(t *testing.T) {
	s := newServer(t, Options{})
	create := call{method: "POST", path: "/forms", form: form("name", "On our site", "project", "Leads"), header: http.Header{"Idempotency-Key": {"k"}}}
	made := s.form(http.StatusCreated, create)
	if made.Name != "On our site" || made.Project.Name != "Leads" || !made.Enabled || !strings.Contains(made.EmbedURL, "/embed/") {
		t.Errorf("made %+v", made)
	}
	if again := s.form(http.StatusCreated, create); again != made {
		t.Errorf("a repetition makes %+v", again)
	}
	path := "/forms/" + made.ID
	before := s.get(http.StatusOK, path).Header.Get("ETag")
	changed := s.form(http.StatusOK, call{method: "PATCH", path: path, json: `{"enabled":false,"project":"Others","name":"Old"}`})
	if changed.Enabled || changed.Project.Name != "Others" || changed.Name != "Old" || changed.EmbedURL != made.EmbedURL {
		t.Errorf("changed to %+v", changed)
	}
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "DELETE", path: path, header: http.Header{"If-Match": {before}}})
	s.must(http.StatusNotModified, call{path: path, header: http.Header{"If-None-Match": {s.get(http.StatusOK, path).Header.Get("ETag")}}})
	if list := s.get(http.StatusOK, "/forms?search=OL"); !strings.Contains(string(list.Body), made.ID) {
		t.Errorf("the list is %s", list.Body)
	}
	for json, want := range map[string]string{
		`{}`: "name project", `{"name":"x","project":"a/b"}`: "project", `{"name":"x","project":"p","colour":"red"}`: "colour",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/forms", json: json}); got != want {
			t.Errorf("%s is refused for %q, not %q", json, got, want)
		}
	}
	s.wrongBodies("PATCH", path)
	s.wrongBodies("POST", "/forms")
	s.refused(http.StatusBadRequest, "malformed", call{path: "/forms?page=%"})
	s.refused(http.StatusUnprocessableEntity, "invalid", call{path: "/forms?sort=up"})
	for json, want := range map[string]string{`{"project":"a/b","name":"x\ny"}`: "name project", `{"enabled":7}`: "enabled", `{"project":"` + missing + `"}`: "project"} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "PATCH", path: path, json: json}); got != want {
			t.Errorf("%s is refused for %q, not %q", json, got, want)
		}
	}
	for _, method := range []string{"GET", "PATCH", "DELETE"} {
		foreign, none := s.do(call{method: method, path: path, key: s.other}), s.do(call{method: method, path: "/forms/" + missing})
		if foreign.Status != http.StatusNotFound || string(foreign.Body) != string(none.Body) {
			t.Errorf("%s of a foreign form: %d %s", method, foreign.Status, foreign.Body)
		}
	}
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "PATCH", path: path, json: `{"name":"Mine"}`, header: http.Header{"If-Match": {before}}})
	s.must(http.StatusNoContent, call{method: "DELETE", path: path})
	s.refused(http.StatusNotFound, "not_found", call{path: path})
}
