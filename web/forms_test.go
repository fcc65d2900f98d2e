package web

import (
	"net/http"
	"regexp"
	"testing"

	"sitegrade/auth"
)

func TestFormsOfTheDashboard(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	contains(t, v.must(http.StatusUnprocessableEntity, v.use("/forms", "/forms", "project", "a/b")).body, `id="name-wrong"`, `id="project-wrong"`, `value="a/b"`)
	var path string
	for range 2 { // what is sent twice makes one
		to := v.must(http.StatusSeeOther, v.use("/forms", "/forms", "name", "Front <page>", "project", "Leads", "once", "x")).Header.Get("Location")
		path = regexp.MustCompile(`^/forms/[0-9a-f-]{36}`).FindString(to)
	}
	contains(t, v.page("/forms"), "1 form<", "Front &lt;page&gt;", "Leads", `href="`+path+`"`)
	page := v.page(path + "?done=form")
	contains(t, page, "The form was saved", "&lt;iframe src=&#34;"+s.HTTP.URL, ">On<", "checked")
	embedded := regexp.MustCompile(`<a class="button" href="` + s.HTTP.URL + `([^"]+)">Open`).FindStringSubmatch(page)
	s.visitor().page(embedded[1])
	contains(t, v.must(http.StatusUnprocessableEntity, v.use(path, path, "name", "", "project", "Leads")).body, `id="name-wrong"`)
	v.must(http.StatusSeeOther, v.use(path, path, "name", "Other", "project", "Leads"))
	contains(t, v.page(path), "Other", ">Off<")
	s.visitor().must(http.StatusNotFound, s.visitor().get(embedded[1]))
	other := s.signedIn(s.NewKey("other", auth.AllScopes))
	other.must(http.StatusNotFound, other.get(path))
	writer := s.signedIn(s.NewKey("default", auth.Read|auth.Write))
	writer.must(http.StatusForbidden, writer.get("/forms"))
	contains(t, v.page(path+"/delete"), "Pages that embed Other")
	v.must(http.StatusSeeOther, v.use(path+"/delete", path+"/delete"))
	v.must(http.StatusNotFound, v.get(path))
}
