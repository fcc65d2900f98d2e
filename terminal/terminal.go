// Package terminal writes text for people who look at a terminal: as wide as it is, in colours where it has them, and with nothing in it that
// a terminal would obey.
package terminal

import (
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
	"golang.org/x/text/width"
)

// IsTerminal reports whether w is a terminal that somebody looks at.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Columns returns how wide text for w should be: the terminal's width between 40 and 100, else 80.
func Columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if wide, _, err := term.GetSize(int(f.Fd())); err == nil && wide > 0 {
			return min(max(wide, 40), 100)
		}
	}
	return 80
}

// Style colours text, or leaves it as it is.
type Style struct{ Colours bool }

// StyleFor returns the style of what is written to w: with colours on a terminal whose user did not ask for none (https://no-color.org).
func StyleFor(w io.Writer) Style {
	return Style{Colours: IsTerminal(w) && os.Getenv("NO_COLOR") == ""}
}

// The SGR parameters (ECMA-48) that reports use.
const (
	Bold   = "1"
	Faint  = "2"
	Red    = "31"
	Green  = "32"
	Yellow = "33"
)

// Paint returns text with these parameters, in a style with colours.
func (s Style) Paint(text string, parameters ...string) string {
	if !s.Colours || text == "" || len(parameters) == 0 {
		return text
	}
	return "\x1b[" + strings.Join(parameters, ";") + "m" + text + "\x1b[0m"
}

// Clean returns text from a page in one line that a terminal shows as it is: white space folded, and nothing in it that moves
// the cursor, changes colours or turns the direction of writing.
func Clean(s string) string { return strings.Join(strings.Fields(harmless(s)), " ") }

// CleanLines is Clean for text of several lines.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = harmless(line)
	}
	return strings.Join(lines, "\n")
}

// harmless replaces every control and format character by a space or by nothing. The joiners that some scripts need stay.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u200c' || r == '\u200d':
			return r
		case r == '\u2028' || r == '\u2029' || unicode.Is(unicode.Cc, r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r // an invalid byte comes as utf8.RuneError
	}, s)
}

// runeWidth returns how many columns a terminal needs for r.
func runeWidth(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200c' || r == '\u200d' {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Width returns how many columns a terminal needs for s.
func Width(s string) int {
	n := 0
	for _, r := range s {
		n += runeWidth(r)
	}
	return n
}

// Wrap breaks text at spaces into lines of at most wide columns; a longer word is broken where it must be.
func Wrap(text string, wide int) []string {
	var lines []string
	var line strings.Builder
	used := 0
	next := func() {
		lines = append(lines, line.String())
		line.Reset()
		used = 0
	}
	for word := range strings.FieldsSeq(text) {
		needed := Width(word)
		if line.Len() > 0 && used+1+needed > wide {
			next()
		}
		for needed > wide {
			head := fit(word, wide)
			lines = append(lines, head)
			word, needed = word[len(head):], needed-Width(head)
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
			used++
		}
		line.WriteString(word)
		used += needed
	}
	if line.Len() > 0 {
		next()
	}
	return lines
}

// fit returns the longest beginning of s that needs at most wide columns, and at least one character.
func fit(s string, wide int) string {
	used := 0
	for i, r := range s {
		used += runeWidth(r)
		if used > wide && i > 0 {
			return s[:i]
		}
	}
	return s
}

// Shorten returns s in at most wide columns, with an ellipsis for what is missing.
func Shorten(s string, wide int) string {
	if Width(s) <= wide {
		return s
	}
	return fit(s, wide-1) + "…"
}

// ShortenStart returns s in at most wide columns, its end where it is longer: that is what tells the addresses of a site apart.
func ShortenStart(s string, wide int) string {
	if Width(s) <= wide {
		return s
	}
	for i := range s {
		if Width(s[i:]) < wide {
			return "…" + s[i:]
		}
	}
	return "…"
}

// Pad returns s with spaces behind it that fill wide columns.
func Pad(s string, wide int) string {
	return s + strings.Repeat(" ", max(0, wide-Width(s)))
}

// Plural returns the word for n things: one where n is 1.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
