package web

import (
	"net/http"
	"strconv"

	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// notice returns what to say above a page that was come to by a redirect, whose parameter done names it: what was done, perhaps with n reports;
// "" for nothing.
func (v *visit) notice() string {
	asked := v.r.URL.Query()
	several := "notices.several." + asked.Get("done")
	if n, err := strconv.Atoi(asked.Get("n")); err == nil && n >= 0 && n <= maxCreated && v.words.Has(templates.Section+several) {
		return v.say(several, n)
	}
	id := "notices." + asked.Get("done")
	if values, known := v.words.Placeholders(templates.Section + id); !known || values > 0 {
		return ""
	}
	return v.say(id)
}

// projectsPage is the data of the list of projects.
type projectsPage struct {
	frame
	view.ListChoices
	Query  sortfilter.Query
	Rows   []view.ProjectRow
	Pages  view.Pager
	Notice string
}

func (w *Web) listProjects(v *visit) error {
	q, err := sortfilter.ParseProjects(v.r.URL.RawQuery)
	if err != nil {
		return err
	}
	page, err := w.store.Projects(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	shown := projectsPage{
		frame: v.frame(v.say("layout.projects"), "projects"), ListChoices: view.NewListChoices(v.words, sortfilter.ProjectParameters, q), Query: q,
		Pages: view.NewPager("/projects", "project", q, page.Total, v.r.URL.RawQuery), Notice: v.notice(),
	}
	for _, p := range page.Rows {
		shown.Rows = append(shown.Rows, view.ProjectRow{Project: p, Created: view.Day(p.CreatedAt), Share: view.NewShares(p.Reports)})
	}
	w.sendPage(v, http.StatusOK, "projects", shown)
	return nil
}
