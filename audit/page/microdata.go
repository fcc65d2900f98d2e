package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// microdata reads the items of the elements with itemscope, as the HTML standard has it: properties are in the element and in those
// that its itemref names.
func (r *itemReader) microdata(marked []Element) {
	items := map[*html.Node]*Item{}
	for _, e := range marked {
		if _, ok := attribute(e.node, "itemscope"); ok {
			items[e.node] = newMicrodataItem(e)
		}
	}
	for _, e := range marked {
		item := items[e.node]
		if item == nil {
			continue
		}
		m := microdataItem{itemReader: r, item: item, items: items, seen: map[*html.Node]bool{e.node: true}}
		m.properties(e.node)
		for _, id := range attributeFields(e.node, "itemref") {
			if n := r.d.ids[id]; n != nil {
				m.property(n)
			}
		}
	}
	for _, e := range marked {
		if item := items[e.node]; item != nil {
			item.inheritContext(0)
			r.d.Items = keep(r.d.Items, item)
		}
	}
}

func newMicrodataItem(e Element) *Item {
	item := &Item{Element: e, Syntax: MicrodataSyntax}
	item.ID, _ = firstAttribute(e.node, "itemid")
	for _, t := range attributeFields(e.node, "itemtype") {
		name := absoluteName(t)
		item.Types = append(item.Types, name)
		if item.Vocabulary == "" || isOfSchema(name.Vocabulary) {
			item.Vocabulary = name.Vocabulary
		}
		item.HasContext = item.HasContext || strings.Contains(t, ":") || name.Vocabulary != ""
	}
	item.HasContext = item.HasContext || len(item.Types) == 0
	return item
}

// inheritContext gives the parts of an item that have no type of their own its vocabulary. Their names are of no vocabulary by the
// standard, but Google and the mapping to RDF read them so.
func (i *Item) inheritContext(depth int) {
	for j := range i.Properties {
		p := &i.Properties[j]
		if p.Vocabulary == "" && !strings.Contains(p.Local, ":") {
			p.Vocabulary = i.Vocabulary
		}
		part := p.Value.Item
		if part != nil && len(part.Types) == 0 && part.Vocabulary == "" && i.Vocabulary != "" && depth < flatDepth {
			part.Vocabulary = i.Vocabulary
			part.inheritContext(depth + 1)
		}
	}
}

// microdataItem gathers the properties of one item.
type microdataItem struct {
	*itemReader
	item  *Item
	items map[*html.Node]*Item
	seen  map[*html.Node]bool
}

// properties gathers what the elements in an element say of the item.
func (m *microdataItem) properties(n *html.Node) {
	for c := n.FirstChild; c != nil && m.step(); c = c.NextSibling {
		if c.Type == html.ElementNode && c.DataAtom != atom.Template {
			m.property(c)
		}
	}
}

// property gathers what an element says of the item, and what those in it say.
func (m *microdataItem) property(n *html.Node) {
	if m.seen[n] {
		return
	}
	names := attributeFields(n, "itemprop")
	part := m.items[n]
	if len(names) > 0 {
		m.seen[n] = true
		value := Value{Item: part}
		if part == nil {
			value.Text = m.value(n)
		} else {
			part.Nested = true
		}
		for _, name := range names {
			m.item.add(microdataName(name), value)
		}
	}
	if part == nil {
		m.properties(n)
	}
}

func microdataName(name string) Name {
	if strings.Contains(name, ":") {
		return expandName(name, nil)
	}
	return Name{Local: name}
}

// value returns the value of a property that is not an item.
func (r *itemReader) value(n *html.Node) string {
	key := ""
	switch n.DataAtom {
	case atom.Meta:
		key = "content"
	case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
		key = "src"
	case atom.A, atom.Area, atom.Link:
		key = "href"
	case atom.Object:
		key = "data"
	case atom.Data, atom.Meter:
		key = "value"
	case atom.Time:
		if value, ok := firstAttribute(n, "datetime"); ok {
			return value
		}
	}
	if key != "" {
		value, _ := firstAttribute(n, key)
		return value
	}
	return r.text(n)
}

// attributeFields returns the words of an attribute.
func attributeFields(n *html.Node, key string) []string {
	value, _ := attribute(n, key)
	return strings.Fields(value)
}
