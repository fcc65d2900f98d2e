// Package reports writes what audits found, of pages or of a whole site, in the formats that people and programs read.
package reports

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitegrade/api"
	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/gate"
	"sitegrade/locale"
	"sitegrade/terminal"
	"sitegrade/weburl"
)

// Page is what came of one URL: a report, or why there is none.
type Page struct {
	URL     *weburl.URL
	At      time.Time // when that was known
	Report  *audit.Report
	Failure *audit.Failure
}

// Run is what came of some URLs, or of a crawl.
type Run struct {
	Pages []Page
	Site  *Site // nil without a crawl
	*gate.Comparison
	Conditions gate.Conditions
	Version    string // of this program
	language   locale.Language
}

// In returns the run with what was found of its pages in a language, and its HTML file with all words.
func (r Run) In(l locale.Language) Run {
	r.language, r.Pages = l, slices.Clone(r.Pages)
	for i, a := range r.Pages {
		r.Pages[i].Report, r.Pages[i].Failure = a.Report.In(l), audit.FailureIn(l, a.Failure)
	}
	return r
}

// Compare compares what came of some URLs with each other and with a baseline, which is nil for none.
func Compare(pages []Page, baseline gate.Counts, c gate.Conditions) Run {
	var all []*audit.Report
	var audited []gate.Page
	for _, a := range pages {
		if a.Report != nil {
			all = append(all, a.Report)
			audited = append(audited, gate.NewPage(a.URL, a.Report))
		}
	}
	audit.CompareAll(all)
	return Run{Pages: pages, Comparison: gate.Compare(audited, baseline), Conditions: c}
}

// Format is how reports are written: either page by page or as a whole.
type Format struct {
	page  func(w io.Writer, a Page, another bool) error // writes what came of one URL; another says that one was written before it
	table func(w io.Writer, pages []Page) error         // ends what came of several URLs; nil for nothing
	whole func(w io.Writer, r Run) error                // in place of page: writes what came of all
	site  func(w io.Writer, r Run) error                // writes what came of a crawl; nil where whole does
}

var formats = map[string]Format{
	"text":     {page: writeText, table: writeTextTable, site: writeSiteText},
	"markdown": {page: writeMarkdown, table: writeMarkdownTable, site: writeSiteMarkdown},
	"json":     {page: writeJSON, site: writeSiteJSON},
	"html":     {whole: writeHTML, site: writeSiteHTML},
	"sarif":    {whole: writeSARIF},
	"junit":    {whole: writeJUnit},
	"github":   {whole: writeGitHub, site: writeSiteGitHub},
}

// FindFormat returns the format of a name.
func FindFormat(name string) (Format, error) {
	format, known := formats[name]
	if !known {
		return Format{}, fmt.Errorf("%q is not text, markdown, json, html, sarif, junit or github", name)
	}
	return format, nil
}

// isStopped reports whether the run is a crawl that was ended early.
func (r Run) isStopped() bool { return r.Site != nil && r.Site.Stopped }

// each returns the pages of a run, those of a crawl as far as something was found. An error is that of the disk.
func (r Run) each() iter.Seq2[Page, error] {
	if r.Site != nil {
		return r.Site.pages()
	}
	return func(yield func(Page, error) bool) {
		for _, a := range r.Pages {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// Write writes what came of some URLs or of a crawl.
func (f Format) Write(w io.Writer, r Run) error {
	if r.Site != nil && f.site != nil {
		return f.site(w, r)
	}
	if f.whole != nil {
		return f.whole(w, r)
	}
	for i, a := range r.Pages {
		if err := f.page(w, a, i > 0); err != nil {
			return err
		}
	}
	if len(r.Pages) < 2 || f.table == nil {
		return nil
	}
	return f.table(w, r.Pages)
}

// writeJSON writes {"data": {...}} in one line, as the API shows a report. The ids, which only a stored report has, are the nil UUID.
func writeJSON(w io.Writer, a Page, _ bool) error {
	shown := db.Report{
		URL: a.URL.String(), Project: db.ProjectRef{Name: a.URL.Site()}, Privacy: db.Private,
		Status: db.Failed, Failure: a.Failure, CreatedAt: a.At, UpdatedAt: a.At,
	}
	if a.Report != nil {
		shown.Status, shown.Result, shown.Score, shown.GeneratedAt = db.Done, a.Report.Result, a.Report.Score, a.Report.GeneratedAt
	}
	line, err := api.AppendReport([]byte(`{"data":`), shown, a.Report, "")
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
	add(s.Warnings, terminal.Plural(s.Warnings, "warning", "warnings"))
	return strings.Join(parts, ", ")
}

// pageFacts says how the page came, and how fast.
func pageFacts(r *audit.Report) (came, times string) {
	came = fmt.Sprintf("HTTP %d, %s", r.HTTPStatus, audit.FormatBytes(r.Size))
	if r.TransferSize > 0 && r.TransferSize != r.Size {
		came += " (" + audit.FormatBytes(r.TransferSize) + " transferred)"
	}
	if n := len(r.Redirects); n > 0 {
		came += fmt.Sprintf(", %d %s", n, terminal.Plural(n, "redirect", "redirects"))
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
		parts = append(parts, terminal.Clean(e.Selector))
	}
	if e.URL != "" {
		parts = append(parts, terminal.Clean(e.URL))
	}
	return strings.Join(parts, "  ")
}
