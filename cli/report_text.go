package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sitegrade/audit"
)

// shownEvidence is how many pieces of evidence the terminal shows of a check; the other formats show all.
const shownEvidence = 3

// textReport writes a report for people who look at a terminal.
type textReport struct {
	style
	b    strings.Builder
	wide int
}

// writeText writes the score and the result first, then what to fix, then the categories.
func writeText(w io.Writer, a audited, another bool) error {
	t := textReport{style: styleFor(w), wide: columns(w)}
	if another {
		t.rule()
	}
	if a.report == nil {
		t.failure(a)
	} else {
		t.verdict(a)
		t.fixes(a.report)
		t.categories(a.report)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

func (t *textReport) line(s string) {
	t.b.WriteString(strings.TrimRight(s, " "))
	t.b.WriteByte('\n')
}

// rule writes a line between two reports.
func (t *textReport) rule() {
	t.line("")
	t.line(t.paint(strings.Repeat("─", t.wide), faint))
	t.line("")
}

// paragraph writes wrapped text, its first line behind first and the others behind as many spaces.
func (t *textReport) paragraph(first, text string, parameters ...string) {
	indent := textWidth(first)
	for i, line := range wrap(text, t.wide-indent) {
		if i > 0 {
			first = strings.Repeat(" ", indent)
		}
		t.line(first + t.paint(line, parameters...))
	}
}

func (t *textReport) failure(a audited) {
	t.paragraph("", clean(a.url.String()), bold)
	t.line("")
	t.line(t.paint("not audited", red, bold) + " (" + string(a.failure.Code) + ")")
	t.paragraph("", clean(a.failure.Detail))
}

func (t *textReport) verdict(a audited) {
	r := a.report
	t.paragraph("", clean(a.url.String()), bold)
	if r.FinalURL != a.url.String() {
		t.paragraph("→ ", clean(r.FinalURL))
	}
	t.line("")
	colour := resultColour(r.Result)
	t.line(t.paint(fmt.Sprintf("%3d of 100  %s", r.Score, r.Result), colour, bold) + "  " + t.paint(bar(r.Score, 30), colour))
	t.line("")
	if r.Why != "" {
		t.paragraph("", clean(r.Why))
		t.line("")
	}
	came, times := pageFacts(r)
	t.line(t.paint(came, faint))
	t.line(t.paint(times, faint))
}

func (t *textReport) fixes(r *audit.Report) {
	t.line("")
	found := r.Problems()
	if len(found) == 0 {
		t.line("Nothing to fix.")
		return
	}
	t.line(t.paint("To fix: ", bold) + fixSummary(r.Summary))
	var severity audit.Severity
	for _, o := range found {
		if o.Severity != severity {
			severity = o.Severity
			t.line("")
			t.line(t.paint(severityTitle(severity), bold))
		}
		t.fix(o)
	}
}

func (t *textReport) fix(o audit.Outcome) {
	t.line("")
	t.line("  " + t.sign(o) + " " + t.paint(clean(o.Title), bold) + " " + t.paint("("+o.ID+")", faint))
	t.paragraph("    ", clean(o.Detail))
	for i, e := range o.Evidence {
		if i == shownEvidence {
			t.line(t.paint(fmt.Sprintf("      and %d more", len(o.Evidence)-i), faint))
			break
		}
		t.evidence(e)
	}
	if o.Advice != "" {
		t.paragraph("    → ", clean(o.Advice))
	}
}

// sign tells failures, warnings and mere information apart.
func (t *textReport) sign(o audit.Outcome) string {
	switch {
	case o.Status == audit.Warning:
		return t.paint("!", yellow)
	case o.Severity == audit.Info:
		return t.paint("·", faint)
	default:
		return t.paint("✗", severityColour(o.Severity))
	}
}

func (t *textReport) evidence(e audit.Evidence) {
	if place := evidencePlace(e); place != "" {
		t.paragraph("      ", place, faint)
	}
	if e.Snippet != "" {
		t.line("      " + t.paint(shorten(clean(e.Snippet), t.wide-6), faint))
	}
}

func (t *textReport) categories(r *audit.Report) {
	t.line("")
	t.line(t.paint("Categories", bold))
	t.line("")
	for _, c := range r.Categories {
		score, colour, drawn := "  –", faint, strings.Repeat(" ", 10)
		if c.Score != nil {
			score, colour, drawn = fmt.Sprintf("%3d", *c.Score), resultColour(audit.ResultOf(*c.Score)), bar(*c.Score, 10)
		}
		t.line(fmt.Sprintf("  %-26s %s  %s  %s", shorten(clean(c.Title), 26), t.paint(score, colour, bold), t.paint(drawn, colour), categoryCounts(c)))
	}
}

// categoryCounts says what became of the checks that apply: "45 passed, 3 failed, 1 warning".
func categoryCounts(c audit.Category) string {
	parts := []string{strconv.Itoa(c.Passed) + " passed"}
	if c.Failed > 0 {
		parts = append(parts, strconv.Itoa(c.Failed)+" failed")
	}
	if c.Warnings > 0 {
		parts = append(parts, strconv.Itoa(c.Warnings)+" "+plural(c.Warnings, "warning", "warnings"))
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
		return red
	case audit.Medium:
		return yellow
	default:
		return faint
	}
}

func resultColour(r audit.Result) string {
	switch r {
	case audit.Good:
		return green
	case audit.Decent:
		return yellow
	default:
		return red
	}
}
