package page

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// Parse reads a page (decoded to UTF-8) that was found at address. It always gives a document: whatever is wrong with
// the source is a matter for the checks. Of a page with more than maxTags tags only the totals tell the rest.
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

// newWalker returns a walker with room for about what the page has.
func newWalker(d *Document) *walker {
	d.Anchors = make([]Anchor, 0, min(MaxStored, bytes.Count(d.Source, []byte("<a "))))
	d.Images = make([]Image, 0, min(MaxStored, bytes.Count(d.Source, []byte("<img "))))
	w := &walker{d: d, seen: make(map[atom.Atom]int, 64), hooks: newHooks(d, collectors), labelled: map[string]bool{}}
	w.visible.buf = make([]byte, 0, len(d.Source)/3)
	return w
}

// flatDepth is how deep a page may nest after its excess was left out. The parser gives up beyond 512 open elements.
const flatDepth = 128

// parseTree returns the tree of a page. One that nests deeper than the parser goes is read without the tags beyond flatDepth, and
// if that still is too deep (unclosed formatting opens itself again and again) without anything that nests.
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

// flatten returns the source without the start tags that would open more than limit elements. Elements that hold no others
// stay at any depth.
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

// closeImplied takes the last open element away where a start tag of the same name ends it.
func closeImplied(open []string, name string) []string {
	switch name {
	case "p", "li", "dt", "dd", "tr", "td", "th", "option", "a":
		if n := len(open); n > 0 && open[n-1] == name {
			return open[:n-1]
		}
	}
	return open
}

// closeOpen takes away what an end tag ends.
func closeOpen(open []string, name string) []string {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i] == name {
			return open[:i]
		}
	}
	return open
}

// baseOf returns the address that relative ones start from: what the first base element with an href says.
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

// attribute returns the value of an attribute, and whether the element has it.
func attribute(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key && n.Attr[i].Namespace == "" {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// holdsNothing reports whether an element has no elements in it: void elements and those whose content is text.
func holdsNothing(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Param, atom.Source, atom.Track, atom.Wbr, atom.Script, atom.Style, atom.Title, atom.Textarea, atom.Iframe,
		atom.Noscript, atom.Noembed, atom.Noframes, atom.Xmp:
		return true
	}
	return false
}
