package web

import (
	"math"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// How many of a project's newest reports its average, and its curve, are made of at most, and how many are audited again at once.
const (
	averaged   = 1000
	traced     = 50
	auditedAll = maxCreated
)

// projectSummary is how a project stands: the scores of its reports now and before, and what is wrong with them.
type projectSummary struct {
	Gauge         view.Gauge // of the average
	Rated         int        // reports that the average is of
	All           bool       // they are all that have a score
	Shares        view.Shares
	Trend         view.Trend
	ToFix         []view.SiteIssue
	MoreToFix     int
	Plans         []view.ScheduleRow
	AuditableOnce bool // not too many to be audited again at once
}

// shownIssues and shownPlans are how many issues and schedules the page of a project shows.
const (
	shownIssues = 10
	shownPlans  = 5
)

// summaryOf returns how a project stands.
func (w *Web) summaryOf(v *visit, p db.Project) (s projectSummary, err error) {
	newest, err := w.store.Reports(v.r.Context(), v.key.Account, sortfilter.Query{SortBy: sortfilter.ByID, PerPage: averaged, Page: 1, Project: p.ID.String()})
	if err != nil {
		return s, err
	}
	s.Shares, s.AuditableOnce, s.All = view.NewShares(p.Reports), p.Reports.Total > 0 && p.Reports.Total <= auditedAll, newest.Total <= averaged
	sum := 0
	for _, r := range newest.Rows {
		if r.Score != db.NoScore {
			s.Rated++
			sum += r.Score
		}
	}
	s.Gauge = view.NewGauge(v.words, db.NoScore, audit.Unrated)
	if s.Rated > 0 {
		average := int(math.Round(float64(sum) / float64(s.Rated)))
		s.Gauge = view.NewGauge(v.words, average, audit.ResultOf(average))
	}
	if s.Trend, err = w.trendOf(v, newest.Rows[:min(traced, len(newest.Rows))]); err != nil {
		return s, err
	}
	if s.Plans, err = w.plansOf(v, p); err != nil {
		return s, err
	}
	issues, err := w.store.Issues(v.r.Context(), v.key.Account, p.ID.String(), sortfilter.Query{PerPage: 100, Page: 1})
	s.ToFix, _ = view.PageIssues(v.words, "/projects/"+p.ID.String(), issues.Rows)
	s.MoreToFix = max(0, len(s.ToFix)-shownIssues)
	s.ToFix = s.ToFix[:len(s.ToFix)-s.MoreToFix]
	return s, err
}

// trendOf returns the curve of the average score of reports.
func (w *Web) trendOf(v *visit, reports []db.Report) (view.Trend, error) {
	var all []view.Rated
	for i, r := range reports {
		past, err := w.store.Generations(v.r.Context(), v.key.Account, r.ID, sortfilter.Query{PerPage: view.HistoryPoints, Page: 1})
		if err != nil {
			return view.Trend{}, err
		}
		for _, g := range past.Rows {
			if g.Score != db.NoScore {
				all = append(all, view.Rated{Page: i, At: g.GeneratedAt, Score: g.Score})
			}
		}
	}
	return view.NewTrend(v.words, all), nil
}

// plansOf returns the first schedules of a project and of its reports.
func (w *Web) plansOf(v *visit, p db.Project) ([]view.ScheduleRow, error) {
	page, err := w.store.Schedules(v.r.Context(), v.key.Account, sortfilter.Query{Search: p.Name, SortBy: sortfilter.ByCreated, PerPage: 100, Page: 1})
	if err != nil {
		return nil, err
	}
	var plans []view.ScheduleRow
	for _, s := range page.Rows {
		if s.Project.ID == p.ID && len(plans) < shownPlans {
			plans = append(plans, w.newScheduleRow(v, s))
		}
	}
	return plans, nil
}

// auditProject has all reports of a project audited again, where they are not too many.
func (w *Web) auditProject(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	all, err := w.store.Reports(v.r.Context(), v.key.Account, sortfilter.Query{SortBy: sortfilter.ByID, PerPage: auditedAll, Page: 1, Project: project.ID.String()})
	if err != nil {
		return err
	}
	path := "/projects/" + project.ID.String()
	if all.Total > auditedAll {
		return v.see(path + "?done=toomany")
	}
	if err := tooMany(w.Limits.Calls(v.key.ID, len(all.Rows), w.Now())); err != nil {
		return err
	}
	var ids []uuid.UUID
	for _, r := range all.Rows {
		ids = append(ids, r.ID)
	}
	again, _ := w.selectedAction(v, "again")
	done, err := forEach(v.r.Context(), ids, again)
	if err != nil {
		return err
	}
	return v.see(path + "?done=again&n=" + strconv.Itoa(done))
}

// projectIssuePage is the data of the page of a check that fails on reports of a project.
type projectIssuePage struct {
	frame
	audit.Explanation
	Project db.Project
	Heading string // what is wrong
	Path    string
	Query   sortfilter.Query
	Rows    []view.IssueRow
	Pages   view.Pager
}

func (w *Web) showProjectIssue(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	check, known := audit.ExplainIn(v.words.Language(), v.params.ByName("check"))
	if !known {
		return notFound
	}
	q, err := sortfilter.Parse(v.r.URL.RawQuery, sortfilter.IssueRowParameters)
	if err != nil {
		return err
	}
	page, err := w.store.IssueRows(v.r.Context(), v.key.Account, project.ID.String(), check.ID, q)
	if err != nil {
		return err
	}
	path := view.IssuePath("/projects/"+project.ID.String(), check.ID)
	shown := projectIssuePage{
		frame: v.frame(check.Name, "projects"), Explanation: check, Project: project, Heading: audit.TitleIn(v.words.Language(), check.ID, audit.Failed), Path: path, Query: q,
		Pages: view.NewPager(path, "page", q, page.Total, v.r.URL.RawQuery),
	}
	for _, row := range page.Rows {
		shown.Rows = append(shown.Rows, view.IssueRow{IssueRow: row})
	}
	w.sendPage(v, http.StatusOK, "projectissue", shown)
	return nil
}
