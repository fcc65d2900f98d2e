package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// walker walks over the tree once and collects the facts.
type walker struct {
	d       *Document
	hooks   hooks
	seen    map[atom.Atom]int // elements of each name so far
	visible visibleText
	json    int // bytes of JSON-LD so far
}

// scope is what an element and its ancestors say about what is inside.
type scope struct {
	depth     int    // how many elements are around, with the element itself
	lang      string // of the nearest element with a lang attribute, as written
	role      string // of the element itself, in lower case; "" when it has no role
	inHead    bool
	hidden    bool     // it is not rendered
	unexposed bool     // assistive technology cannot reach it
	picture   []string // type and srcset of each source of the picture around, in turn
	video     int      // 1 + the index of the video around; 0 when there is none
	form      int      // 1 + the index of the form around; 0 when there is none
}

func (w *walker) children(n *html.Node, p scope) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.Type {
		case html.ElementNode:
			w.element(c, p)
		case html.TextNode:
			w.textNode(c.Data, p)
		case html.DoctypeNode:
			w.d.Doctype = newDoctype(c)
		}
	}
}

// text collects the facts of what is inside an element, and returns where the visible text of that is.
func (w *walker) text(n *html.Node, p scope) span {
	from := w.visible.len()
	w.children(n, p)
	return span{from, w.visible.len()}
}

func (w *walker) textNode(s string, p scope) {
	if p.hidden {
		return
	}
	from := w.visible.len()
	w.visible.write(s)
	at := span{from, w.visible.len()}
	if at.from == at.to {
		return
	}
	for _, text := range w.hooks.text {
		text(at, p)
	}
}

// element collects the facts of an element and of what is inside it.
func (w *walker) element(n *html.Node, p scope) {
	e := Element{n, w.seen[n.DataAtom]}
	w.seen[n.DataAtom]++
	if n.DataAtom == atom.Template {
		w.d.Elements++
		w.countInside(n)
		return
	}
	p.depth++
	w.d.Elements++
	w.d.Depth = max(w.d.Depth, p.depth)
	w.attributes(e, &p)
	for _, enter := range w.hooks.enter {
		enter(e, p)
	}
	w.content(e, p)
	for _, leave := range w.hooks.leave {
		leave(e, p)
	}
}

// content collects the facts of an element by its name, and of what is inside it.
func (w *walker) content(e Element, p scope) {
	if e.node.Namespace != "" {
		w.foreign(e, p)
		return
	}
	block := !isInline(e.node.DataAtom)
	if block {
		w.visible.space()
	}
	w.known(e, p)
	if block {
		w.visible.space()
	}
}

// countInside counts the elements inside a template, so that the elements after it are still found in the source.
func (w *walker) countInside(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			w.seen[c.DataAtom]++
			w.countInside(c)
		}
	}
}

// attributes reads the attributes that every element may have.
func (w *walker) attributes(e Element, p *scope) {
	p.role = ""
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		switch a.Key {
		case "lang":
			p.lang = a.Val
		case "style":
			w.d.InlineStyle.Attributes++
			w.d.InlineStyle.Bytes += len(a.Val)
			if hidesByStyle(a.Val) {
				p.hidden, p.unexposed = true, true
			}
		case "hidden", "popover":
			p.hidden, p.unexposed = true, true
		case "aria-hidden", "inert":
			p.unexposed = p.unexposed || hides(a)
		case "role":
			p.role = explicitRole(e.node, a.Val)
		case "type":
			if e.node.DataAtom == atom.Input && strings.EqualFold(strings.TrimSpace(a.Val), "hidden") {
				p.hidden, p.unexposed = true, true
			}
		}
	}
}

