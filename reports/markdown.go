package reports

import (
	"fmt"
	"io"
	"strings"

	"sitegrade/audit"
	"sitegrade/terminal"
)

// writeMarkdown writes a report as CommonMark, for issues, wikis and the summaries of CI runs.
func writeMarkdown(w io.Writer, a Page, another bool) error {
	var b strings.Builder
	if another {
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "# %s\n\n", markdownCode(a.URL.String()))
	if a.Report == nil {
		fmt.Fprintf(&b, "**Not audited** (%s): %s\n", a.Failure.Code, markdownText(a.Failure.Detail))
	} else {
		markdownReport(&b, a)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func markdownReport(b *strings.Builder, a Page) {
	r := a.Report
	came, times := pageFacts(r)
	fmt.Fprintf(b, "**%d of 100, %s.** %s, %s.\n", r.Score, r.Result, came, times)
	if r.FinalURL != a.URL.String() {
		fmt.Fprintf(b, "Answered by %s.\n", markdownCode(r.FinalURL))
	}
	if r.Why != "" {
		b.WriteString("\n" + markdownText(r.Why) + "\n")
	}
	b.WriteString("\n## To fix\n\n")
	found := r.Problems()
	if len(found) == 0 {
		b.WriteString("Nothing.\n")
	}
	for _, o := range found {
		markdownFix(b, o)
	}
	b.WriteString("\n## Categories\n\n| Category | Score | Passed | Failed | Warnings |\n|---|--:|--:|--:|--:|\n")
	for _, c := range r.Categories {
		score := "–"
		if c.Score != nil {
			score = fmt.Sprint(*c.Score)
		}
		fmt.Fprintf(b, "| %s | %s | %d | %d | %d |\n", markdownText(c.Title), score, c.Passed, c.Failed, c.Warnings)
	}
}

func markdownFix(b *strings.Builder, o audit.Outcome) {
	grade := strings.ToLower(severityTitle(o.Severity))
	if o.Status == audit.Warning {
		grade += ", warning"
	}
	fmt.Fprintf(b, "- **%s** (`%s`, %s): %s", markdownText(o.Title), o.ID, grade, markdownText(o.Detail))
	if o.Advice != "" {
		fmt.Fprintf(b, " %s", markdownText(o.Advice))
	}
	b.WriteString("\n")
	for _, e := range o.Evidence {
		var parts []string
		if place := evidencePlace(e); place != "" {
			parts = append(parts, markdownCode(place))
		}
		if e.Snippet != "" {
			parts = append(parts, markdownCode(e.Snippet))
		}
		fmt.Fprintf(b, "  - %s\n", strings.Join(parts, ": "))
	}
}

// markdownText returns text that no Markdown and no HTML is read in.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range terminal.Clean(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markdownCode returns a code span, with more backticks around it than it has inside (CommonMark 6.1).
func markdownCode(s string) string {
	s = terminal.Clean(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
