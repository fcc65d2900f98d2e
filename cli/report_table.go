package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"sitegrade/audit"
)

// writeTextTable writes a line for each page: its address, its result, its score and its worst problem.
func writeTextTable(w io.Writer, pages []audited) error {
	t := textReport{style: styleFor(w), wide: columns(w)}
	t.rule()
	t.table(pages)
	_, err := io.WriteString(w, t.b.String())
	return err
}

// besideAddress is how many columns the result and the score take, with the two spaces before each and before the worst problem.
const besideAddress = len("  Result  Score  ")

func (t *textReport) table(pages []audited) {
	wide := textWidth("Address")
	for _, a := range pages {
		wide = max(wide, textWidth(clean(a.url.String())))
	}
	wide = min(wide, (t.wide-besideAddress)/2)
	left := t.wide - wide - besideAddress
	t.line(t.paint(pad("Address", wide)+"  Result  Score  "+shorten("Worst problem", left), bold))
	for _, a := range pages {
		t.row(a, wide, left)
	}
}

// row writes the line of a page, whose address and worst problem have that many columns.
func (t *textReport) row(a audited, wide, left int) {
	result, score, colour, worst := "–", "–", red, ""
	if a.report == nil {
		worst = t.paint(shorten("not audited ("+string(a.failure.Code)+")", left), red)
	} else {
		result, score, colour = a.report.Result.String(), strconv.Itoa(a.report.Score), resultColour(a.report.Result)
		worst = t.worst(a.report, left)
	}
	verdict := t.paint(fmt.Sprintf("%-6s  %5s", result, score), colour)
	t.line(pad(shortenStart(clean(a.url.String()), wide), wide) + "  " + verdict + "  " + worst)
}

// worst returns the title of the problem that is most worth attention, in at most wide columns.
func (t *textReport) worst(r *audit.Report, wide int) string {
	problems := r.Problems()
	if len(problems) == 0 {
		return t.paint(shorten("nothing to fix", wide), faint)
	}
	return t.sign(problems[0]) + " " + shorten(clean(problems[0].Title), wide-2)
}

// writeMarkdownTable writes a line of a table (GitHub Flavored Markdown) for each page.
func writeMarkdownTable(w io.Writer, pages []audited) error {
	var b strings.Builder
	b.WriteString("\n# All pages\n\n| Address | Result | Score | Worst problem |\n|---|---|--:|---|\n")
	for _, a := range pages {
		result, score, worst := "–", "–", "not audited"
		if a.report != nil {
			result, score, worst = a.report.Result.String(), strconv.Itoa(a.report.Score), "nothing to fix"
			if problems := a.report.Problems(); len(problems) > 0 {
				worst = fmt.Sprintf("%s (`%s`)", markdownText(problems[0].Title), problems[0].ID)
			}
		} else {
			worst += fmt.Sprintf(" (%s)", markdownText(string(a.failure.Code)))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdownText(a.url.String()), result, score, worst)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
