package page

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// Parse reads a page, whose source is in UTF-8 and which was found at address. Every source has a Document, since a browser shows
// something for every source, too. Of a page with more than 100,000 tags, the totals and Elements count the rest.
func Parse(source []byte, address *weburl.URL) *Document {
	if !utf8.Valid(source) {
		source = bytes.ToValidUTF8(source, []byte("\uFFFD"))
	}
	d := &Document{Source: source, address: address, parsed: endOfMarkup(source)}
	d.root = parseTree(withoutExcess(source[:d.parsed]))
	d.Base = baseOf(d.root, address)
	w := newWalker(d)
	w.children(d.root, scope{})
	w.finish()
	if d.parsed < len(source) {
		d.countRest(source[d.parsed:])
	}
	return d
}

// newWalker returns a walker with room for about as much as pages with so many tags have.
func newWalker(d *Document) *walker {
	tags := bytes.Count(d.Source[:d.parsed], []byte{'<'})
	d.Anchors = make([]Anchor, 0, min(MaxStored, tags/16))
	d.ExposedLinks = make([]Exposed, 0, cap(d.Anchors))
	d.Images = make([]Image, 0, min(MaxStored, tags/32))
	d.Passages = make([]Passage, 0, min(MaxStored, tags/8))
	w := &walker{d: d, seen: make(map[atom.Atom]int, 64), hooks: newHooks(d, collectors)}
	w.visible.buf = make([]byte, 0, len(d.Source)/3)
	return w
}

// flatDepth is how deep the elements of a flattened page nest. The parser gives up beyond 512 open elements.
const flatDepth = 128

// parseTree returns the tree of a page. A page that nests too deep for the parser is read without the tags beyond flatDepth. If it
// still nests too deep (the parser opens unclosed formatting again in each block), it is read without all elements that nest.
func parseTree(source []byte) *html.Node {
	root, err := html.Parse(bytes.NewReader(source))
	if err == nil {
		return root
	}
	for _, limit := range []int{flatDepth, 0} {
		if root, err = html.Parse(bytes.NewReader(flatten(source, limit))); err == nil {
			return root
		}
	}
	return &html.Node{Type: html.DocumentNode}
}

// flatten returns the source without the start tags that would open more than limit elements at a time. Elements that cannot
// contain others are kept at any depth.
func flatten(source []byte, limit int) []byte {
	var out []byte
	var open []string
	for z := html.NewTokenizer(bytes.NewReader(source)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return out
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			if holdsNothing(atom.Lookup(name)) {
				break
			}
			open = closeImplied(open, string(name))
			if len(open) >= limit {
				continue
			}
			open = append(open, string(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			open = closeOpen(open, string(name))
		}
		out = append(out, z.Raw()...)
	}
}

// closeImplied removes the last open element if a start tag of the same name ends it.
func closeImplied(open []string, name string) []string {
	switch name {
	case "p", "li", "dt", "dd", "tr", "td", "th", "option", "a":
		if n := len(open); n > 0 && open[n-1] == name {
			return open[:n-1]
		}
	}
	return open
}

// closeOpen removes the elements that an end tag ends.
func closeOpen(open []string, name string) []string {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == name {
			return open[:i]
		}
	}
	return open
}

// baseOf returns the URL that relative ones start from: the href of the first base element that has one, else the URL of the page.
func baseOf(root *html.Node, address *weburl.URL) *weburl.URL {
	head := childNamed(childNamed(root, atom.Html), atom.Head)
	if head == nil {
		return address
	}
	for n := head.FirstChild; n != nil; n = n.NextSibling {
		if n.DataAtom != atom.Base {
			continue
		}
		if href, ok := attribute(n, "href"); ok {
			if base := weburl.Resolve(address, href); base != nil && base.Host() != "" {
				return base
			}
			return address
		}
	}
	return address
}

// childNamed returns the first child with this name, or nil.
func childNamed(parent *html.Node, name atom.Atom) *html.Node {
	if parent == nil {
		return nil
	}
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode && n.DataAtom == name {
			return n
		}
	}
	return nil
}

// attribute returns the value of an attribute without a namespace, and whether the element has it.
func attribute(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// holdsNothing reports whether an element cannot contain others: it is void, or its content is text.
func holdsNothing(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Param, atom.Source, atom.Track, atom.Wbr, atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Iframe,
		atom.Noscript, atom.Noembed, atom.Noframes, atom.Xmp:
		return true
	}
	return false
}
