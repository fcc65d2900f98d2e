package mcp

import (
	"encoding/json"
	"sort"
	"strings"
)

// maxAnswer is how many bytes the text of an answer may have, and as many its structured content: what a model can read in passing. That is under
// 8,000 also for a client that writes the JSON again with spaces in it.
const maxAnswer = 7_000

// answer is what a tool returns: the same for programs and as text.
type answer struct {
	structured any
	text       string
}

// fits reports whether both parts are short enough.
func (a answer) fits() bool {
	b, err := json.Marshal(a.structured)
	return err == nil && len(b) <= maxAnswer && len(a.text) <= maxAnswer
}

// fitted returns the longest answer that fits, of those that build makes of the first n rows of so many. One without rows always fits.
func fitted(rows int, build func(n int) answer) answer {
	if a := build(rows); a.fits() {
		return a
	}
	tooMany := sort.Search(rows, func(n int) bool { return !build(n).fits() })
	return build(max(0, tooMany-1))
}

// short cuts a text that would take more than most bytes of JSON.
func short(text string, most int) string {
	const more = "…"
	size := len(more)
	for i, r := range text {
		size += jsonSize(r)
		if size > most {
			return strings.TrimSpace(text[:i]) + more
		}
	}
	return text
}

// jsonSize returns how many bytes a character takes in JSON as encoding/json writes it.
func jsonSize(r rune) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t':
		return 2
	case r < ' ' || r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029':
		return len(`\u0000`)
	}
	return len(string(r))
}

// lines joins the lines of a text that are not empty.
func lines(all ...string) string {
	var b strings.Builder
	for _, line := range all {
		if line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
