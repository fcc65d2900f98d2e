package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"golang.org/x/net/html"

	"sitegrade/auth"
	"sitegrade/db"
)

// shown are the attributes that people see or hear.
var shown = []string{"title", "alt", "placeholder", "aria-label"}

// textsOf returns the texts of a page that people read, in its elements that are wanted and all below them.
func textsOf(t *testing.T, page string, wanted func(*html.Node) bool) (texts []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var visit func(n *html.Node, within bool)
	visit = func(n *html.Node, within bool) {
		if within = within || n.Type == html.ElementNode && wanted(n); within && n.Type == html.TextNode {
			texts = append(texts, strings.TrimSpace(n.Data))
		}
		for _, a := range n.Attr {
			if within && (slices.Contains(shown, a.Key) || strings.HasPrefix(a.Key, "data-")) {
				texts = append(texts, a.Val)
			}
		}
		if n.Type == html.ElementNode && slices.Contains([]string{"script", "style", "code", "pre", "noscript"}, n.Data) {
			return
		}
		for child := range n.ChildNodes() {
			visit(child, within)
		}
	}
	visit(root, false)
	return texts
}

// anything is for all of a page, fault for what is wrong with a form.
func anything(*html.Node) bool { return true }

func fault(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
		return a.Key == "role" && a.Val == "alert" || a.Key == "class" && (strings.HasSuffix(a.Val, " bad") || a.Val == "fields")
	})
}

// word is what tells a sentence from a name or a sign.
var word = regexp.MustCompile(`\p{L}{2,}`)

// left returns the texts of three or more words that a page has in German as it has them in English, but for those that hold any of the names.
func left(t *testing.T, english, german string, wanted func(*html.Node) bool, names ...string) (same []string) {
	t.Helper()
	inEnglish := textsOf(t, english, wanted)
	for _, text := range textsOf(t, german, wanted) {
		named := slices.ContainsFunc(names, func(name string) bool { return strings.Contains(text, name) })
		if len(strings.Fields(text)) >= 3 && len(word.FindAllString(text, -1)) >= 3 && !named && slices.Contains(inEnglish, text) {
			same = append(same, text)
		}
	}
	return same
}

// inLanguage returns a path with the parameter lang.
func inLanguage(path, code string) string {
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	path, part, _ := strings.Cut(path, "#")
	if part != "" {
		part = "#" + part
	}
	return path + mark + "lang=" + code + part
}

// TestPagesSpeakGerman loads pages in English and in German and holds that no sentence is the same in both.
func TestPagesSpeakGerman(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	s.create(db.NewReport{URL: s.site.URL + "/gone", Project: "Bakery"})
	v, reader := s.signedIn(s.key), s.signedIn(s.NewKey("default", auth.Read))
	project, report := "/projects/"+r.Project.ID.String(), "/reports/"+r.ID.String()
	v.must(http.StatusSeeOther, v.use(project, project, "name", "Bakery", "min_score", "100"))
	v.must(http.StatusSeeOther, v.use(project, project+"/accept", "check", "meta-description", "url", "/*", "reason", "Known here"))
	issue := projectIssueLink.FindStringSubmatch(v.page(project))
	if issue == nil {
		t.Fatal("the project has no issue")
	}
	names := []string{"Bakery", "bakery on the corner", "Bread from our own oven", s.site.URL, "Known here", "example.com", " in robots.txt", "Screaming Frog"}
	for _, path := range []string{
		"/", "/?search=nothing", "/?page=9", "/projects", "/projects?search=nothing", project, project + "?accept=title-length", project + "/crawl", "/crawls", issue[1], issue[1] + "?search=nothing",
		"/new", report + "/delete", project + "/delete", "/?done=again&n=2", "/?done=none", "/projects?done=project",
		report, report + "/history", "/r/" + r.Share, "/docs/checks", "/docs/checks/title-length", "/schedules", "/webhooks", "/settings", "/keys", "/forms",
	} {
		for _, who := range []*visitor{v, reader} {
			english, german := who.get(inLanguage(path, "en")), who.get(inLanguage(path, "de"))
			if english.Status != german.Status {
				t.Errorf("%s answers %d in English and %d in German", path, english.Status, german.Status)
			}
			for _, text := range left(t, english.body, german.body, anything, names...) {
				t.Errorf("%s: %q is in English", path, text)
			}
		}
	}
	for _, path := range []string{"/nothing", "/?sort=x", "/?page=1&page=2", "/?search=%25zz", "/reports/" + uuid.NewString()} {
		for _, text := range left(t, v.get(inLanguage(path, "en")).body, v.get(inLanguage(path, "de")).body, anything, names...) {
			t.Errorf("%s: %q is in English", path, text)
		}
	}
}

