package web

import (
	"html/template"
	"strings"

	"sitegrade/db"
)

// rowSize is about how many bytes a row takes.
const rowSize = 1024

// reportRows returns the rows of a list of reports. They are written without a template: that would take nearly all the time that
// the page takes. What comes from outside stands only where it is text, and is escaped as such.
func reportRows(reports []db.Report) template.HTML {
	var b strings.Builder
	b.Grow(rowSize * len(reports))
	for _, r := range reports {
		writeRow(&b, r)
	}
	return template.HTML(b.String())
}

func writeRow(b *strings.Builder, r db.Report) {
	gauge := reportGauge(r)
	b.WriteString("<li>\n" + string(gauge.HTML()) + `<div class="what"><a href="/reports/` + r.ID.String() + `">`)
	b.WriteString(template.HTMLEscapeString(strings.TrimPrefix(r.URL, "https://")) + `</a><p><a href="/?project=` + r.Project.ID.String() + `">` + template.HTMLEscapeString(r.Project.Name) + "</a>")
	if at := moment(r.GeneratedAt); at.Text != "" {
		b.WriteString(` · <time datetime="` + at.Machine + `">` + at.Text + "</time>")
	}
	if r.Failure != nil {
		b.WriteString(` · <span class="bad">` + template.HTMLEscapeString(r.Failure.Detail) + "</span>")
	}
	class, text := badge(r)
	b.WriteString(`</p></div><p class="state"><span class="badge ` + class + `">` + text + `</span><span class="privacy">` + privacyNames[r.Privacy] + "</span></p></li>\n")
}

var privacyNames = [...]string{db.Public: "Public", db.Private: "Private", db.Password: "Password"}

// badge returns the colour and the word for where a report stands.
func badge(r db.Report) (class, text string) {
	switch r.Status {
	case db.Queued:
		return "busy", "Queued"
	case db.Running:
		return "busy", "Running"
	case db.Failed:
		return "bad", "Failed"
	}
	g := reportGauge(r)
	return g.Class, g.Verdict()
}
