package api

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/locale"
)

// TestWordsInALanguage looks at each kind of record that has words.
func TestWordsInALanguage(t *testing.T) {
	s, path := auditedAgain(t)
	s.site.setTitle("A page of a small local site")
	s.must(http.StatusOK, call{method: "PUT", path: path, form: form("results", "1")})
	words := locale.For(locale.German)
	category := words.Text("categories.seo")
	for from, german := range map[string]string{
		path: category, path + "/generations/1": category, path + "/diff": `"to":`, path + "/generations": `"data"`,
		"/reports": `"data"`, "/crawls": `"data"`,
	} {
		english := s.get(http.StatusOK, from)
		r := s.get(http.StatusOK, from+"?lang=de")
		if !strings.Contains(string(r.Body), german) {
			t.Errorf("%s in German lacks %q: %s", from, german, r.Body)
		}
		if again := s.get(http.StatusOK, from+"?lang=en"); again.Header.Get("ETag") != english.Header.Get("ETag") {
			t.Errorf("%s in English is another record", from)
		}
		if asked := s.must(http.StatusOK, call{path: from, header: http.Header{"Accept-Language": {"de"}}}); asked.Header.Get("ETag") != english.Header.Get("ETag") {
			t.Errorf("%s heeds Accept-Language", from)
		}
		wrong := s.get(http.StatusUnprocessableEntity, from+"?lang=tlh")
		if !strings.Contains(string(wrong.Body), `{"field":"lang","detail":"must be one of en, de, fr, es, it, pt"}`) {
			t.Errorf("%s: %s", from, wrong.Body)
		}
		s.get(http.StatusBadRequest, from+"?lang=de&lang=fr")
	}
	crawl := "/crawls/01890000-0000-7000-8000-000000000000"
	s.get(http.StatusUnprocessableEntity, crawl+"?lang=tlh")
	s.get(http.StatusBadRequest, crawl+"?lang=de&lang=fr")
	s.get(http.StatusNotFound, crawl+"?lang=de")
	german := s.get(http.StatusOK, path+"?lang=de")
	title := audit.TitleIn(locale.German, "title-length", audit.Passed)
	for _, want := range []string{`"title":"` + title, `"detail":"` + words.Text("title-length.within", locale.Count(len("A page of a small local site")))} {
		if !strings.Contains(string(german.Body), want) {
			t.Errorf("the report in German lacks %s", want)
		}
	}
	tag := german.Header.Get("ETag")
	if tag == s.get(http.StatusOK, path).Header.Get("ETag") {
		t.Error("the German report has the tag of the English one")
	}
	s.must(http.StatusNotModified, call{path: path + "?lang=de", header: http.Header{"If-None-Match": {tag}}})
	s.must(http.StatusOK, call{path: path, header: http.Header{"If-None-Match": {tag}}})
}

func TestFailuresInALanguage(t *testing.T) {
	s := newServer(t, Options{})
	id := s.record(s.post(http.StatusCreated, "url", s.site.URL+"/image")).ID
	for _, path := range []string{"/reports/" + id, "/reports/" + id + "/generations", "/reports"} {
		if r := s.get(http.StatusOK, path+"?lang=de"); !strings.Contains(string(r.Body), locale.For(locale.German).Text("failures.not-html", locale.Text("image/png"))) {
			t.Errorf("%s: %s", path, r.Body)
		}
	}
}

func TestDescribedLanguages(t *testing.T) {
	var described struct {
		Components struct {
			Parameters map[string]struct{ Schema struct{ Enum []string } }
		}
	}
	if err := json.Unmarshal(newServer(t, Options{}).get(http.StatusOK, "/openapi.json").Body, &described); err != nil {
		t.Fatal(err)
	}
	if got := described.Components.Parameters["lang"].Schema.Enum; !slices.Equal(got, locale.Codes()) {
		t.Errorf("the description has the languages %v", got)
	}
}
