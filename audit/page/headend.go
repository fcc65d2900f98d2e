package page

import "bytes"

// HeadEnder returns the place of the first tag between <head> and </head> that does not belong there, and whether there is one.
// Parsers end the head at such a tag.
func (d *Document) HeadEnder() (Place, bool) {
	inHead, templates := false, 0
	s := tagScanner{source: d.Source}
	for tag, ok := s.next(); ok; tag, ok = s.next() {
		switch name := string(tag.name); {
		case name == "template":
			templates = insideTemplates(templates, tag.closing)
		case templates > 0:
		case tag.closing:
			if name == "head" {
				return Place{}, false
			}
		case name == "head":
			inHead = true
		case name == "html" || inHead && belongsInHead(name):
		case !inHead || name == "body" || indexFold(d.Source[tag.end:], "</head") < 0:
			return Place{}, false
		default:
			line := 1 + bytes.Count(d.Source[:tag.start], []byte{'\n'})
			return Place{Snippet: CutSnippet(string(d.Source[tag.start:min(tag.end, tag.start+2*MaxSnippet)])), Line: line}, true
		}
	}
	return Place{}, false
}

// insideTemplates returns how many templates are open after one more start or end tag of a template.
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
