package web

import (
	"html/template"
	"strings"

	"sitegrade/db"
)

// reportRow is a report as the list shows it.
type reportRow struct {
	ID, URL            string // URL without https://
	ProjectID, Project string
	Gauge, State       template.HTML
	Generated          instant
	Wrong              string // why the last audit failed; "" when it did not
}

// state is where a report stands: a colour and a word, and who may see it.
type state struct{ Class, Text, Privacy string }

func newReportRows(reports []db.Report) []reportRow {
	rows := make([]reportRow, len(reports))
	for i, r := range reports {
		g := reportGauge(r)
		rows[i] = reportRow{
			ID: r.ID.String(), URL: strings.TrimPrefix(r.URL, "https://"), ProjectID: r.Project.ID.String(), Project: r.Project.Name,
			Gauge: g.HTML(), State: drawn("state", newState(r, g)), Generated: moment(r.GeneratedAt),
		}
		if r.Failure != nil {
			rows[i].Wrong = r.Failure.Detail
		}
	}
	return rows
}

var privacyNames = [...]string{db.Public: "Public", db.Private: "Private", db.Password: "Password"}

// newState returns where a report stands whose score is drawn as g.
func newState(r db.Report, g gauge) state {
	s := state{g.Class, g.Verdict, privacyNames[r.Privacy]}
	switch r.Status {
	case db.Queued:
		s.Class, s.Text = "busy", "Queued"
	case db.Running:
		s.Class, s.Text = "busy", "Running"
	case db.Failed:
		s.Class, s.Text = "bad", "Failed"
	}
	return s
}
