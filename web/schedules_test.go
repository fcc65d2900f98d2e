package web

import (
	"net/http"
	"regexp"
	"testing"

	"sitegrade/auth"
	"sitegrade/db"
)

// scheduled makes a schedule, and returns the path of its page.
func (s *server) scheduled() string {
	s.Helper()
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	planned, _, err := s.Store.CreateSchedule(s.Context(), "default", db.NewSchedule{Report: r.ID.String(), Cron: "0 6 * * mon", Zone: "Europe/Berlin"})
	if err != nil {
		s.Fatal(err)
	}
	return "/schedules/" + planned.ID.String()
}

var scheduleInPage = regexp.MustCompile(`href="(/schedules/[0-9a-f-]{36})"`)

func TestSchedulesOfTheDashboard(t *testing.T) {
	s := newServer(t, Options{})
	r := s.create(db.NewReport{URL: s.site.URL + "/bread"})
	v := s.signedIn(s.key)
	wrong := v.must(http.StatusUnprocessableEntity, v.use("/schedules", "/schedules", "do", "check", "report", "x", "cron", "61 * * * *", "timezone", "Mars/Olympus")).body
	contains(t, wrong, `value="61 * * * *" placeholder="0 6 * * mon" autocomplete="off" spellcheck="false" aria-invalid="true" aria-describedby="cron-wrong"`,
		`id="timezone-wrong"`, `value="Mars/Olympus"`, `role="alert"`)
	fields := []string{"report", r.ID.String(), "cron", "0 6 1 1 *", "timezone", "Europe/Berlin", "once", "x"}
	checked := v.must(http.StatusOK, v.use("/schedules", "/schedules", append(fields, "do", "check")...)).body
	contains(t, checked, "Next run: <time", "1 Jan", "05:00 UTC</time>", "06:00 in Europe/Berlin", `value="save"`, "No schedules yet", `value="0 6 1 1 *"`)
	for range 2 { // a form that is sent twice makes one
		v.must(http.StatusSeeOther, v.use("/schedules", "/schedules", append(fields, "do", "save")...))
	}
	list := v.page("/schedules?done=planned")
	contains(t, list, "1 schedule<", r.URL, "<code>0 6 1 1 *</code>", "has not run yet", "The schedule was saved")
	path := scheduleInPage.FindStringSubmatch(list)[1]
	wrong = v.must(http.StatusUnprocessableEntity, v.use(path, path, "cron", "@daily", "every", "6h")).body
	contains(t, wrong, `id="cron-wrong"`, `value="6h"`)
	contains(t, v.must(http.StatusOK, v.use(path, path, "every", "6h", "do", "check")).body, "once it is turned on", "Nothing has been saved")
	contains(t, v.page(path), `value="0 6 1 1 *"`)
	v.must(http.StatusSeeOther, v.use(path, path, "every", "6h", "do", "save"))
	contains(t, v.page(path), "every 6h", ">Off<")
	v.must(http.StatusSeeOther, v.use(path, path+"/run"))
	contains(t, v.page(path+"?done=run"), "is running now")
	contains(t, v.page(path+"/delete"), r.URL)
	v.must(http.StatusSeeOther, v.use(path+"/delete", path+"/delete"))
	contains(t, v.page("/schedules"), "No schedules yet")
}

func TestSchedulesOfAReader(t *testing.T) {
	s := newServer(t, Options{})
	path := s.scheduled()
	v := s.signedIn(s.reader)
	lacks(t, v.page("/schedules"), `method="post" action="/schedules`, `href="/schedules/`)
	v.must(http.StatusForbidden, v.get(path))
	v.must(http.StatusForbidden, v.submit("/schedules", "every", "6h"))
	other := s.signedIn(s.NewKey("other", auth.AllScopes))
	for _, p := range []string{path, path + "/delete"} {
		other.must(http.StatusNotFound, other.get(p))
	}
}
