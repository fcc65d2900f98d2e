package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sitegrade/auth"
	"sitegrade/db"
)

func TestFiltersOfReports(t *testing.T) {
	s := newServer(t, Options{})
	s.create(db.NewReport{URL: s.site.URL + "/bread", Privacy: db.Private})
	s.create(db.NewReport{URL: s.site.URL + "/rye"})
	s.create(db.NewReport{URL: "http://no-such-host.invalid/"})
	v := s.signedIn(s.reader)
	for query, want := range map[string][]string{
		"status=failed":    {"1–1 of 1 report<", "no-such-host", "Status: Failed", "<details open>"},
		"privacy=1":        {"1–1 of 1 report<", "/bread", "Seen by: Private"},
		"since=2999-01-01": {"No report matches", `value="2999-01-01"`},
		"until=2999-01-01": {"1–2 of 2 reports", "Until 2999-01-01"},
	} {
		contains(t, v.page("/?"+query), want...)
	}
	worst := v.page("/?sort_by=score&sort=asc&search=o")
	contains(t, worst, `aria-current="true">Worst first`, `href="/?search=o&amp;sort=desc&amp;sort_by=id">Newest`)
	if strings.LastIndex(worst, "no-such-host") < strings.Index(worst, "/rye") {
		t.Error("a report without a score is not the last")
	}
	lacks(t, worst, "checkbox", `action="/selected"`)
	contains(t, v.must(http.StatusUnprocessableEntity, v.get("/?since=yesterday")).body, "since: must be")
	contains(t, v.page(strings.ReplaceAll(csvLink.FindStringSubmatch(v.page("/?status=failed"))[1], "&amp;", "&")), "no-such-host")
	lacks(t, v.page(strings.ReplaceAll(csvLink.FindStringSubmatch(v.page("/?status=failed"))[1], "&amp;", "&")), "/bread")
}

var csvLink = regexp.MustCompile(`href="(/reports\.csv[^"]*)"`)

// boxes returns the fields of a form in which reports are selected.
func boxes(reports ...db.Report) []string {
	var fields []string
	for _, r := range reports {
		fields = append(fields, "report-"+r.ID.String(), "1")
	}
	return fields
}

func TestSelectedReports(t *testing.T) {
	s := newServer(t, Options{})
	var made []db.Report
	for i := range 3 {
		made = append(made, s.create(db.NewReport{URL: fmt.Sprint(s.site.URL, "/bread?", i)}))
	}
	foreign, err := s.Store.CreateReport(t.Context(), "other", db.NewReport{URL: s.site.URL + "/foreign"})
	if err != nil {
		t.Fatal(err)
	}
	v := s.signedIn(s.key)
	contains(t, v.page("/"), `name="report-`+made[0].ID.String()+`" value="1" aria-label="Select `+made[0].URL+`">`)
	if n := strings.Count(v.page("/?select=all"), "checked>"); n != 3 {
		t.Errorf("%d boxes are ticked", n)
	}
	for _, c := range []struct {
		fields []string
		want   string
	}{
		{[]string{"do", "again"}, "No report is selected"},
		{append(boxes(made[0], made[1], foreign), "do", "again"), "2 reports are audited again."},
		{append(boxes(made[0], made[1]), "do", "privacy", "privacy", "2", "password", "rye"), "who may see 2 reports"},
	} {
		to := v.must(http.StatusSeeOther, v.use("/", "/selected", append(c.fields, "back", "search=bread")...)).Header.Get("Location")
		contains(t, v.page(to), c.want, "Search: bread")
	}
	contains(t, v.must(http.StatusUnprocessableEntity, v.use("/", "/selected", append(boxes(made[2]), "do", "privacy", "privacy", "2")...)).body, "Password: is required")
	v.must(http.StatusBadRequest, v.use("/", "/selected", append(boxes(made[0]), "do", "nothing")...))
	if r, _, err := s.Store.Report(t.Context(), "default", made[0].ID); err != nil || r.Privacy != db.Password || s.again(r.ID).Revision <= made[0].Revision+2 {
		t.Errorf("%+v, %v", r, err)
	}
	question := v.must(http.StatusOK, v.use("/", "/selected", append(boxes(made[0], made[1], foreign), "do", "delete", "back", "sort=asc")...)).body
	contains(t, question, "Delete 3 reports?", `href="/?sort=asc"`, `name="report-`+made[1].ID.String())
	to := v.must(http.StatusSeeOther, v.use("/", "/selected", append(boxes(made[0], made[1], foreign), "do", "deleted")...)).Header.Get("Location")
	contains(t, v.page(to), "2 reports were deleted", "1–1 of 1 report<")
	reader := s.signedIn(s.NewKey("default", auth.Read))
	reader.must(http.StatusForbidden, reader.submit("/selected", append(boxes(made[2]), "do", "deleted")...))
	if _, _, err := s.Store.Report(t.Context(), "other", foreign.ID); err != nil {
		t.Error("a report of another account is gone")
	}
}

func TestBadLinesAreNamedAndCanBeLeftOut(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	fields := []string{"url", s.site.URL + "/a\r\n\r\nftp://x.example/\r\n" + s.site.URL + "/b\r\nhttp://10.0.0.1/", "project", "Bakery"}
	page := v.must(http.StatusUnprocessableEntity, v.use("/new", "/new", fields...)).body
	contains(t, page, "2 addresses cannot be audited", "Line 3: <code>ftp://x.example/</code>", "Line 5: <code>http://10.0.0.1/</code>", "audit the other 2",
		s.site.URL+"/a\r\n\r\nftp://x.example/", `aria-invalid="true"`, `value="Bakery"`)
	contains(t, v.page("/"), "No reports yet")
	to := v.must(http.StatusSeeOther, v.use("/new", "/new", append(fields, "skip", "1")...)).Header.Get("Location")
	contains(t, v.page(to), "of 2 reports made", "1–2 of 2 reports")
	v.must(http.StatusUnprocessableEntity, v.use("/new", "/new", "url", "ftp://x.example/", "skip", "1"))
}

// TestProgressOfABatch counts only the reports of the form, also when others were made meanwhile, and takes those that were deleted for done.
func TestProgressOfABatch(t *testing.T) {
	s := newServer(t, Options{})
	addresses := []string{s.site.URL + "/slow?1", s.site.URL + "/slow?2", "http://no-such-host.invalid/"}
	made, err := s.Store.CreateReports(t.Context(), "default", db.NewReport{}, addresses...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Store.CreateReport(t.Context(), "default", db.NewReport{URL: s.site.URL + "/slow?3"}); err != nil {
		t.Fatal(err)
	}
	s.finished(made[2].ID)
	path := "/?" + url.Values{"batch": {batchName(made)}}.Encode()
	v := s.signedIn(s.reader)
	contains(t, v.page(path), "1 of 3 reports made so far", `http-equiv="refresh"`)
	if err := s.Store.DeleteReport(t.Context(), "default", made[0].ID, nil); err != nil {
		t.Fatal(err)
	}
	contains(t, v.page(path), "2 of 3 reports made so far")
	close(s.site.gate)
	s.finished(made[1].ID)
	contains(t, v.page(path), "3 of 3 reports made.")
	for _, name := range []string{"x", "x.y.z", made[0].ID.String() + "." + made[1].ID.String() + ".1001"} {
		lacks(t, v.page("/?batch="+name), "<progress")
	}
}
