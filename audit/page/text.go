package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// visibleText builds the text that people see, with each run of white space folded into one space.
type visibleText struct {
	buf     []byte
	pending bool // white space came since the last character
}

func (t *visibleText) String() string { return string(t.buf) }

func (t *visibleText) len() int { return len(t.buf) }

// space separates what comes next from what came before, as the edge of a block does.
func (t *visibleText) space() { t.pending = true }

// write adds text. White space alone adds nothing before more text comes.
func (t *visibleText) write(s string) {
	for i := 0; i < len(s); {
		if n := spaceAt(s, i); n > 0 {
			t.pending = true
			i += n
			continue
		}
		start := i
		for i < len(s) && (isPlain[s[i]] || spaceAt(s, i) == 0) {
			i++
		}
		if t.pending && len(t.buf) > 0 {
			t.buf = append(t.buf, ' ')
		}
		t.pending = false
		t.buf = append(t.buf, s[start:i]...)
	}
}

// span is a part of the visible text, from one byte up to another. It may begin with the space that separates it from what is before.
type span struct{ from, to int }

// in returns the part of the text without space at its ends.
func (s span) in(text string) string { return strings.TrimSpace(text[s.from:s.to]) }

// isPlain tells the bytes that no white space begins with, for the loop that sees every byte of the text.
var isPlain = func() (plain [256]bool) {
	for c := range plain {
		plain[c] = c > ' ' && c != 0xC2 && c != 0xE3
	}
	return plain
}()

// spaceAt returns how many bytes of white space are at i, 0 when there is none. The no-break space and the ideographic space count, too.
func spaceAt(s string, i int) int {
	switch c := s[i]; {
	case c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f':
		return 1
	case c == 0xC2 && i+1 < len(s) && s[i+1] == 0xA0:
		return 2
	case c == 0xE3 && i+2 < len(s) && s[i+1] == 0x80 && s[i+2] == 0x80:
		return 3
	}
	return 0
}

// Fold returns text without white space at its ends and with each other run of white space as one space.
func Fold(s string) string {
	var t visibleText
	t.write(s)
	return t.String()
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// countWords returns the number of words in folded text: runs between spaces that have a letter or digit. In scripts that are written
// without spaces, two characters count as a word.
func countWords(text string) int {
	words, unspaced, inWord := 0, 0, false
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			i++
			if c == ' ' {
				inWord = false
			} else if !inWord && isAlphanumeric(c) {
				inWord = true
				words++
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			unspaced++
		case !inWord && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			inWord = true
			words++
		}
	}
	return words + (unspaced+1)/2
}

// lowerText returns text in lower case. It is strings.ToLower, which takes four times as long for a text with a single letter beyond ASCII.
func lowerText(text string) string {
	lower := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c |= 0x20
			}
			lower = append(lower, c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		lower = utf8.AppendRune(lower, unicode.ToLower(r))
		i += n
	}
	return string(lower)
}

func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// isInline reports whether an element is part of a line of text, so that its edges do not separate words.
func isInline(a atom.Atom) bool {
	switch a {
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Del,
		atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark, atom.Q, atom.Rb, atom.Ruby, atom.S,
		atom.Samp, atom.Script, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Style, atom.Sub, atom.Sup, atom.Template,
		atom.Time, atom.Tt, atom.U, atom.Var, atom.Wbr, atom.Img, atom.Picture, atom.Link, atom.Meta, 0:
		return true
	}
	return false
}
