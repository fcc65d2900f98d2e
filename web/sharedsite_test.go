package web

import (
	"net/http"
	"strings"
	"testing"

	"sitegrade/db"
	"sitegrade/web/guess"
)

// sharing has a site crawled, and returns the crawl with the path of its project.
func (s *server) sharing(v *visitor, options ...string) (c db.Crawl, project string) {
	s.Helper()
	s.startCrawler()
	c = s.crawled(v.start(append([]string{"url", crawlSite(s, closed).URL, "project", "Bakery"}, options...)...))
	return c, "/projects/" + c.Project.ID.String()
}

// share changes who may see the site of a project in the dashboard, and returns the path of its page.
func (s *server) share(v *visitor, project string, fields ...string) string {
	s.Helper()
	page := v.page(v.must(http.StatusSeeOther, v.use(project, project+"/privacy", fields...)).Header.Get("Location"))
	_, after, found := strings.Cut(page, `<input id="share" value="`+s.HTTP.URL)
	if !found {
		s.Fatalf("the page of the project has no address to share:\n%s", page)
	}
	return after[:strings.IndexByte(after, '"')]
}

func TestSharedSite(t *testing.T) {
	s := newServer(t, Options{Origins: behindProxy})
	v := s.signedIn(s.key)
	c, project := s.sharing(v)
	lacks(t, v.page(project), `id="share"`)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(project, project+"/privacy", "privacy", "2")).body, `<option value="2" selected>`, `id="password-wrong">Give the password`)
	path := s.share(v, project, "privacy", "0")
	if !strings.HasPrefix(path, "/s/") {
		t.Fatalf("the page is at %s", path)
	}
	stranger := s.visitor()
	sent := stranger.must(http.StatusOK, stranger.get(path))
	contains(t, sent.body, "Site report for 127.0.0.1", path+"/issues/duplicate-title", path+"/pages", path+"/export/pages.csv", "Gone for good",
		`name="robots" content="noindex"`, `<link rel="canonical" href="`+s.HTTP.URL+path+`">`)
	for name, want := range map[string]string{"X-Robots-Tag": "noindex", "Cache-Control": "private, no-cache"} {
		if got := sent.Header.Get(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	ids := []string{c.ID.String(), c.Project.ID.String(), "/reports/", "/crawls", "Bakery", `name="token"`, "Sign out"}
	reports, err := s.Store.Reports(t.Context(), "default", allReports)
	if err != nil || len(reports.Rows) == 0 {
		t.Fatalf("%+v, %v", reports, err)
	}
	for _, r := range reports.Rows {
		ids = append(ids, r.ID.String())
	}
	for _, below := range []string{"", "/pages", "/links", "/links?status=broken", "/issues/duplicate-title", "/issues/meta-description", "/export/pages.csv", "/export/pages.json",
		"/export/links.csv", "/export/issues.json"} {
		lacks(t, stranger.page(path+below), ids...)
		lacks(t, v.page(path+below), ids...) // its owner sees what others see
	}
	reader := s.signedIn(s.reader)
	reader.must(http.StatusForbidden, reader.submit(project+"/privacy", "privacy", "1"))

	v.must(http.StatusSeeOther, v.use(project, project+"/privacy", "privacy", "1"))
	lacks(t, v.page(project), `id="share"`)
	holdUnknown(t, s, path)
}

// holdUnknown holds that a page and those below it get the responses that unknown ones get.
func holdUnknown(t *testing.T, s *server, path string) {
	t.Helper()
	v := s.visitor()
	v.header.Set("X-Request-Id", "the-same") // so that responses can be compared
	for _, below := range []string{"", "/pages", "/links", "/issues/duplicate-title", "/export/pages.csv"} {
		unknown, got := v.get("/s/aaaaaaaaaaaaaaaaaaaaaaaaaa"+below), v.get(path+below)
		if got.Status != http.StatusNotFound || got.body != unknown.body || headerText(got) != headerText(unknown) {
			t.Errorf("%s: status %d, %s", path+below, got.Status, headerText(got))
		}
	}
	unknown, got := v.submit("/s/aaaaaaaaaaaaaaaaaaaaaaaaaa", "password", "x"), v.submit(path, "password", "x")
	if got.Status != http.StatusNotFound || got.body != unknown.body {
		t.Errorf("POST %s: status %d", path, got.Status)
	}
}

func TestSharedSiteWithoutACrawl(t *testing.T) {
	s := newServer(t, Options{Origins: behindProxy})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	v := s.signedIn(s.key)
	holdUnknown(t, s, s.share(v, "/projects/"+r.Project.ID.String(), "privacy", "0"))
	holdUnknown(t, s, "/s/"+r.Share)
	stranger := s.visitor()
	stranger.must(http.StatusNotFound, stranger.get("/r/"+strings.TrimPrefix(s.share(v, "/projects/"+r.Project.ID.String(), "privacy", "0"), "/s/")))
}

func TestSharedSiteMayBeListedByConfiguration(t *testing.T) {
	s := newServer(t, Options{IndexShared: true})
	v := s.signedIn(s.key)
	_, project := s.sharing(v)
	stranger := s.visitor()
	open := stranger.get(s.share(v, project, "privacy", "0"))
	lacks(t, open.body, "noindex\">")
	if got := open.Header.Get("X-Robots-Tag"); got != "" {
		t.Errorf("X-Robots-Tag is %q", got)
	}
	contains(t, stranger.page(s.share(v, project, "privacy", "2", "password", "x")), `content="noindex"`)
}

func TestPasswordOfASharedSite(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	_, project := s.sharing(v)
	path := s.share(v, project, "privacy", "2", "password", "rye & oats")
	stranger := s.visitor()
	for _, below := range []string{"", "/pages", "/export/pages.csv"} {
		form := stranger.page(path + below)
		contains(t, form, `name="password"`, `action="`+path+`"`)
		lacks(t, form, "127.0.0.1", "/docs/one", "Bakery")
	}
	contains(t, stranger.must(http.StatusForbidden, stranger.submit(path, "password", "wheat")).body, "not the password")
	cookie := stranger.must(http.StatusSeeOther, stranger.submit(path, "password", "rye & oats")).Header.Get("Set-Cookie")
	contains(t, cookie, "HttpOnly", "SameSite=Lax", "Path="+path)
	contains(t, stranger.page(path), "Site report for")
	contains(t, stranger.page(path+"/pages"), "/docs/one")

	locked := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "rye & oats"})
	thief := s.visitor()
	thief.header.Set("Cookie", strings.Split(cookie, ";")[0])
	contains(t, thief.page(path), "Site report for")
	contains(t, thief.page("/r/"+locked.Share), `name="password"`)

	s.share(v, project, "privacy", "2", "password", "rye & oats")
	contains(t, stranger.page(path), `name="password"`) // the same word, but another version
	guesser := s.visitor()
	for range guess.VisitorGuesses - 1 { // one was wrong above, from the same address
		guesser.must(http.StatusForbidden, guesser.submit(path, "password", "wheat"))
	}
	if refused := guesser.must(http.StatusTooManyRequests, guesser.submit(path, "password", "rye & oats")); refused.Header.Get("Retry-After") == "" {
		t.Error("it does not say when to try again")
	}
}
