package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// reportsPage is the data of the list of reports.
type reportsPage struct {
	frame
	view.ReportFilters
	view.PrivacyField // of the form for several reports
	Sizes             []view.Choice
	Orders            []order
	Query             sortfilter.Query
	Since, Until      string // as they were asked for
	Project           string // the name of the project that is filtered by; "" for all
	Rows              []view.ReportRow
	Pages             view.Pager
	Notice            string
	Batch             batch
	Asked             string // the query of this page, without what is said once
	Everything        string // the path of this page with all of its reports selected
	Selected          bool   // they are
}

// order is a way to sort a list that people ask for by its name.
type order struct {
	Name, Path string
	Here       bool
}

// orders are those of the list of reports.
var orders = []struct {
	name string
	by   sortfilter.Sort
	sort string
}{
	{"newest", sortfilter.ByID, "desc"}, {"worst", sortfilter.ByScore, "asc"}, {"best", sortfilter.ByScore, "desc"}, {"audited", sortfilter.ByGenerated, "desc"}, {"address", sortfilter.ByURL, "asc"},
}

// Filtered reports whether the list is limited to some reports.
func (p reportsPage) Filtered() bool {
	q := p.Query
	return q.Search+q.Result+q.Project != "" || p.Narrowed()
}

// Narrowed reports whether it is by what stands in the fold of the filters.
func (p reportsPage) Narrowed() bool {
	q := p.Query
	return q.Status+q.Privacy+p.Since+p.Until != "" || q.PerPage != 10
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
	asked := v.r.URL.Query()
	kept := listQuery(asked, sortfilter.ReportParameters)
	shown := reportsPage{
		frame: v.frame(v.say("layout.reports"), "reports"), ReportFilters: view.NewReportFilters(v.words, q), Sizes: view.NewListChoices(v.words, sortfilter.ReportParameters, q).Sizes, Query: q,
		Rows: view.NewReportRows(v.words, page.Rows), Pages: view.NewPager("/", "report", q, page.Total, v.r.URL.RawQuery), Notice: v.notice(),
		Since: asked.Get("since"), Until: asked.Get("until"), Asked: kept.Encode(), Selected: asked.Get("select") == "all",
	}
	for _, o := range orders {
		shown.Orders = append(shown.Orders, order{o.name, "/?" + with(kept, "sort_by", string(o.by), "sort", o.sort, "page", "").Encode(), q.SortBy == o.by && q.Direction() == o.sort})
	}
	shown.Everything = "/?" + with(kept, "select", "all").Encode()
	if q.Project != "" {
		shown.Project = w.projectName(v, q.Project)
	}
	if shown.Batch, err = w.batchOf(v, asked.Get("batch")); err != nil {
		return err
	}
	if shown.Batch.Unfinished() || slices.ContainsFunc(page.Rows, func(r db.Report) bool { return r.Status.Unfinished() }) {
		shown.Refresh = 5
	}
	w.sendPage(v, http.StatusOK, "reports", shown)
	return nil
}

// listQuery returns what the address of a page asks of its list.
func listQuery(asked url.Values, parameters []sortfilter.Parameter) url.Values {
	kept := url.Values{}
	for _, p := range parameters {
		if value := asked.Get(p.Name); value != "" {
			kept.Set(p.Name, value)
		}
	}
	return kept
}

// with returns a query with other values, in pairs of name and value. An empty one takes its parameter away.
func with(query url.Values, pairs ...string) url.Values {
	changed := url.Values{}
	for name, values := range query {
		changed[name] = values
	}
	for i := 0; i < len(pairs); i += 2 {
		changed.Del(pairs[i])
		if pairs[i+1] != "" {
			changed.Set(pairs[i], pairs[i+1])
		}
	}
	return changed
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
	kept, err := url.ParseQuery(p.Asked)
	if err != nil {
		kept = nil // it was written by us
	}
	return strings.TrimSuffix("/reports."+format+"?"+with(kept, "page", "", "per_page", "", "sort_by", string(p.Query.SortBy), "sort", p.Query.Direction()).Encode(), "?")
}
