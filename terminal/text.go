package terminal

import (
	"io"
	"strings"
)

// Text is a text that is being written for a terminal.
type Text struct {
	Style
	Wide int // columns
	b    strings.Builder
}

// NewText returns an empty text for w.
func NewText(w io.Writer) *Text { return &Text{Style: StyleFor(w), Wide: Columns(w)} }

// String returns what was written.
func (t *Text) String() string { return t.b.String() }

// Line writes a line.
func (t *Text) Line(s string) {
	t.b.WriteString(strings.TrimRight(s, " "))
	t.b.WriteByte('\n')
}

// Rule writes a line between two parts.
func (t *Text) Rule() {
	t.Line("")
	t.Line(t.Paint(strings.Repeat("─", t.Wide), Faint))
	t.Line("")
}

// Paragraph writes wrapped text, its first line behind first and the others behind as many spaces.
func (t *Text) Paragraph(first, text string, parameters ...string) {
	indent := Width(first)
	for i, line := range Wrap(text, t.Wide-indent) {
		if i > 0 {
			first = strings.Repeat(" ", indent)
		}
		t.Line(first + t.Paint(line, parameters...))
	}
}
