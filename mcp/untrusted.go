package mcp

import (
	"crypto/rand"
	"regexp"

	"sitegrade/terminal"
)

// fence marks what a page says in the text of an answer. Its code is random for each answer, so that no page can know its end mark.
type fence string

func newFence() fence { return fence(rand.Text()[:12]) }

// around returns text of a page between the marks, on one line.
func (f fence) around(text string) string {
	return "<untrusted-" + string(f) + ">" + withoutMarks(terminal.Clean(text)) + "</untrusted-" + string(f) + ">"
}

// marks are what looks like a mark of a fence, whatever its code.
var marks = regexp.MustCompile(`(?i)<(\s*/?\s*untrusted)`)

// withoutMarks escapes what looks like a mark of a fence.
func withoutMarks(text string) string { return marks.ReplaceAllString(text, "&lt;$1") }

// said returns what a page says as it stands below a key that calls it untrusted: without characters that nobody sees, and no longer than most
// bytes of JSON.
func said(text string, most int) string { return short(withoutMarks(terminal.Clean(text)), most) }