// TestFormsRefuseInGerman posts rubbish to forms, in English and in German, and holds that no sentence of what comes back is the same in both.
func TestFormsRefuseInGerman(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	s.create(db.NewReport{URL: s.site.URL + "/rye", Project: "Taken"})
	v := s.signedIn(s.key)
	project, report := "/projects/"+r.Project.ID.String(), "/reports/"+r.ID.String()
	long := strings.Repeat("x", 600)
	for _, f := range []struct {
		from, to string
		fields   []string
	}{
		{"/new", "/new", nil},
		{"/new", "/new", []string{"url", "ftp://x/\nhttp://0xa000001/", "privacy", "2", "project", "a/b"}},
		{"/new", "/new", []string{"url", "x.example", "privacy", "7", "sitemap", "ftp://x/"}},
		{"/new", "/new", []string{"sitemap", s.site.URL + "/image"}},
		{project, project, []string{"name", "", "min_score", "x", "max_drop", "101"}},
		{project, project, []string{"name", "Taken", "lang", "xx", "max_high", "-1"}},
		{project, project + "/accept", []string{"check", "x", "ends", "soon"}},
		{project, project + "/accept", []string{"check", "x", "url", "x", "reason", long, "ends", "2020-01-01"}},
		{project, project + "/privacy", []string{"privacy", "2"}},
		{report, report + "/privacy", []string{"privacy", "2", "password", long}},
		{"/", "/selected", []string{"report-" + r.ID.String(), "1", "do", "privacy", "privacy", "2"}},
		{"/schedules", "/schedules", []string{"project", "nobody", "cron", "60 * * * *", "timezone", "Mars"}},
		{"/schedules", "/schedules", []string{"every", "1m"}},
		{"/webhooks", "/webhooks", []string{"url", "x", "format", "x", "signature", "x", "project", "nobody"}},
		{"/webhooks", "/webhooks", []string{"url", "mailto:x", "format", "email", "event-report.done", "1"}},
		{"/crawls", "/crawls", []string{"mode", "list"}},
		{"/crawls", "/crawls", []string{"url", "x", "max_pages", "0", "max_depth", "x", "headers", "Host: x", "project", "a/b"}},
		{"/settings", "/settings/brand", []string{"name", long, "footer", long, "color", "red", "url", "x"}},
		{"/keys", "/keys", []string{"name", long, "expires", "soon"}},
		{"/keys", "/keys", []string{"name", long}},
		{"/forms", "/forms", []string{"name", "", "project", "a/b"}},
	} {
		english := v.use(f.from, inLanguage(f.to, "en"), f.fields...)
		german := v.use(f.from, inLanguage(f.to, "de"), f.fields...)
		if english.Status != http.StatusUnprocessableEntity || german.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s with %.100q: %d in English, %d in German", f.to, f.fields, english.Status, german.Status)
		}
		if len(textsOf(t, german.body, fault)) == 0 {
			t.Errorf("%s with %.100q: the page does not say what is wrong", f.to, f.fields)
		}
		for _, text := range left(t, english.body, german.body, fault, "Bakery", "Taken", s.site.URL) {
			t.Errorf("%s with %.100q: %q is in English", f.to, f.fields, text)
		}
	}
}
