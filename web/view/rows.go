package view

import (
	"html/template"
	"strconv"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// ProjectRow is a project as the list shows it.
type ProjectRow struct {
	db.Project
	Created Instant
	Share   Shares
}

// Waiting counts the reports without a result.
func (p ProjectRow) Waiting() int {
	return p.Reports.Total - p.Reports.Good - p.Reports.Decent - p.Reports.Bad
}

// ReportRow is a report as the list shows it.
type ReportRow struct {
	ID, URL            string // URL without https://
	ProjectID, Project string
	Gauge, State       template.HTML
	Generated          Instant
	Wrong              string // why the last audit failed; "" when it did not
}

// State is where a report stands: a colour and a word, and who may see it.
type State struct{ Class, Text, Privacy string }

// NewReportRows returns the rows of a list of reports.
func NewReportRows(words *locale.Catalogue, reports []db.Report) []ReportRow {
	rows := make([]ReportRow, len(reports))
	for i, r := range reports {
		g := ReportGauge(words, r)
		rows[i] = ReportRow{
			ID: r.ID.String(), URL: strings.TrimPrefix(r.URL, "https://"), ProjectID: r.Project.ID.String(), Project: r.Project.Name,
			Gauge: g.HTML(), State: templates.Drawn("state", newState(words, r, g)), Generated: Moment(r.GeneratedAt),
		}
		if r.Failure != nil {
			rows[i].Wrong = audit.FailureIn(words.Language(), r.Failure).Detail
		}
	}
	return rows
}

// newState returns where a report stands whose score is drawn as g.
func newState(words *locale.Catalogue, r db.Report, g Gauge) State {
	s := State{g.Class, g.Verdict, templates.Say(words, "privacy.name-"+strconv.Itoa(int(r.Privacy)))}
	if r.Status != db.Done {
		s.Class, s.Text = "busy", templates.Say(words, "statuses."+r.Status.String())
	}
	if r.Status == db.Failed {
		s.Class = "bad"
	}
	return s
}
