package web

import (
	"net/http"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
)

func TestEveryCheckHasAPage(t *testing.T) {
	s := newServer(t, Options{})
	index, sitemap := s.visitor().page("/docs/checks"), s.visitor().page("/sitemap.xml")
	for _, e := range audit.Explanations() {
		path := "/docs/checks/" + e.ID
		if !strings.Contains(index, `href="`+path+`"`) {
			t.Errorf("the index does not link to %s", path)
		}
		if !strings.Contains(sitemap, path+"</loc>") {
			t.Errorf("the sitemap does not list %s", path)
		}
		page := s.visitor().page(path)
		if !strings.Contains(page, e.Name) || strings.Contains(page, `<meta name="robots"`) {
			t.Errorf("%s does not explain %s to everybody", path, e.Name)
		}
	}
	if got := s.visitor().get("/docs/checks/nothing").Status; got != http.StatusNotFound {
		t.Errorf("the page of no check answers with %d", got)
	}
	if !strings.Contains(s.visitor().page("/docs"), `href="/docs/checks"`) {
		t.Error("the documentation does not link to the checks")
	}
}

func TestCheckPageShowsItsText(t *testing.T) {
	page := newServer(t, Options{}).visitor().page("/docs/checks/is-crawlable")
	for _, want := range []string{
		"<h1>Indexing by search engines</h1>", "Passes: <span>Search engines may index the page</span>",
		"<code>noindex</code>", "X-Robots-Tag: noindex\n\n&lt;title&gt;", "in 76 of 80 cases (95%)", `rel="next"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if page := newServer(t, Options{}).visitor().page("/docs/checks/target-blank"); !strings.Contains(page, "Reports no longer have this check") {
		t.Error("the page of a retired check does not say so")
	}
}

func TestReportsLinkToTheirChecks(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/"})
	for _, page := range []string{s.visitor().page("/r/" + r.Share), s.signedIn(s.key).page("/reports/" + r.ID.String())} {
		for _, id := range []string{"link-text", "document-title", "hreflang"} {
			if !strings.Contains(page, `href="/docs/checks/`+id+`?lang=en"`) {
				t.Errorf("the report does not link to %s", id)
			}
		}
	}
}