// known collects the facts of an HTML element by its name.
func (w *walker) known(e Element, p scope) {
	switch e.node.DataAtom {
	case atom.Html:
		w.root(e, p)
	case atom.Head:
		p.inHead, p.hidden, p.unexposed = true, true, true
		w.children(e.node, p)
	case atom.Title, atom.Meta, atom.Link, atom.Script, atom.Style:
		w.headElement(e, p)
	case atom.Noscript, atom.Noembed, atom.Noframes, atom.Datalist, atom.Canvas, atom.Textarea, atom.Xmp:
		w.unread(e, p)
	case atom.A:
		w.anchor(e, p)
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.heading(e, p)
	case atom.Img, atom.Picture, atom.Source, atom.Track, atom.Video, atom.Audio, atom.Object, atom.Embed, atom.Iframe, atom.Frame:
		w.embedded(e, p)
	case atom.Form, atom.Input, atom.Button, atom.Select, atom.Label:
		w.formElement(e, p)
	case atom.Dialog:
		if _, open := attribute(e.node, "open"); !open {
			p.hidden, p.unexposed = true, true
		}
		w.children(e.node, p)
	default:
		w.plain(e, p)
	}
}

// root reads the html element.
func (w *walker) root(e Element, p scope) {
	if w.d.HTML.node == nil {
		w.d.HTML = e
		w.d.Lang, _ = attribute(e.node, "lang")
	}
	w.children(e.node, p)
}

// unread collects the facts of an element whose content nobody sees as text of the page.
func (w *walker) unread(e Element, p scope) {
	if e.node.DataAtom == atom.Noframes {
		w.deprecated(e)
	}
	p.hidden, p.unexposed = true, true
	w.children(e.node, p)
}

// plain collects the facts of the elements that have content and few rules.
func (w *walker) plain(e Element, p scope) {
	switch e.node.DataAtom {
	case atom.Acronym, atom.Applet, atom.Basefont, atom.Big, atom.Center, atom.Dir, atom.Font, atom.Frameset, atom.Marquee,
		atom.Strike, atom.Tt:
		w.deprecated(e)
	default:
		if p.role == "heading" {
			w.heading(e, p)
			return
		}
	}
	w.children(e.node, p)
}

func (w *walker) deprecated(e Element) {
	w.d.Total.Deprecated++
	w.d.Deprecated = keep(w.d.Deprecated, e)
}

// foreign collects the facts of an element of SVG or MathML.
func (w *walker) foreign(e Element, p scope) {
	switch e.node.Data {
	case "a":
		w.anchor(e, p)
		return
	case "title":
		p.hidden = true
	case "desc", "defs", "metadata", "style", "script", "symbol", "annotation", "annotation-xml":
		p.hidden = true
	}
	w.children(e.node, p)
}

// finish sets the facts that only the whole page can tell.
func (w *walker) finish() {
	d := w.d
	d.Text = w.visible.String()
	d.Words = countWords(d.Text)
	for i := range d.Anchors {
		a := &d.Anchors[i]
		a.Text = a.at.in(d.Text)
	}
	for i := range d.Headings {
		h := &d.Headings[i]
		h.Text = h.at.in(d.Text)
	}
	for _, finish := range w.hooks.finish {
		finish()
	}
}

// keep appends a fact to a list that has fewer than MaxStored.
func keep[T any](list []T, fact T) []T {
	if len(list) >= MaxStored {
		return list
	}
	return append(list, fact)
}

// hidesByStyle reports whether a style attribute hides the element.
func hidesByStyle(style string) bool {
	if !strings.ContainsAny(style, "yY") { // display, visibility
		return false
	}
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		property, value = strings.TrimSpace(property), strings.TrimSpace(value)
		value, _, _ = strings.Cut(value, "!")
		value = strings.TrimSpace(value)
		if strings.EqualFold(property, "display") && strings.EqualFold(value, "none") ||
			strings.EqualFold(property, "visibility") && strings.EqualFold(value, "hidden") {
			return true
		}
	}
	return false
}

// newDoctype returns the doctype that the parser has read.
func newDoctype(n *html.Node) Doctype {
	t := Doctype{Present: true, name: n.Data}
	t.public, _ = attribute(n, "public")
	t.system, t.hasSystem = attribute(n, "system")
	return t
}
