package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"sitegrade/audit"
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

// writeChecks lists the checks by category.
func writeChecks(w io.Writer) error {
	t := textReport{style: styleFor(w), wide: columns(w)}
	title := ""
	for _, e := range audit.Explanations() {
		if e.CategoryTitle != title {
			if title != "" {
				t.line("")
			}
			title = e.CategoryTitle
			t.line(t.paint(title, bold))
		}
		t.line(fmt.Sprintf("  %-26s %s", e.ID, shorten(e.Name, t.wide-29)))
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

func writeExplanation(w io.Writer, e audit.Explanation) error {
	t := textReport{style: styleFor(w), wide: columns(w)}
	t.line(t.paint(e.Name, bold) + " " + t.paint("("+e.ID+")", faint))
	if e.Retired == "" {
		t.line(t.paint(e.CategoryTitle+", severity "+string(e.Severity), faint))
	} else {
		t.part("Retired", e.Retired)
	}
	t.part("What it looks at", e.Looks)
	t.part("Why it matters", e.Why)
	t.part("How to mend it", e.Mend)
	t.code("Passes", e.Passes)
	t.code("Fails", e.Fails)
	t.line("")
	t.line(t.paint("Source", bold))
	if e.Source != "" {
		t.paragraph("  ", e.Source)
	}
	t.paragraph("  ", e.Link)
	if e.Retired == "" {
		t.agreements(e)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

// part writes a paragraph below its heading.
func (t *textReport) part(heading, text string) {
	t.line("")
	t.line(t.paint(heading, bold))
	t.paragraph("  ", text)
}

// code writes an example as it is.
func (t *textReport) code(heading, text string) {
	t.line("")
	t.line(t.paint(heading, bold))
	for line := range strings.Lines(strings.TrimRight(text, "\n")) {
		t.line("  " + strings.TrimRight(line, "\n"))
	}
}

func (t *textReport) agreements(e audit.Explanation) {
	if len(e.Agreements) == 0 {
		t.part("Agreement", "There is no judge whose verdicts were compared with those of this check.")
		return
	}
	for i, a := range e.Agreements {
		if i == 0 {
			t.part("Agreement", a.String())
			continue
		}
		t.paragraph("  ", a.String())
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
