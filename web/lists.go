package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// reportsPage is the data of the list of reports.
type reportsPage struct {
	frame
	view.ListChoices
	Results  []view.Choice
	Query    sortfilter.Query
	Project  string // the name of the project that is filtered by; "" for all
	Filtered bool
	Rows     []view.ReportRow
	Pages    view.Pager
	Notice   string
}

// listReports shows the list, by the same query as that of the API.
func (w *Web) listReports(v *visit) error {
	q, err := sortfilter.ParseReports(v.r.URL.RawQuery)
	if err != nil {
		return err
	}
	page, err := w.store.Reports(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	shown := reportsPage{
		frame: v.frame("Reports", "reports"), ListChoices: view.NewListChoices(sortfilter.ReportParameters, q), Results: view.ResultChoices(q), Query: q,
		Rows: view.NewReportRows(page.Rows), Filtered: q.Search != "" || q.Result != "" || q.Project != "",
		Pages: view.NewPager("/", "report", q, page.Total, v.r.URL.RawQuery), Notice: notice(v.r.URL.Query()),
	}
	if q.Project != "" {
		shown.Project = w.projectName(v, q.Project)
	}
	if slices.ContainsFunc(page.Rows, func(r db.Report) bool { return r.Status.Unfinished() }) {
		shown.Refresh = 5
	}
	w.sendPage(v, http.StatusOK, "reports", shown)
	return nil
}

// projectName returns the name of a project for its name or id. One that does not exist is called as it was asked for.
func (w *Web) projectName(v *visit, nameOrID string) string {
	p, err := w.store.Project(v.r.Context(), v.key.Account, nameOrID)
	if err != nil {
		return nameOrID
	}
	return p.Name
}

// Export returns the path of the same list as a file, without pages: "/reports.csv?sort=desc&..." for "csv". Templates must not put a query
// together, since they escape one that is given behind the question mark as if it were a single value.
func (p reportsPage) Export(format string) string {
	values := url.Values{"sort_by": {string(p.Query.SortBy)}, "sort": {p.Query.Direction()}}
	for name, value := range map[string]string{"search": p.Query.Search, "project": p.Query.Project, "result": p.Query.Result} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return "/reports." + format + "?" + values.Encode()
}

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
	"key":        "The key was revoked. It opens nothing any more.",
	"privacy":    "Who may see the report was changed.",
	"site":       "Who may see the page of the site was changed.",
	"regenerate": "The page was audited again.",
}

// notice returns what to say above a page that was come to by a redirect; "" for nothing.
func notice(query url.Values) string {
	if n, err := strconv.Atoi(query.Get("queued")); err == nil && n > 0 && n <= maxCreated {
		return templates.Count(n, "report") + " will be made. The list follows."
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
		frame: v.frame("Projects", "projects"), ListChoices: view.NewListChoices(sortfilter.ProjectParameters, q), Query: q,
		Pages: view.NewPager("/projects", "project", q, page.Total, v.r.URL.RawQuery), Notice: notice(v.r.URL.Query()),
	}
	for _, p := range page.Rows {
		shown.Rows = append(shown.Rows, view.ProjectRow{Project: p, Created: view.Day(p.CreatedAt), Share: view.NewShares(p.Reports)})
	}
	w.sendPage(v, http.StatusOK, "projects", shown)
	return nil
}
