package audit

import "bytes"

// headEnder returns the place of the first tag between <head> and </head> that is none of a head, which is where parsers end the head.
func (d *document) headEnder() (place, bool) {
	inHead, templates := false, 0
	s := tagScanner{source: d.source}
	for tag, ok := s.next(); ok; tag, ok = s.next() {
		switch name := string(tag.name); {
		case name == "template":
			templates = insideTemplates(templates, tag.closing)
		case templates > 0:
		case tag.closing:
			if name == "head" {
				return place{}, false
			}
		case name == "head":
			inHead = true
		case name == "html" || inHead && belongsInHead(name):
		case !inHead || name == "body" || indexFold(d.source[tag.end:], "</head") < 0:
			return place{}, false
		default:
			line := 1 + bytes.Count(d.source[:tag.start], []byte{'\n'})
			return place{snippet: cutSnippet(string(d.source[tag.start:min(tag.end, tag.start+2*maxSnippet)])), line: line}, true
		}
	}
	return place{}, false
}

// insideTemplates returns how many templates are open after another tag of one.
func insideTemplates(open int, closing bool) int {
	if closing {
		return max(open-1, 0)
	}
	return open + 1
}

func belongsInHead(name string) bool {
	switch name {
	case "title", "meta", "link", "script", "style", "base", "noscript", "basefont", "bgsound", "noframes":
		return true
	}
	return false
}
