package web

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitegrade/db"
)

// said are the texts of a page that people read or hear, by element and attribute, as they stand in it one after the other.
func said(t *testing.T, page string) []string {
	t.Helper()
	tree, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for n := range tree.Descendants() {
		switch {
		case n.Type == html.TextNode && !verbatim(n):
			texts = append(texts, strings.Join(strings.Fields(n.Data), " "))
		case n.Type == html.ElementNode:
			for _, a := range n.Attr {
				switch a.Key {
				case "aria-label", "title", "alt", "placeholder", "data-ready", "content":
					texts = append(texts, strings.Join(strings.Fields(a.Val), " "))
				}
			}
		}
	}
	return texts
}

// verbatim reports whether a text is code, or in a language that its element names.
func verbatim(n *html.Node) bool {
	for parent := range n.Ancestors() {
		if parent.Data != "html" && slices.ContainsFunc(parent.Attr, func(a html.Attribute) bool { return a.Key == "lang" }) {
			return true
		}
		switch parent.Data {
		case "code", "pre", "script", "style", "textarea":
			return true
		case "p":
			for _, a := range parent.Attr {
				if a.Key == "dir" || a.Key == "class" && a.Val == "trail" { // what others show of the page that was audited
					return true
				}
			}
		}
	}
	return false
}

// sentence is three or more words, which a page does not say alike in two languages.
var sentence = regexp.MustCompile(`\p{L}{2,}\S*\s+\S*\p{L}{2,}\S*\s+\S*\p{L}{2,}`)

// names are what is the same in all languages.
var names = regexp.MustCompile(`https?://|127\.0\.0\.1|width=device-width|default-src|^(Sitemap|Content-Signal) in robots\.txt$|^Lighthouse is-crawlable; `)

// TestPagesAreInTheLanguageThatIsAskedFor loads pages in English and in German: no text of three words or more is the same in both.
func TestPagesAreInTheLanguageThatIsAskedFor(t *testing.T) {
	s := newServer(t, Options{})
	changing := s.changing(true, false, true)
	failed := s.create(db.NewReport{URL: s.site.URL + "/image"})
	locked := s.create(db.NewReport{URL: s.site.URL + "/moved", Privacy: db.Password, Password: "x"})
	_, form := s.form(db.NewForm{Name: "f", Project: "Leads"})
	v := s.signedIn(s.key)
	for name, load := range map[string]func(lang string) string{
		"report":        func(lang string) string { return v.page("/reports/" + changing.ID.String() + lang) },
		"past report":   func(lang string) string { return v.page("/reports/" + changing.ID.String() + lang + "&generation=1") },
		"failed report": func(lang string) string { return v.page("/reports/" + failed.ID.String() + lang) },
		"shared report": func(lang string) string { return s.visitor().page("/r/" + changing.Share + lang + "&from=1&to=2") },
		"file": func(lang string) string {
			return v.page("/reports/" + changing.ID.String() + "/export/report.html" + lang)
		},
		"password":        func(lang string) string { return s.visitor().page("/r/" + locked.Share + lang) },
		"wrong password":  func(lang string) string { return s.visitor().submit("/r/"+locked.Share+lang, "password", "y").body },
		"sign-in":         func(lang string) string { return s.visitor().page("/login" + lang) },
		"form":            func(lang string) string { return s.visitor().page(form + lang) },
		"form with fault": func(lang string) string { return s.visitor().submit(form+lang, "url", "ftp://x").body },
		"checks":          func(lang string) string { return s.visitor().page("/docs/checks" + lang) },
		"check":           func(lang string) string { return s.visitor().page("/docs/checks/is-crawlable" + lang) },
		"retired check":   func(lang string) string { return s.visitor().page("/docs/checks/target-blank" + lang) },
	} {
		t.Run(name, func(t *testing.T) {
			english := map[string]bool{}
			for _, text := range said(t, load("?lang=en")) {
				english[text] = true
			}
			german := load("?lang=de")
			contains(t, german, `<html lang="de">`)
			for _, text := range said(t, german) {
				if english[text] && sentence.MatchString(text) && !names.MatchString(text) {
					t.Errorf("%q is in both", text)
				}
			}
		})
	}
}

// TestReportsSpeakTheLanguageOfTheirProject holds the order of what decides: the address, the project, the account, the browser.
func TestReportsSpeakTheLanguageOfTheirProject(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	guest := s.visitor()
	guest.header.Set("Accept-Language", "es")
	speaks := func(query, want string) {
		t.Helper()
		for _, path := range []string{"/r/" + r.Share, "/r/" + r.Share + "/export/report.html"} {
			contains(t, guest.page(path+query), `<html lang="`+want+`">`)
		}
	}
	speaks("", "es")
	s.setUp(db.AccountChange{Lang: new("it")})
	speaks("", "it")
	project := r.Project.ID.String()
	if _, err := s.Store.UpdateProject(t.Context(), "default", project, db.ProjectChange{Lang: new("fr")}, nil); err != nil {
		t.Fatal(err)
	}
	speaks("", "fr")
	speaks("?lang=xx", "fr")
	speaks("?lang=de", "de")
	contains(t, guest.page("/r/"+r.Share), `"inLanguage":"fr"`, `<a href="/r/`+r.Share+`/export/checks.csv"`)
	contains(t, guest.page("/r/"+r.Share+"?lang=de"), `"inLanguage":"de"`, `<a href="/r/`+r.Share+`/export/checks.csv?lang=de"`)
	for _, file := range []string{"checks.csv", "checks.json"} {
		contains(t, guest.page("/r/"+r.Share+"/export/"+file+"?lang=de"), "Die Seite antwortet mit Status 200.")
	}
	contains(t, s.signedIn(s.key).page("/reports/"+r.ID.String()), `<html lang="fr">`)
	contains(t, guest.page("/r/"+r.Share+"/badge.svg?lang=de"), []string{"schlecht", "mittel", "gut"}[r.Result-1])
}

// TestPasswordKeepsTheLanguage holds that a reader who chose a language before the password reads in it behind it.
func TestPasswordKeepsTheLanguage(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Password, Password: "x"})
	path := "/r/" + r.Share + "?lang=pt"
	v := s.visitor()
	contains(t, v.page(path), `action="`+path+`"`)
	if to := v.must(http.StatusSeeOther, v.submit(path, "password", "x")).Header.Get("Location"); to != path {
		t.Errorf("the password leads to %s", to)
	}
	contains(t, v.page(path), `<html lang="pt">`, "?lang=pt")
}
