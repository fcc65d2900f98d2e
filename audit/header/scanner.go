// Package header reads the headers of responses as browsers do: each file is one header with one function, and names the specification
// that it follows.
package header

import "strings"

// A scanner walks over the structured value of a header.
type scanner struct{ rest string }

func (p *scanner) more() bool { return p.rest != "" }

func (p *scanner) skipSpace() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *scanner) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// parameter reads name, name=token or name="quoted". The name is in lower case, a missing value is "".
func (p *scanner) parameter() (name, value string) {
	p.skipSpace()
	name = strings.ToLower(strings.TrimSpace(p.until("=;,")))
	if !p.take('=') {
		return name, ""
	}
	p.skipSpace()
	if p.take('"') {
		return name, p.quoted()
	}
	return name, strings.TrimSpace(p.until(";,"))
}

// until takes what comes before any of the characters.
func (p *scanner) until(stops string) string {
	i := strings.IndexAny(p.rest, stops)
	if i < 0 {
		i = len(p.rest)
	}
	taken := p.rest[:i]
	p.rest = p.rest[i:]
	return taken
}

// quoted takes the rest of a quoted string, its first quote already taken, and undoes the backslashes. One that never ends
// takes everything.
func (p *scanner) quoted() string {
	var b strings.Builder
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '"':
			p.rest = p.rest[i+1:]
			return b.String()
		case c == '\\' && i+1 < len(p.rest):
			i++
			b.WriteByte(p.rest[i])
		default:
			b.WriteByte(c)
		}
	}
	p.rest = ""
	return b.String()
}

// skipPastComma leaves what remains of a list member, quoted strings included.
func (p *scanner) skipPastComma() {
	for p.rest != "" {
		p.until(`,"`)
		if p.take(',') {
			return
		}
		if p.take('"') {
			p.quoted()
		}
	}
}
