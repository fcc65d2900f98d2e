package web

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// TestPagesOfSitesSpeakGerman loads the pages of crawls in English and in German, those of one that runs, of one that has ended and of one that
// failed, and holds that no sentence is the same in both.
func TestPagesOfSitesSpeakGerman(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	c, project := s.sharing(v)
	ended := "/crawls/" + c.ID.String()
	shared := s.share(v, project, "privacy", "0")
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	failed := v.start("url", gone.URL, "project", "Bakery")
	s.crawled(failed)
	gate := make(chan struct{})
	running := v.start("url", crawlSite(t, gate).URL, "project", "Bakery")
	defer s.crawled(running)
	defer close(gate)

	paths := []string{"/crawls", "/crawls?search=nothing", "/crawls?page=9", "/crawls?status=failed", "/crawls?done=crawl", "/docs", failed, ended + "?done=stopping"}
	for _, of := range []string{ended, running, shared} {
		for _, below := range []string{
			"", "/pages", "/pages?search=nothing", "/links", "/links?search=nothing", "/links?status=broken", "/links?status=broken&search=nothing",
			"/issues/duplicate-title", "/issues/meta-description", "/issues/meta-description?search=nothing",
		} {
			paths = append(paths, of+below)
		}
	}
	for _, path := range paths {
		t.Run(path, func(t *testing.T) {
			german, english := v.get(withLanguage(path, "de")).body, said(t, v.get(withLanguage(path, "en")).body)
			contains(t, german, `<html lang="de">`)
			for _, text := range said(t, german) {
				if slices.Contains(english, text) && sentence.MatchString(text) && !ofTheSite.MatchString(text) && !names.MatchString(text) {
					t.Errorf("%q is in both", text)
				}
			}
		})
	}
}

// ofTheSite is what crawled pages say, and what is the same in all languages.
var ofTheSite = regexp.MustCompile(`Gone for good|document\.title|404 Not Found|http-equiv`)

// withLanguage returns a path, which may have a query, that asks for a language.
func withLanguage(path, code string) string {
	if strings.Contains(path, "?") {
		return path + "&lang=" + code
	}
	return path + "?lang=" + code
}

// TestSitesSpeakTheLanguageOfTheirProject holds that the pages of a crawl, what its progress says and its shared page are in the language of the
// project unless the address asks for another, which their links go on asking for.
func TestSitesSpeakTheLanguageOfTheirProject(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	c, project := s.sharing(v)
	path, shared := "/crawls/"+c.ID.String(), s.share(v, project, "privacy", "0")
	if _, err := s.Store.UpdateProject(t.Context(), "default", c.Project.ID.String(), db.ProjectChange{Lang: new("fr")}, nil); err != nil {
		t.Fatal(err)
	}
	stranger := s.visitor()
	stranger.header.Set("Accept-Language", "es")
	for _, of := range []struct {
		visitor *visitor
		path    string
	}{{v, path}, {stranger, shared}} {
		contains(t, of.visitor.page(of.path), `<html lang="fr">`, "Le score moyen de", "Liens cassés", `href="`+of.path+`/pages"`)
		page := of.visitor.page(of.path + "?lang=pt")
		contains(t, page, `<html lang="pt">`, "A pontuação média de", `href="`+of.path+`/pages?lang=pt"`, of.path+`/pages?indexable=false&amp;lang=pt`,
			of.path+`/issues/duplicate-title?lang=pt`, of.path+`/links?status=broken&amp;lang=pt`, of.path+`/pages?search=http%3A%2F%2F127.0.0.1`)
		contains(t, of.visitor.page(of.path+"/pages?lang=pt&search=nothing"), `name="lang" value="pt"`, `href="`+of.path+`/pages?lang=pt"`, `href="`+of.path+`?lang=pt"`)
	}
	contains(t, stranger.page(shared+"?lang=pt"), `name="lang" value="de"`, `"inLanguage":"pt"`)

	gate := make(chan struct{})
	running := v.start("url", crawlSite(t, gate).URL, "project", "Bakery")
	defer s.crawled(running)
	defer close(gate)
	contains(t, v.page(running+"?lang=it"), `data-crawl="`+running+`/events?lang=it"`, `action="`+running+`/stop?lang=it"`)
	for query, language := range map[string]locale.Language{"": locale.French, "?lang=it": locale.Italian} {
		events, err := v.client.Get(s.HTTP.URL + running + "/events" + query)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(events.Body)
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "data:") {
		}
		words := locale.For(language)
		if said := lines.Text(); !strings.Contains(said, templates.Say(words, "crawl.is-queued")) && !strings.Contains(said, templates.Say(words, "crawl.is-running")) {
			t.Errorf("the progress is %s", said)
		}
		events.Body.Close()
	}
}
