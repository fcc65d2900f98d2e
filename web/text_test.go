package web

import (
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/assets"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// rendered returns what a template makes of data.
func rendered(t *testing.T, page, name string, data any) string {
	t.Helper()
	var b strings.Builder
	if err := templates.NewSet(assets.Load()).Page(locale.English, page).ExecuteTemplate(&b, name, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRowsAreEscaped(t *testing.T) {
	const evil = `<script>"'&`
	rows := rendered(t, "reports", "main", reportsPage{Rows: view.NewReportRows(locale.For(locale.English), []db.Report{{
		URL: "https://" + evil, Project: db.ProjectRef{Name: evil}, Status: db.Failed, Failure: &audit.Failure{Detail: evil},
	}})})
	lacks(t, rows, "<script", evil)
	contains(t, rows, "&lt;script&gt;&#34;&#39;&amp;")
}
