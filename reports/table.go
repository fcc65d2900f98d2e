package reports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sitegrade/audit"
	"sitegrade/terminal"
)

// writeTextTable writes a line for each page: its address, its result, its score and its worst problem.
func writeTextTable(w io.Writer, pages []Page) error {
	t := textReport{terminal.NewText(w)}
	t.Rule()
	t.table(pages)
	_, err := io.WriteString(w, t.String())
	return err
}

// besideAddress is how many columns the result and the score take, with the two spaces before each and before the worst problem.
const besideAddress = len("  Result  Score  ")

func (t *textReport) table(pages []Page) {
	wide := terminal.Width("Address")
	for _, a := range pages {
		wide = max(wide, terminal.Width(terminal.Clean(a.URL.String())))
	}
	wide = min(wide, (t.Wide-besideAddress)/2)
	left := t.Wide - wide - besideAddress
	t.Line(t.Paint(terminal.Pad("Address", wide)+"  Result  Score  "+terminal.Shorten("Worst problem", left), terminal.Bold))
	for _, a := range pages {
		t.row(a, wide, left)
	}
}

// row writes the line of a page, whose address and worst problem have that many columns.
func (t *textReport) row(a Page, wide, left int) {
	result, score, colour, worst := "–", "–", terminal.Red, ""
	if a.Report == nil {
		worst = t.Paint(terminal.Shorten("not audited ("+string(a.Failure.Code)+")", left), terminal.Red)
	} else {
		result, score, colour = a.Report.Result.String(), strconv.Itoa(a.Report.Score), resultColour(a.Report.Result)
		worst = t.worst(a.Report, left)
	}
	verdict := t.Paint(fmt.Sprintf("%-6s  %5s", result, score), colour)
	t.Line(terminal.Pad(terminal.ShortenStart(terminal.Clean(a.URL.String()), wide), wide) + "  " + verdict + "  " + worst)
}

// worst returns the title of the problem that is most worth attention, in at most wide columns.
func (t *textReport) worst(r *audit.Report, wide int) string {
	problems := r.Problems()
	if len(problems) == 0 {
		return t.Paint(terminal.Shorten("nothing to fix", wide), terminal.Faint)
	}
	return t.sign(problems[0]) + " " + terminal.Shorten(terminal.Clean(problems[0].Title), wide-2)
}

// writeMarkdownTable writes a line of a table (GitHub Flavored Markdown) for each page.
func writeMarkdownTable(w io.Writer, pages []Page) error {
	var b strings.Builder
	b.WriteString("\n# All pages\n\n| Address | Result | Score | Worst problem |\n|---|---|--:|---|\n")
	for _, a := range pages {
		result, score, worst := "–", "–", "not audited"
		if a.Report != nil {
			result, score, worst = a.Report.Result.String(), strconv.Itoa(a.Report.Score), "nothing to fix"
			if problems := a.Report.Problems(); len(problems) > 0 {
				worst = fmt.Sprintf("%s (`%s`)", markdownText(problems[0].Title), problems[0].ID)
			}
		} else {
			worst += fmt.Sprintf(" (%s)", markdownText(string(a.Failure.Code)))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdownText(a.URL.String()), result, score, worst)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
