package web

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"sitegrade/auth"
	"sitegrade/db"
)

var acceptLink = regexp.MustCompile(`<a href="(/projects/[0-9a-f-]{36}\?accept=[^"]+)#accept">`)

func TestProjectPage(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Taken"})
	path := "/projects/" + r.Project.ID.String()
	v := s.signedIn(s.key)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path, "name", "taken", "min_score", "80")).body, "Name: is the name of another project", `value="80"`)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path, "name", "Bakery", "min_score", "101")).body, "Lowest score: must be 0 to 100")
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path, "name", "Bakery", "max_drop", "few")).body, "Largest drop of the score: must be a whole number")
	v.must(http.StatusSeeOther, v.use(path, path, "name", "Bakers", "min_score", "100"))
	contains(t, v.page(path), "Bakers", "The budget is broken", `value="100"`)
	contains(t, v.page("/projects"), "broken")
	v.must(http.StatusSeeOther, v.use(path, path, "name", "Bakers", "min_score", "1"))
	contains(t, v.page(path), "The budget is met")
	reader := s.signedIn(s.reader)
	lacks(t, reader.page(path), "<form class", "Take back")
	contains(t, reader.page(path), "Lowest score")
	secret, _ := s.StoreKey(auth.Key{Account: "other", Scopes: auth.AllScopes})
	other := s.signedIn(secret)
	other.must(http.StatusNotFound, other.get(path))
	other.must(http.StatusNotFound, other.use("/new", path, "name", "x"))
}

func TestAcceptFromAReport(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	report, path := "/reports/"+r.ID.String(), "/projects/"+r.Project.ID.String()
	v := s.signedIn(s.key)
	link := acceptLink.FindStringSubmatch(v.page(report))
	if link == nil {
		t.Fatal("no failure leads to the form that accepts it")
	}
	form := v.page(html.UnescapeString(link[1]))
	check := regexp.MustCompile(`name="check" [^>]*value="([^"]+)"`).FindStringSubmatch(form)[1]
	contains(t, form, `value="`+r.URL+`"`)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path+"/accept", "check", check, "url", r.URL, "once", "1")).body, "Reason: is required", `value="`+check+`"`)
	for range 2 { // a form that is sent twice accepts once
		v.must(http.StatusSeeOther, v.use(path, path+"/accept", "check", check, "url", r.URL, "reason", "We <know>", "ends", "2999-01-02", "once", "2"))
	}
	contains(t, v.page(path), "We &lt;know&gt;", "2 January 2999", "1 accepted outcome")
	for _, shown := range []string{v.page(report), s.visitor().page("/r/" + r.Share)} {
		contains(t, shown, "<strong>Accepted until ", "We &lt;know&gt;")
	}
	lacks(t, s.visitor().page("/r/"+r.Share), "Accept this")
	id := regexp.MustCompile(`name="accepted" value="([^"]+)"`).FindStringSubmatch(v.page(path))[1]
	v.must(http.StatusNotFound, v.use(path, path+"/unaccept", "accepted", strings.Repeat("x", 36)))
	v.must(http.StatusSeeOther, v.use(path, path+"/unaccept", "accepted", id))
	lacks(t, v.page(report), "<strong>Accepted")
}
