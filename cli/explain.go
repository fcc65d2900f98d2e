package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
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

const (
	maxSuggestions = 3 // ids that an error suggests
	maxDistance    = 3 // letters in which they may differ from what was typed
)

// didYouMean names the checks whose ids are near to a word, nearest first; "" when not one is.
func didYouMean(word string) string {
	word = strings.ToLower(word)
	var near []audit.Explanation
	distances := map[string]int{}
	for _, e := range audit.Explanations() {
		distance := distanceTo(word, e.ID)
		if distance <= min(len(word)/2, maxDistance) {
			distances[e.ID] = distance
			near = append(near, e)
		}
	}
	if len(near) == 0 {
		return "; sitegrade explain lists them"
	}
	slices.SortStableFunc(near, func(x, y audit.Explanation) int { return distances[x.ID] - distances[y.ID] })
	ids := make([]string, 0, maxSuggestions)
	for _, e := range near[:min(maxSuggestions, len(near))] {
		ids = append(ids, e.ID)
	}
	return "; near to it: " + strings.Join(ids, ", ")
}

// distanceTo returns how far a word is from an id: from the whole of it, or from what stands before one of its hyphens.
func distanceTo(word, id string) int {
	if len(word) > 2 && strings.Contains(id, word) {
		return 1
	}
	distance := editDistance(word, id)
	for i, c := range id {
		if c == '-' {
			distance = min(distance, editDistance(word, id[:i]))
		}
	}
	return distance
}

// editDistance returns how many letters have to be put in, left out or changed to make b of a (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := corner
			if a[i] != b[j] {
				changed++
			}
			corner = row[j+1]
			row[j+1] = min(changed, corner+1, row[j]+1)
		}
	}
	return row[len(b)]
}
