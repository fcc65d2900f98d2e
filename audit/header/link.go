package header

import "strings"

// A Link is one link of a Link header (RFC 8288).
type Link struct {
	Target   string   // as written between the angle brackets
	Anchor   string   // the context when it is not the page itself; "" otherwise
	Rel      []string // lower case
	Hreflang []string // lower case
	Type     string   // the type parameter
	Media    string
	hasRel   bool
}

// ParseLinks reads the lines of Link headers (RFC 8288 section 3). What is not a link is skipped to the next comma.
func ParseLinks(lines []string) []Link {
	var links []Link
	for _, line := range lines {
		p := scanner{line}
		for p.more() {
			if link, ok := p.link(); ok {
				links = append(links, link)
			}
			p.skipPastComma()
		}
	}
	return links
}

func (p *scanner) link() (Link, bool) {
	var link Link
	p.skipSpace()
	if !p.take('<') {
		return link, false
	}
	end := strings.IndexByte(p.rest, '>')
	if end < 0 {
		p.rest = ""
		return link, false
	}
	link.Target = strings.TrimSpace(p.rest[:end])
	p.rest = p.rest[end+1:]
	for p.skipSpace(); p.take(';'); p.skipSpace() {
		name, value := p.parameter()
		link.set(name, value)
	}
	return link, true
}

// set applies a parameter; of rel, anchor, type and media the first counts (RFC 8288 section 3.3 and 3.4.1).
func (l *Link) set(name, value string) {
	switch name {
	case "rel":
		if !l.hasRel {
			l.Rel, l.hasRel = strings.Fields(strings.ToLower(value)), true
		}
	case "hreflang":
		l.Hreflang = append(l.Hreflang, strings.ToLower(strings.TrimSpace(value)))
	case "anchor":
		setFirst(&l.Anchor, value)
	case "type":
		setFirst(&l.Type, strings.ToLower(value))
	case "media":
		setFirst(&l.Media, value)
	}
}

func setFirst(field *string, value string) {
	if *field == "" {
		*field = value
	}
}
