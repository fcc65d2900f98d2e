package notify

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sitegrade/weburl"
)

// How much of a summary is shown, in UTF-16 units, as the services count.
const (
	maxTitle     = 200
	maxText      = 1000
	maxShownURL  = 300
	maxFactName  = 40
	maxFactValue = 120
	maxFacts     = 10 // as many fields as Slack shows
	maxProblem   = 200
	maxProblems  = 10
)

// content is a summary made ready to be escaped: single lines of text without anything that moves other text about, none of them long.
type content struct {
	title, text string
	page        string // the URL of the page as text
	pageLink    string // the same as a link, "" if it is none
	link        string // to Sitegrade, "" if there is none
	action      string // what the link says
	score       string // "82 → 63"
	facts       []Fact
	problems    []string // with the count of those that are not shown at the end
	good        bool
}

// contentOf returns what a message says to people.
func contentOf(m Message) content {
	s := m.Summary
	c := content{
		title: line(s.Title, maxTitle), text: line(s.Text, maxText), good: s.Good,
		page: line(s.URL, maxShownURL), pageLink: linkTo(s.URL),
		link: linkTo(s.Link), action: line(s.Action, maxFactName),
		score: scores(s.Old, s.New),
	}
	if c.title == "" {
		c.title = m.Type
	}
	if c.action == "" {
		c.action = "Sitegrade"
	}
	for _, f := range s.Facts[:min(len(s.Facts), maxFacts)] {
		f = Fact{line(f.Name, maxFactName), line(f.Value, maxFactValue)}
		if f.Name != "" && f.Value != "" { // Discord refuses a message with an empty one
			c.facts = append(c.facts, f)
		}
	}
	for _, p := range s.Problems[:min(len(s.Problems), maxProblems)] {
		if p = line(p, maxProblem); p != "" {
			c.problems = append(c.problems, p)
		}
	}
	if more := len(s.Problems) - maxProblems; more > 0 {
		c.problems = append(c.problems, fmt.Sprintf("+%d", more))
	}
	return c
}

// lead returns the lines that stand before the problems: the text, the page and the scores, those that there are.
func (c content) lead() []string {
	var lines []string
	for _, l := range []string{c.text, c.page, c.score} {
		if l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// scores says how a score changed.
func scores(old, now *int) string {
	switch {
	case now == nil:
		return ""
	case old == nil || *old == *now:
		return fmt.Sprint(*now)
	}
	return fmt.Sprintf("%d → %d", *old, *now)
}

// linkTo returns a URL as one may be linked, http or https, and "" for everything else.
func linkTo(s string) string {
	u, err := weburl.Parse(s)
	if err != nil {
		return ""
	}
	return u.String()
}

// line returns a text as one line of at most limit units.
func line(s string, limit int) string { return fit(flat(s), limit, unescaped) }

// flat returns a text as one line: white space folded, and without control characters and what changes how other text reads (directions,
// invisible letters).
func flat(s string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r) || r == 0x2028 || r == 0x2029:
			return ' '
		case unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || isInvisible(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(kept), " ")
}

// isInvisible reports whether a rune shows nothing. The joiners stay, which some scripts and pictures need.
func isInvisible(r rune) bool {
	return r == 0x200B || r >= 0x2060 && r <= 0x2064 || r == 0xFEFF || r >= 0xE0000 && r <= 0xE007F
}

// fit returns a text, each rune escaped, of which at most limit units are written; the last is an ellipsis when something is left out. It
// never cuts an escape in two.
func fit(s string, limit int, escape func(rune) string) string {
	var b strings.Builder
	units := 0
	for i, r := range s {
		escaped := escape(r)
		units += length(escaped)
		if units > limit || units == limit && i+utf8.RuneLen(r) < len(s) {
			b.WriteString("…")
			break
		}
		b.WriteString(escaped)
	}
	return b.String()
}

// unescaped is the escape of what needs none.
func unescaped(r rune) string { return string(r) }

// length returns how many UTF-16 units a text has.
func length(s string) int {
	n := 0
	for _, r := range s {
		n += utf16.RuneLen(r)
	}
	return n
}

// bullets returns items as lines, each behind a dot, so that none stands at the beginning of a line.
func bullets(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return "• " + strings.Join(items, "\n• ")
}

// The colours of good and bad news.
const (
	goodColor = 0x2E7D32
	badColor  = 0xC62828
)

func (c content) color() int {
	if c.good {
		return goodColor
	}
	return badColor
}
