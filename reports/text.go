package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sitegrade/audit"
	"sitegrade/terminal"
)

// shownEvidence is how many pieces of evidence the terminal shows of a check; the other formats show all.
const shownEvidence = 3

// textReport writes a report for people who look at a terminal.
type textReport struct{ *terminal.Text }

// writeText writes the score and the result first, then what to fix, then the categories.
func writeText(w io.Writer, a Page, another bool) error {
	t := textReport{terminal.NewText(w)}
	if another {
		t.Rule()
	}
	if a.Report == nil {
		t.failure(a)
	} else {
		t.verdict(a)
		t.fixes(a.Report)
		t.categories(a.Report)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func (t *textReport) failure(a Page) {
	t.Paragraph("", terminal.Clean(a.URL.String()), terminal.Bold)
	t.Line("")
	t.Line(t.Paint("not audited", terminal.Red, terminal.Bold) + " (" + string(a.Failure.Code) + ")")
	t.Paragraph("", terminal.Clean(a.Failure.Detail))
}

func (t *textReport) verdict(a Page) {
	r := a.Report
	t.Paragraph("", terminal.Clean(a.URL.String()), terminal.Bold)
	if r.FinalURL != a.URL.String() {
		t.Paragraph("→ ", terminal.Clean(r.FinalURL))
	}
	t.Line("")
	colour := resultColour(r.Result)
	t.Line(t.Paint(fmt.Sprintf("%3d of 100  %s", r.Score, r.Result), colour, terminal.Bold) + "  " + t.Paint(bar(r.Score, 30), colour))
	t.Line("")
	if r.Why != "" {
		t.Paragraph("", terminal.Clean(r.Why))
		t.Line("")
	}
	came, times := pageFacts(r)
	t.Line(t.Paint(came, terminal.Faint))
	t.Line(t.Paint(times, terminal.Faint))
}

func (t *textReport) fixes(r *audit.Report) {
	t.Line("")
	found := r.Problems()
	if len(found) == 0 {
		t.Line("Nothing to fix.")
		return
	}
	t.Line(t.Paint("To fix: ", terminal.Bold) + fixSummary(r.Summary))
	var severity audit.Severity
	for _, o := range found {
		if o.Severity != severity {
			severity = o.Severity
			t.Line("")
			t.Line(t.Paint(severityTitle(severity), terminal.Bold))
		}
		t.fix(o)
	}
}

func (t *textReport) fix(o audit.Outcome) {
	t.Line("")
	t.Line("  " + t.sign(o) + " " + t.Paint(terminal.Clean(o.Title), terminal.Bold) + " " + t.Paint("("+o.ID+")", terminal.Faint))
	t.Paragraph("    ", terminal.Clean(o.Detail))
	for i, e := range o.Evidence {
		if i == shownEvidence {
			t.Line(t.Paint(fmt.Sprintf("      and %d more", len(o.Evidence)-i), terminal.Faint))
			break
		}
		t.evidence(e)
	}
	if o.Advice != "" {
		t.Paragraph("    → ", terminal.Clean(o.Advice))
	}
}

// sign tells failures, warnings and mere information apart.
func (t *textReport) sign(o audit.Outcome) string {
	switch {
	case o.Status == audit.Warning:
		return t.Paint("!", terminal.Yellow)
	case o.Severity == audit.Info:
		return t.Paint("·", terminal.Faint)
	default:
		return t.Paint("✗", severityColour(o.Severity))
	}
}

func (t *textReport) evidence(e audit.Evidence) {
	if place := evidencePlace(e); place != "" {
		t.Paragraph("      ", place, terminal.Faint)
	}
	if e.Snippet != "" {
		t.Line("      " + t.Paint(terminal.Shorten(terminal.Clean(e.Snippet), t.Wide-6), terminal.Faint))
	}
}

func (t *textReport) categories(r *audit.Report) {
	t.Line("")
	t.Line(t.Paint("Categories", terminal.Bold))
	t.Line("")
	for _, c := range r.Categories {
		score, colour, drawn := "  –", terminal.Faint, strings.Repeat(" ", 10)
		if c.Score != nil {
			score, colour, drawn = fmt.Sprintf("%3d", *c.Score), resultColour(audit.ResultOf(*c.Score)), bar(*c.Score, 10)
		}
		t.Line(fmt.Sprintf("  %-26s %s  %s  %s", terminal.Shorten(terminal.Clean(c.Title), 26), t.Paint(score, colour, terminal.Bold), t.Paint(drawn, colour), categoryCounts(c)))
	}
}

// categoryCounts says what became of the checks that apply: "45 passed, 3 failed, 1 warning".
func categoryCounts(c audit.Category) string {
	parts := []string{strconv.Itoa(c.Passed) + " passed"}
	if c.Failed > 0 {
		parts = append(parts, strconv.Itoa(c.Failed)+" failed")
	}
	if c.Warnings > 0 {
		parts = append(parts, strconv.Itoa(c.Warnings)+" "+terminal.Plural(c.Warnings, "warning", "warnings"))
	}
	return strings.Join(parts, ", ")
}

// bar draws a score from 0 to 100 as a bar of that many columns.
func bar(score, columns int) string {
	full := (score*columns + 50) / 100
	return strings.Repeat("█", full) + strings.Repeat("░", columns-full)
}

func severityTitle(s audit.Severity) string {
	return map[audit.Severity]string{audit.High: "High", audit.Medium: "Medium", audit.Low: "Low", audit.Info: "For information"}[s]
}

func severityColour(s audit.Severity) string {
	switch s {
	case audit.High:
		return terminal.Red
	case audit.Medium:
		return terminal.Yellow
	default:
		return terminal.Faint
	}
}

func resultColour(r audit.Result) string {
	switch r {
	case audit.Good:
		return terminal.Green
	case audit.Decent:
		return terminal.Yellow
	default:
		return terminal.Red
	}
}
