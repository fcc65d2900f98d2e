package web

import (
	"strings"

	"sitegrade/db"
)

// reportRow is a report as the list shows it.
type reportRow struct {
	ID, URL     string // URL without https://
	Project     db.ProjectRef
	Gauge       gauge
	Generated   instant
	Wrong       string // why the last audit failed; "" when it did not
	Class, Text string // the colour and the words for where it stands
	Privacy     string
}

func newReportRows(reports []db.Report) []reportRow {
	rows := make([]reportRow, len(reports))
	for i, r := range reports {
		rows[i] = reportRow{
			ID: r.ID.String(), URL: strings.TrimPrefix(r.URL, "https://"), Project: r.Project, Gauge: reportGauge(r),
			Generated: moment(r.GeneratedAt), Privacy: privacyNames[r.Privacy],
		}
		rows[i].Class, rows[i].Text = badge(r, rows[i].Gauge)
		if r.Failure != nil {
			rows[i].Wrong = r.Failure.Detail
		}
	}
	return rows
}

var privacyNames = [...]string{db.Public: "Public", db.Private: "Private", db.Password: "Password"}

// badge returns the colour and the word for where a report stands.
func badge(r db.Report, g gauge) (class, text string) {
	switch r.Status {
	case db.Queued:
		return "busy", "Queued"
	case db.Running:
		return "busy", "Running"
	case db.Failed:
		return "bad", "Failed"
	}
	return g.Class, g.Verdict
}
