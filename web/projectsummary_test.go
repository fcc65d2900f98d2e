package web

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"

	"sitegrade/auth"
	"sitegrade/db"
)

var projectIssueLink = regexp.MustCompile(`href="(/projects/[0-9a-f-]{36}/issues/[a-z0-9-]+)"`)

func TestSummaryOfAProject(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	bad := s.create(db.NewReport{URL: s.site.URL + "/missing", Project: "Bakery"})
	s.create(db.NewReport{URL: "http://no-such-host.invalid/", Project: "Bakery"})
	if _, _, err := s.Store.CreateSchedule(t.Context(), "default", db.NewSchedule{Project: "Bakery", Cron: "0 6 * * mon"}); err != nil {
		t.Fatal(err)
	}
	path := "/projects/" + r.Project.ID.String()
	v := s.signedIn(s.key)
	page := v.page(path)
	contains(t, page, fmt.Sprintf("%d of 100", (r.Score+bad.Score+1)/2), "The average of 2 pages", "3 reports</a>", "<code>0 6 * * mon</code>", "Audit all again", "All reports of the project")
	link := projectIssueLink.FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no issue: %s", page)
	}
	contains(t, v.page(link[1]), "How to fix it", `href="/reports/`, "Bakery")
	contains(t, v.page(link[1]+"?search=nowhere"), "No page matches")
	v.must(http.StatusNotFound, v.get(path+"/issues/no-such-check"))
	to := v.must(http.StatusSeeOther, v.use(path, path+"/audit")).Header.Get("Location")
	contains(t, v.page(to), "3 reports are audited again")
	s.finished(r.ID)
	if again, _, err := s.Store.Report(t.Context(), "default", r.ID); err != nil || !again.GeneratedAt.After(r.GeneratedAt) {
		t.Errorf("%+v, %v", again, err)
	}
	other := s.signedIn(s.NewKey("other", auth.AllScopes))
	other.must(http.StatusNotFound, other.get(link[1]))
	reader := s.signedIn(s.reader)
	lacks(t, reader.page(path), "Audit all again", "/delete")
	reader.must(http.StatusForbidden, reader.submit(path+"/audit"))
}
