package web

import (
	"net/http"
	"net/url"
	"strconv"

	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// notices are what a page says after something was done, by the value of the parameter done.
var notices = map[string]string{
	"deleted":    "The report was deleted.",
	"crawl":      "The crawl was deleted. The reports of its pages are still here.",
	"stopping":   "The crawl ends as soon as what is under way has come back.",
	"project":    "The project was deleted with all its reports.",
	"changed":    "The project was changed.",
	"accepted":   "The failure is accepted. It shows at once on all reports that it is about.",
	"unaccepted": "The failure counts again.",
	"schedule":   "The schedule was deleted.",
	"planned":    "The schedule was saved.",
	"run":        "The schedule runs now, beside its times.",
	"webhook":    "The webhook was deleted with its deliveries.",
	"told":       "The webhook was saved.",
	"test":       "A test is on its way. It stands first among the deliveries.",
	"enable":     "The webhook is told what happens from now on.",
	"disable":    "The webhook is told nothing any more. What was on its way to it has failed.",
	"resend":     "The delivery is attempted once more.",
	"toomany":    "These are too many reports for one request. A schedule audits them all.",
	"form":       "The form was saved.",
	"noform":     "The form was deleted. The reports that it made are still here.",
	"settings":   "The settings were saved.",
	"key":        "The key was revoked. It opens nothing any more.",
	"privacy":    "Who may see the report was changed.",
	"site":       "Who may see the page of the site was changed.",
	"regenerate": "The page was audited again.",
	"none":       "No report was selected. Tick the boxes of those that you mean.",
}

// countedNotices are what a page says after something was done with several reports, behind their number.
var countedNotices = map[string]string{"again": " to be audited again.", "privacy": " changed: who may see them.", "deleted": " deleted."}

// notice returns what to say above a page that was come to by a redirect; "" for nothing.
func notice(query url.Values) string {
	if text, ok := countedNotices[query.Get("done")]; ok {
		if n, err := strconv.Atoi(query.Get("n")); err == nil && n >= 0 && n <= maxCreated {
			return templates.Count(n, "report") + text
		}
	}
	return notices[query.Get("done")]
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
		frame: v.frame("Projects", "projects"), ListChoices: view.NewListChoices(v.words, sortfilter.ProjectParameters, q), Query: q,
		Pages: view.NewPager("/projects", "project", q, page.Total, v.r.URL.RawQuery), Notice: notice(v.r.URL.Query()),
	}
	for _, p := range page.Rows {
		shown.Rows = append(shown.Rows, view.ProjectRow{Project: p, Created: view.Day(p.CreatedAt), Share: view.NewShares(p.Reports)})
	}
	w.sendPage(v, http.StatusOK, "projects", shown)
	return nil
}
