package page

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// Exposed is an element that assistive technology meets, by its role: that of its kind, or the one that it is given.
type Exposed struct {
	Element
	Named bool // has an accessible name; images also when they are marked as decoration
	role  string
}

// collectExposed gathers what must have an accessible name: links, buttons, fields and images, and finds the names of these and of
// headings and frames.
func collectExposed(d *Document) collector {
	names := &namer{ids: d.ids, labels: map[string][]*html.Node{}}
	return collector{
		enter: func(e Element, in scope) {
			if e.node.DataAtom == atom.Label {
				if id, ok := e.Attribute("for"); ok && len(names.labels) < maxIDs {
					names.labels[id] = append(names.labels[id], e.node)
				}
			}
			if !in.hidden && !in.unexposed {
				d.expose(e, exposedRole(e, in.role))
			}
		},
		finish: func() { d.findNames(names) },
	}
}

// exposedRole returns the role of an element among those that must have a name; "" for any other. given is the role that its
// attribute says.
func exposedRole(e Element, given string) string {
	switch {
	case given != "":
		return given
	case e.node.Data == "a" || e.node.DataAtom == atom.Area:
		if leads(e.node) {
			return "link"
		}
		return ""
	case e.node.Namespace != "":
		return ""
	}
	switch e.node.DataAtom {
	case atom.Button:
		return "button"
	case atom.Img:
		return "img"
	case atom.Object:
		if e.embedsMedia() {
			return "img"
		}
	case atom.Select:
		return "listbox"
	case atom.Textarea:
		return "textbox"
	case atom.Input:
		return inputRole(e)
	}
	return ""
}

// leads reports whether an element has an href, or the xlink:href of SVG, which has the same key.
func leads(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "href" })
}

// inputRole returns the role of an input; "" for those that need no name: hidden ones, and buttons with a text of the browser's own.
func inputRole(e Element) string {
	switch inputKind(e.node) {
	case "hidden":
		return ""
	case "submit", "reset":
		if _, valued := e.Attribute("value"); !valued {
			return ""
		}
		return "button"
	case "button", "image":
		return "button"
	}
	return "textbox"
}

// embedsMedia reports whether an object element shows something other than another page.
func (e Element) embedsMedia() bool {
	data, _ := e.Attribute("data")
	kind, _ := e.Attribute("type")
	address, _, _ := strings.Cut(data, "?")
	ending := strings.ToLower(path.Ext(address))
	return !isBlank(data) && !strings.Contains(strings.ToLower(kind), "html") && !strings.HasPrefix(ending, ".htm") && ending != ""
}

// expose keeps an element that must have a name.
func (d *Document) expose(e Element, role string) {
	if list := d.exposedAs(role); list != nil {
		*list = keep(*list, Exposed{Element: e, role: role})
	}
}

// exposedAs returns the list of the elements that are gathered by a role; nil for a role that needs no name.
func (d *Document) exposedAs(role string) *[]Exposed {
	switch role {
	case "link", "doc-backlink", "doc-biblioref", "doc-glossref", "doc-noteref":
		return &d.ExposedLinks
	case "button":
		return &d.Buttons
	case "checkbox", "combobox", "listbox", "menuitemcheckbox", "menuitemradio", "radio", "searchbox", "slider", "spinbutton", "switch",
		"textbox":
		return &d.Fields
	case "img", "image", "graphics-document", "graphics-symbol", "doc-cover":
		return &d.ExposedImages
	}
	return nil
}

// findNames finds the names when all ids and labels of the page are known.
func (d *Document) findNames(names *namer) {
	for _, list := range [][]Exposed{d.ExposedLinks, d.Buttons, d.Fields, d.ExposedImages} {
		for i := range list {
			list[i].Named = names.isNamed(list[i].node, list[i].role)
		}
	}
	for i := range d.ExposedImages {
		d.ExposedImages[i].Named = d.ExposedImages[i].Named || isDecoration(d.ExposedImages[i].Element)
	}
	for i := range d.Headings {
		h := &d.Headings[i]
		h.Named = !h.unexposed && names.isNamed(h.node, "heading")
	}
	for i := range d.Frames {
		d.Frames[i].Named = names.isNamed(d.Frames[i].node, "")
	}
}

// isDecoration reports whether an image says that it only decorates: its alt is there and empty. A blank one says nothing, and a role
// says that the image means something.
func isDecoration(e Element) bool {
	alt, ok := e.Attribute("alt")
	return ok && alt == "" && e.node.DataAtom == atom.Img && roleOf(e.node) == ""
}

// AddressOf returns the URL that an element leads to or loads, or nil.
func (d *Document) AddressOf(e Element) *weburl.URL {
	for _, name := range []string{"href", "src", "data"} {
		if address, ok := e.Attribute(name); ok {
			return weburl.Resolve(d.Base, address)
		}
	}
	return nil
}
