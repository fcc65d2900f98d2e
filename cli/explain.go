package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"sitegrade/audit"
	"sitegrade/terminal"
)

// explainCheck prints what a check looks at and how to mend what it finds, or the list of checks.
func explainCheck(_ context.Context, c *console, args []string) error {
	operands, err := c.parse(c.flags(), args)
	if err != nil {
		return err
	}
	switch len(operands) {
	case 0:
		return writeChecks(c.stdout)
	case 1:
	default:
		return c.usage("explain takes one ID, but there are %d", len(operands))
	}
	found, ok := audit.Explain(operands[0])
	if !ok {
		return c.usage("there is no check %q%s", operands[0], didYouMean(operands[0]))
	}
	return writeExplanation(c.stdout, found)
}

// explanation is written about a check.
type explanation struct{ *terminal.Text }

// writeChecks lists the checks by category.
func writeChecks(w io.Writer) error {
	t := explanation{terminal.NewText(w)}
	title := ""
	for _, e := range audit.Explanations() {
		if e.CategoryTitle != title {
			if title != "" {
				t.Line("")
			}
			title = e.CategoryTitle
			t.Line(t.Paint(title, terminal.Bold))
		}
		t.Line(fmt.Sprintf("  %-26s %s", e.ID, terminal.Shorten(e.Name, t.Wide-29)))
	}
	_, err := io.WriteString(w, t.String())
	return err
}

func writeExplanation(w io.Writer, e audit.Explanation) error {
	t := explanation{terminal.NewText(w)}
	t.Line(t.Paint(e.Name, terminal.Bold) + " " + t.Paint("("+e.ID+")", terminal.Faint))
	if e.Retired == "" {
		t.Line(t.Paint(e.CategoryTitle+", severity "+string(e.Severity), terminal.Faint))
	} else {
		t.part("Retired", e.Retired)
	}
	t.part("What it looks at", e.Looks)
	t.part("Why it matters", e.Why)
	t.part("How to mend it", e.Mend)
	t.code("Passes", e.Passes)
	t.code("Fails", e.Fails)
	t.Line("")
	t.Line(t.Paint("Source", terminal.Bold))
	if e.Source != "" {
		t.Paragraph("  ", e.Source)
	}
	t.Paragraph("  ", e.Link)
	if e.Retired == "" {
		t.agreements(e)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// part writes a paragraph below its heading.
func (t explanation) part(heading, text string) {
	t.Line("")
	t.Line(t.Paint(heading, terminal.Bold))
	t.Paragraph("  ", text)
}

// code writes an example as it is.
func (t explanation) code(heading, text string) {
	t.Line("")
	t.Line(t.Paint(heading, terminal.Bold))
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		t.Line("  " + strings.TrimRight(line, "\n"))
	}
}

func (t explanation) agreements(e audit.Explanation) {
	if len(e.Agreements) == 0 {
		t.part("Agreement", "There is no judge whose verdicts were compared with those of this check.")
		return
	}
	for i, a := range e.Agreements {
		if i == 0 {
			t.part("Agreement", a.String())
			continue
		}
		t.Paragraph("  ", a.String())
	}
}

// didYouMean names the checks whose ids are near to a word, nearest first; where not one is, the command that lists them.
func didYouMean(word string) string {
	near := audit.NearestChecks(word)
	if len(near) == 0 {
		return "; sitegrade explain lists them"
	}
	return "; near to it: " + strings.Join(near, ", ")
}
