package page

import (
	"strings"

	"golang.org/x/net/html"

	"sitegrade/audit/schemaorg"
)

// Syntax is how structured data is written.
type Syntax int

// The syntaxes of structured data.
const (
	JSONLDSyntax Syntax = iota
	MicrodataSyntax
	RDFaSyntax
)

// Item is a thing that structured data describes, or a part of one.
type Item struct {
	Element    // what it is written in: an element with itemscope, typeof or resource, or the script of its block
	Syntax     Syntax
	Types      []Name
	ID         string // its URL or what it is referred to by, as written; "" when it has none
	Properties []Property
	Vocabulary string // what its names are of unless they say it themselves, as written; "" when they are of no known one
	HasContext bool   // something says which vocabulary its names are of
	Nested     bool   // it is the value of a property of another item
	Graph      bool   // it holds others in its @graph

	offset int // where its object begins in the text of a block of JSON-LD
}

// Name is the name of a type or of a property.
type Name struct {
	Vocabulary string // the URL that it begins with, as written; "" when it is of no known one
	Local      string // the rest
}

// Property is a property of an item with one of its values.
type Property struct {
	Name
	Value Value
}

// Value is the value of a property: an item, or else text.
type Value struct {
	Item *Item
	Text string // as written, cut when it is long; a URL is a text, too
}

// IsEmpty reports whether a value says nothing.
func (v Value) IsEmpty() bool {
	if v.Item == nil {
		return isBlank(v.Text)
	}
	return len(v.Item.Types) == 0 && len(v.Item.Properties) == 0 && v.Item.ID == ""
}

// SaysMore reports whether an item is more than a reference to another.
func (i *Item) SaysMore() bool { return i.ID == "" || len(i.Types) > 0 || len(i.Properties) > 0 }

func (i *Item) add(name Name, values ...Value) {
	for _, v := range values {
		i.Properties = append(i.Properties, Property{name, v})
	}
}

// absoluteName takes an absolute URL apart into a vocabulary and a name in it.
func absoluteName(url string) Name {
	url = strings.TrimSuffix(url, "/")
	end := strings.LastIndexAny(url, "/#") + 1
	return Name{Vocabulary: url[:end], Local: url[end:]}
}

// schemaPrefix is what the prefix "schema:" stands for where a page does not say otherwise.
const schemaPrefix = "https://schema.org/"

// expandName reads a name with a colon: a URL, or a prefix and a name.
func expandName(name string, prefixes *dictionary[string]) Name {
	prefix, local, _ := strings.Cut(name, ":")
	switch url, ok := prefixes.find(prefix); {
	case strings.HasPrefix(local, "//"):
		return absoluteName(name)
	case ok:
		return absoluteName(url + local)
	case prefix == "schema":
		return Name{Vocabulary: schemaPrefix, Local: local}
	}
	return Name{Local: name}
}

// maxItemSteps bounds how many nodes are looked at to read the items of a page, since several items may refer to the same elements.
const maxItemSteps = 300_000

// itemReader reads the items of a page.
type itemReader struct {
	d     *Document
	nth   map[*html.Node]int // of the elements that are items
	steps int
}

// collectItems counts the structured data in attributes, and reads all structured data into items.
func collectItems(d *Document) collector {
	var marked []Element
	return collector{
		enter: func(e Element, _ scope) {
			rdfa, marks := false, false
			for i := range e.node.Attr {
				switch e.node.Attr[i].Key {
				case "itemscope":
					d.Itemscopes++
					marks = true
				case "typeof", "vocab":
					rdfa, marks = true, true
				case "resource", "about":
					marks = true
				}
			}
			if rdfa {
				d.RDFaElements++
			}
			if marks {
				marked = keep(marked, e)
			}
		},
		finish: func() { readItems(d, marked) },
	}
}

// readItems reads the items of a page. marked are the elements that may be items.
func readItems(d *Document, marked []Element) {
	for _, block := range d.JSONLD {
		readJSONLD(d, block)
	}
	if d.Itemscopes+d.RDFaElements == 0 {
		return
	}
	r := &itemReader{d: d, nth: make(map[*html.Node]int, len(marked))}
	for _, e := range marked {
		r.nth[e.node] = e.nth
	}
	if d.Itemscopes > 0 {
		r.microdata(marked)
	}
	if d.RDFaElements > 0 {
		r.rdfa()
	}
}

// step counts a node that is looked at, and reports whether more may be.
func (r *itemReader) step() bool {
	r.steps++
	return r.steps <= maxItemSteps
}

// text returns the beginning of the text in an element, blank if all of it is.
func (r *itemReader) text(n *html.Node) string {
	var b strings.Builder
	r.writeText(&b, n)
	return CutSnippet(strings.TrimSpace(b.String()))
}

func (r *itemReader) writeText(b *strings.Builder, n *html.Node) {
	for c := n.FirstChild; c != nil && b.Len() < MaxSnippet && r.step(); c = c.NextSibling {
		switch {
		case c.Type == html.TextNode && !isBlank(c.Data):
			b.WriteString(c.Data[:min(len(c.Data), 2*MaxSnippet)])
		case c.Type == html.ElementNode:
			r.writeText(b, c)
		}
	}
}

// firstAttribute returns the value of the first of these attributes that an element has, and whether it has any.
func firstAttribute(n *html.Node, keys ...string) (string, bool) {
	for _, key := range keys {
		if value, ok := attribute(n, key); ok {
			return strings.TrimSpace(value), true
		}
	}
	return "", false
}

// ItemPlace returns where an item is in the page. That of an item in JSON-LD is where its object begins.
func (d *Document) ItemPlace(i *Item) Place {
	p := d.Place(i.Element)
	if i.Syntax == JSONLDSyntax && p.Line > 0 {
		text := textOf(i.node)
		p.Line += strings.Count(text[:i.offset], "\n")
		p.Snippet = Fold(CutSnippet(text[i.offset:]))
	}
	return p
}

// isOfSchema reports whether a name without a prefix may be judged by the vocabulary of schema.org.
func isOfSchema(vocabulary string) bool {
	return schemaorg.Is(vocabulary) || schemaorg.IsMisspelt(vocabulary)
}
