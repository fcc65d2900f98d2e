package audit

import "strings"

// linkValue is one link of a Link header (RFC 8288).
type linkValue struct {
	target   string   // as written between the angle brackets
	anchor   string   // the context when it is not the page itself; "" otherwise
	rel      []string // lower case
	hreflang []string // lower case
	mime     string   // the type parameter
	media    string
	hasRel   bool
}

// parseLinkHeader reads the lines of Link headers. What is not a link is skipped to the next comma.
func parseLinkHeader(lines []string) []linkValue {
	var links []linkValue
	for _, line := range lines {
		p := headerScanner{line}
		for p.more() {
			if link, ok := p.link(); ok {
				links = append(links, link)
			}
			p.skipPastComma()
		}
	}
	return links
}

func (p *headerScanner) link() (linkValue, bool) {
	var link linkValue
	p.skipSpace()
	if !p.take('<') {
		return link, false
	}
	end := strings.IndexByte(p.rest, '>')
	if end < 0 {
		p.rest = ""
		return link, false
	}
	link.target = strings.TrimSpace(p.rest[:end])
	p.rest = p.rest[end+1:]
	for p.skipSpace(); p.take(';'); p.skipSpace() {
		name, value := p.parameter()
		link.set(name, value)
	}
	return link, true
}

// set applies a parameter; of rel, anchor, type and media the first counts (RFC 8288 section 3.3 and 3.4.1).
func (l *linkValue) set(name, value string) {
	switch name {
	case "rel":
		if !l.hasRel {
			l.rel, l.hasRel = strings.Fields(strings.ToLower(value)), true
		}
	case "hreflang":
		l.hreflang = append(l.hreflang, strings.ToLower(strings.TrimSpace(value)))
	case "anchor":
		setFirst(&l.anchor, value)
	case "type":
		setFirst(&l.mime, strings.ToLower(value))
	case "media":
		setFirst(&l.media, value)
	}
}

func setFirst(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// headerScanner walks over the structured value of a header.
type headerScanner struct{ rest string }

func (p *headerScanner) more() bool { return p.rest != "" }

func (p *headerScanner) skipSpace() { p.rest = strings.TrimLeft(p.rest, " \t") }

func (p *headerScanner) take(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// parameter reads name, name=token or name="quoted". The name is in lower case, a missing value is "".
func (p *headerScanner) parameter() (name, value string) {
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
func (p *headerScanner) until(stops string) string {
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
func (p *headerScanner) quoted() string {
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
func (p *headerScanner) skipPastComma() {
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
