package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sitegrade/api"
	"sitegrade/audit"
	"sitegrade/db"
)

// reportFormat is how reports are written: either page by page or as a whole.
type reportFormat struct {
	page  func(w io.Writer, a audited, another bool) error // writes what came of one URL; another says that one was written before it
	table func(w io.Writer, pages []audited) error         // ends what came of several URLs; nil for nothing
	whole func(w io.Writer, r run) error                   // in place of page: writes what came of all
}

var reportFormats = map[string]reportFormat{
	"text":     {page: writeText, table: writeTextTable},
	"markdown": {page: writeMarkdown, table: writeMarkdownTable},
	"json":     {page: writeJSON},
	"html":     {whole: writeHTML},
	"sarif":    {whole: writeSARIF},
	"junit":    {whole: writeJUnit},
	"github":   {whole: writeGitHub},
}

// findFormat returns the format of a name.
func findFormat(name string) (reportFormat, error) {
	format, known := reportFormats[name]
	if !known {
		return reportFormat{}, fmt.Errorf("%q is not text, markdown, json, html, sarif, junit or github", name)
	}
	return format, nil
}

// write writes what came of some URLs.
func (f reportFormat) write(w io.Writer, r run) error {
	if f.whole != nil {
		return f.whole(w, r)
	}
	for i, a := range r.pages {
		if err := f.page(w, a, i > 0); err != nil {
			return err
		}
	}
	if len(r.pages) < 2 || f.table == nil {
		return nil
	}
	return f.table(w, r.pages)
}

// writeJSON writes {"data": {...}} in one line, as the API shows a report. The ids, which only a stored report has, are the nil UUID.
func writeJSON(w io.Writer, a audited, _ bool) error {
	shown := db.Report{
		URL: a.url.String(), Project: db.ProjectRef{Name: a.url.Site()}, Privacy: db.Private,
		Status: db.Failed, Failure: a.failure, CreatedAt: a.at, UpdatedAt: a.at,
	}
	if a.report != nil {
		shown.Status, shown.Result, shown.Score, shown.GeneratedAt = db.Done, a.report.Result, a.report.Score, a.report.GeneratedAt
	}
	line, err := api.AppendReport([]byte(`{"data":`), shown, a.report, "")
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, "}\n"...))
	return err
}

// fixSummary says how much there is to fix: "2 high, 1 medium, 3 warnings".
func fixSummary(s audit.Summary) string {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+what)
		}
	}
	add(s.High, "high")
	add(s.Medium, "medium")
	add(s.Low, "low")
	add(s.Failed-s.High-s.Medium-s.Low, "for information")
	add(s.Warnings, plural(s.Warnings, "warning", "warnings"))
	return strings.Join(parts, ", ")
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// pageFacts says how the page came, and how fast.
func pageFacts(r *audit.Report) (came, times string) {
	came = fmt.Sprintf("HTTP %d, %s", r.HTTPStatus, audit.FormatBytes(r.Size))
	if r.TransferSize > 0 && r.TransferSize != r.Size {
		came += " (" + audit.FormatBytes(r.TransferSize) + " transferred)"
	}
	if n := len(r.Redirects); n > 0 {
		came += fmt.Sprintf(", %d %s", n, plural(n, "redirect", "redirects"))
	}
	return came, "first byte after " + audit.FormatMilliseconds(r.Timings.TTFB) + ", audited in " + audit.FormatMilliseconds(r.Timings.Total)
}

// evidencePlace says where in the page or at which address something was found; "" when only a snippet tells.
func evidencePlace(e audit.Evidence) string {
	var parts []string
	if e.Line > 0 {
		parts = append(parts, "line "+strconv.Itoa(e.Line))
	}
	if e.Selector != "" {
		parts = append(parts, clean(e.Selector))
	}
	if e.URL != "" {
		parts = append(parts, clean(e.URL))
	}
	return strings.Join(parts, "  ")
}
