package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// rdfaReader reads items as RDFa 1.1 Lite has them: vocab, typeof, property, resource and prefix.
type rdfaReader struct {
	*itemReader
	items  []*Item
	ofPage map[*html.Node]*Item // what is said of the page itself, by the element whose vocab it is of
}

// rdfaScope is what an element and those around it say.
type rdfaScope struct {
	vocabulary string
	vocab      *html.Node // the element that says so
	prefixes   *dictionary[string]
	item       *Item // what properties are of; nil when they are of the page
}

func (r *itemReader) rdfa() {
	reader := rdfaReader{itemReader: r, ofPage: map[*html.Node]*Item{}}
	reader.children(r.d.root, rdfaScope{})
	for _, item := range reader.items {
		if item.Types != nil || len(item.Properties) > 0 {
			r.d.Items = keep(r.d.Items, item)
		}
	}
}

func (r *rdfaReader) children(n *html.Node, in rdfaScope) {
	for c := n.FirstChild; c != nil && r.step(); c = c.NextSibling {
		if c.Type == html.ElementNode && c.DataAtom != atom.Template {
			r.element(c, in)
		}
	}
}

func (r *rdfaReader) element(n *html.Node, in rdfaScope) {
	if vocab, ok := firstAttribute(n, "vocab"); ok {
		in.vocabulary, in.vocab = vocab, n
	}
	in.prefixes = withPrefixes(in.prefixes, n)
	var names []Name
	for _, word := range attributeFields(n, "property") {
		names = append(names, in.expand(word))
	}
	around := r.itemAround(in, names)
	switch types, typed := attribute(n, "typeof"); {
	case typed:
		in.item = r.typed(n, in, types)
		in.item.Nested = len(names) > 0 && around != nil
		addAll(around, names, Value{Item: in.item})
	case len(names) > 0:
		if around != nil {
			addAll(around, names, Value{Text: r.rdfaValue(n)})
		}
	default:
		if id, ok := firstAttribute(n, "resource", "about"); ok {
			in.item = r.newItem(n, in, id)
		}
	}
	r.children(n, in)
}

func addAll(item *Item, names []Name, value Value) {
	if item == nil {
		return
	}
	for _, name := range names {
		item.add(name, value)
	}
}

// itemAround returns what properties are of: the item around, or the page itself if they are of a known vocabulary.
func (r *rdfaReader) itemAround(in rdfaScope, names []Name) *Item {
	if in.item != nil || in.vocabulary == "" {
		return in.item
	}
	for _, name := range names {
		if name.Vocabulary != in.vocabulary {
			continue
		}
		if r.ofPage[in.vocab] == nil {
			r.ofPage[in.vocab] = r.newItem(in.vocab, in, "")
		}
		return r.ofPage[in.vocab]
	}
	return nil
}

func (r *rdfaReader) typed(n *html.Node, in rdfaScope, types string) *Item {
	id, _ := firstAttribute(n, "resource", "about", "href", "src")
	item := r.newItem(n, in, id)
	item.Types = []Name{}
	for word := range strings.FieldsSeq(types) {
		item.Types = append(item.Types, in.expand(word))
		item.HasContext = item.HasContext || strings.Contains(word, ":")
	}
	return item
}

func (r *rdfaReader) newItem(n *html.Node, in rdfaScope, id string) *Item {
	item := &Item{
		Element: Element{n, r.nth[n]}, Syntax: RDFaSyntax, ID: id, Vocabulary: in.vocabulary, HasContext: in.vocabulary != "",
	}
	r.items = append(r.items, item)
	return item
}

// rdfaValue returns the value of a property that is not an item.
func (r *rdfaReader) rdfaValue(n *html.Node) string {
	if value, ok := firstAttribute(n, "content", "datetime", "resource", "href", "src"); ok {
		return value
	}
	return r.value(n)
}

// expand reads the name of a type or property.
func (in rdfaScope) expand(word string) Name {
	if strings.Contains(word, ":") {
		return expandName(word, in.prefixes)
	}
	return Name{Vocabulary: in.vocabulary, Local: word}
}

// withPrefixes returns the prefixes around an element with those that it declares.
func withPrefixes(prefixes *dictionary[string], n *html.Node) *dictionary[string] {
	words := attributeFields(n, "prefix")
	if len(words) < 2 {
		return prefixes
	}
	all := prefixes.inner()
	for i := 0; i+1 < len(words); i += 2 {
		all.words[strings.TrimSuffix(words[i], ":")] = words[i+1]
	}
	return all
}
