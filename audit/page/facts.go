package page

import (
	"slices"
)

// Title returns the title of the document as browsers show it: that of the first title element, folded.
func (d *Document) Title() string {
	if len(d.Titles) == 0 {
		return ""
	}
	return d.Titles[0].Text
}

// MetaNamed returns the folded content of the first meta in head with this name, or "".
func (d *Document) MetaNamed(name string) string {
	if m, ok := d.FirstMeta(name); ok {
		return Fold(m.Content)
	}
	return ""
}

// FirstMeta returns the first meta in the head with this name, and whether there is one.
func (d *Document) FirstMeta(name string) (Meta, bool) {
	for _, m := range d.Metas {
		if m.Name == name && !m.InBody {
			return m, true
		}
	}
	return Meta{}, false
}

// Viewport returns the meta that browsers take the viewport from, and whether there is one. It is the last one, in head or body.
func (d *Document) Viewport() (Meta, bool) {
	for _, m := range slices.Backward(d.Metas) {
		if m.Name == "viewport" {
			return m, true
		}
	}
	return Meta{}, false
}

// MetaProperty returns the folded content of the first meta with this property that has any, else "". As social networks do, it looks
// in head and body, and accepts the name attribute in place of property.
func (d *Document) MetaProperty(property string) string {
	for _, m := range d.Metas {
		if (m.Property == property || m.Name == property) && !isBlank(m.Content) {
			return Fold(m.Content)
		}
	}
	return ""
}

// MainHeadings returns the h1 elements that have text, or something that stands for it.
func (d *Document) MainHeadings() []Heading {
	var found []Heading
	for _, h := range d.Headings {
		if h.Level == 1 && h.Named {
			found = append(found, h)
		}
	}
	return found
}

// FirstH1 returns the text of the first h1 that has text, else "".
func (d *Document) FirstH1() string {
	for _, h := range d.Headings {
		if h.Level == 1 && h.Text != "" {
			return h.Text
		}
	}
	return ""
}

// HasLink reports whether a link element with an href has this relation.
func (d *Document) HasLink(rel string) bool {
	return slices.ContainsFunc(d.Links, func(l Link) bool { return l.Href != "" && slices.Contains(l.Rel, rel) })
}

// LowerText returns Text in lower case.
func (d *Document) LowerText() string {
	if d.lower == "" {
		d.lower = lowerText(d.Text)
	}
	return d.lower
}
