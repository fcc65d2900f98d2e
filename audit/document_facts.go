package audit

import (
	"slices"
	"strings"
)

// title returns the title of the document as browsers show it: that of the first title element, folded.
func (d *document) title() string {
	if len(d.titles) == 0 {
		return ""
	}
	return d.titles[0].text
}

// metaNamed returns the folded content of the first meta in head with this name, or "".
func (d *document) metaNamed(name string) string {
	if m, ok := d.firstMeta(name); ok {
		return fold(m.content)
	}
	return ""
}

// firstMeta returns the first meta in head with this name.
func (d *document) firstMeta(name string) (meta, bool) {
	for _, m := range d.metas {
		if m.name == name && !m.inBody {
			return m, true
		}
	}
	return meta{}, false
}

// viewport returns the meta that browsers take the viewport from: the last one, wherever it stands.
func (d *document) viewport() (meta, bool) {
	for _, m := range slices.Backward(d.metas) {
		if m.name == "viewport" {
			return m, true
		}
	}
	return meta{}, false
}

// metaProperty returns the folded content of the first meta with this property, or "". Social networks read them anywhere, and
// under name too.
func (d *document) metaProperty(property string) string {
	for _, m := range d.metas {
		if (m.property == property || m.name == property) && !isBlank(m.content) {
			return fold(m.content)
		}
	}
	return ""
}

// mainHeadings returns the h1 elements that are not empty.
func (d *document) mainHeadings() []heading {
	var found []heading
	for _, h := range d.headings {
		if h.level == 1 && h.named {
			found = append(found, h)
		}
	}
	return found
}

// firstH1 returns the text of the first h1 that has some.
func (d *document) firstH1() string {
	for _, h := range d.headings {
		if h.level == 1 && h.text != "" {
			return h.text
		}
	}
	return ""
}

// hasLink reports whether a link element with an address has the relation.
func (d *document) hasLink(rel string) bool {
	return slices.ContainsFunc(d.links, func(l headLink) bool { return l.href != "" && slices.Contains(l.rel, rel) })
}

// lowerText returns the visible text in lower case.
func (d *document) lowerText() string {
	if d.lower == "" {
		d.lower = strings.ToLower(d.text)
	}
	return d.lower
}
