package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxNameSteps bounds how many nodes are looked at for the names of a page, against pages that refer to the same large element from
// everywhere. Beyond it everything counts as named, since nothing may be said of what was not looked at.
const maxNameSteps = 1 << 21

// namer tells which elements have an accessible name (Accessible Name and Description Computation 1.2, HTML-AAM 1.0). It looks for
// whether there is one, not for its text.
type namer struct {
	ids    map[string]*html.Node
	labels map[string][]*html.Node // label elements by the id that they are for
	steps  int
}

// isNamed reports whether an element that is met with this role has a name.
func (n *namer) isNamed(e *html.Node, role string) bool {
	switch {
	case n.isReferred(e), hasText(e, "aria-label"), n.isNamedByElement(e):
		return true
	case isNamedByContent(role) && n.contentSays(e, naming{}):
		return true
	}
	return hasText(e, "title") || takesPlaceholder(e) && hasText(e, "placeholder")
}

// isReferred reports whether aria-labelledby names an element: one of the elements that it refers to says something.
func (n *namer) isReferred(e *html.Node) bool {
	refs, _ := attribute(e, "aria-labelledby")
	for id := range strings.FieldsSeq(refs) {
		if target := n.ids[id]; target != nil && n.says(target, naming{referred: true, hiddenToo: isHiddenInTree(target)}) {
			return true
		}
	}
	return false
}

// isNamedByElement reports whether HTML's or SVG's own means name an element: alt, value, label, title in an image.
func (n *namer) isNamedByElement(e *html.Node) bool {
	if e.Namespace != "" {
		return e.Namespace == "svg" && hasTitleChild(e)
	}
	switch e.DataAtom {
	case atom.Img, atom.Area:
		return hasText(e, "alt")
	case atom.Input:
		switch inputKind(e) {
		case "submit", "reset":
			_, valued := attribute(e, "value")
			return !valued || hasText(e, "value") || n.isLabelled(e) // without a value they have a text of the browser's own
		case "button":
			return hasText(e, "value") || n.isLabelled(e)
		case "image":
			return hasText(e, "alt") || n.isLabelled(e)
		}
		return n.isLabelled(e)
	case atom.Button, atom.Meter, atom.Output, atom.Progress, atom.Select, atom.Textarea:
		return n.isLabelled(e)
	}
	return false
}

// isLabelled reports whether a label element that people see names a control: one around it, or one that is for its id.
func (n *namer) isLabelled(control *html.Node) bool {
	id, _ := attribute(control, "id")
	for _, label := range n.labels[id] {
		if id != "" && !isHiddenInTree(label) && n.contentSays(label, naming{but: control}) {
			return true
		}
	}
	for around := control.Parent; around != nil; around = around.Parent {
		if around.DataAtom == atom.Label {
			return n.contentSays(around, naming{but: control}) || hasText(around, "aria-label")
		}
	}
	return false
}

// naming is how a part of a name is looked for.
type naming struct {
	referred  bool       // by aria-labelledby, which is not followed a second time
	hiddenToo bool       // what is hidden counts, since the element referred to is hidden as a whole
	but       *html.Node // is no part of the name: the control that is named
}

// contentSays reports whether what is in an element is a part of a name.
func (n *namer) contentSays(e *html.Node, how naming) bool {
	for c := e.FirstChild; c != nil; c = c.NextSibling {
		if n.steps++; n.steps > maxNameSteps {
			return true
		}
		if c.Type == html.TextNode && !isBlank(c.Data) || c.Type == html.ElementNode && c != how.but && n.says(c, how) {
			return true
		}
	}
	return false
}

// says reports whether an element is a part of the name of what is around it or refers to it.
func (n *namer) says(e *html.Node, how naming) bool {
	switch {
	case !how.hiddenToo && isHidden(e):
		return false
	case !how.referred && n.isReferred(e), hasText(e, "aria-label"), n.saysByElement(e):
		return true
	case hasNoContentForNames(e):
	case n.contentSays(e, how):
		return true
	}
	return hasText(e, "title")
}

// saysByElement reports whether an element has a text of its own kind: an image its alt, a control its value.
func (n *namer) saysByElement(e *html.Node) bool {
	switch {
	case e.Namespace != "":
		return e.Namespace == "svg" && hasTitleChild(e)
	case e.DataAtom == atom.Img:
		role, _ := attribute(e, "role")
		return hasText(e, "alt") && explicitRole(e, role) != "none"
	case e.DataAtom == atom.Input:
		switch inputKind(e) {
		case "checkbox", "radio", "hidden", "password":
			return false
		case "image":
			return hasText(e, "alt")
		case "submit", "reset":
			return n.isNamedByElement(e)
		}
		return hasText(e, "value")
	}
	return false
}

// hasNoContentForNames reports whether what is in an element is no text of the page.
func hasNoContentForNames(e *html.Node) bool {
	if e.Namespace == "svg" {
		return slices.Contains([]string{"title", "desc", "defs", "metadata", "style", "script", "symbol"}, e.Data)
	}
	switch e.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Iframe, atom.Object, atom.Video, atom.Audio, atom.Canvas, atom.Select,
		atom.Datalist, atom.Head, atom.Title, atom.Noembed, atom.Noframes:
		return true
	}
	return false
}

// hasTitleChild reports whether an element of SVG has a title element of its own, which names it (SVG-AAM).
func hasTitleChild(e *html.Node) bool {
	for c := e.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && c.Data == "title" {
			return hasTextInside(c)
		}
	}
	return false
}

// hasTextInside reports whether there is text in an element, at any depth.
func hasTextInside(e *html.Node) bool {
	for c := e.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && !isBlank(c.Data) || c.Type == html.ElementNode && hasTextInside(c) {
			return true
		}
	}
	return false
}

// takesPlaceholder reports whether browsers name an element by its placeholder when nothing else does: where text is typed.
func takesPlaceholder(e *html.Node) bool {
	switch e.DataAtom {
	case atom.Textarea:
		return true
	case atom.Input:
		switch inputKind(e) {
		case "button", "submit", "reset", "image", "checkbox", "radio", "file", "color", "range", "hidden":
			return false
		}
		return true
	}
	return false
}

// inputKind returns the type of an input in lower case; "text" where it says nothing.
func inputKind(e *html.Node) string {
	kind, _ := attribute(e, "type")
	if kind = strings.ToLower(strings.TrimSpace(kind)); kind != "" {
		return kind
	}
	return "text"
}

// isHiddenInTree reports whether an element is hidden from assistive technology, by itself or by what is around it.
func isHiddenInTree(e *html.Node) bool {
	for ; e != nil; e = e.Parent {
		if e.Type == html.ElementNode && isHidden(e) {
			return true
		}
	}
	return false
}

// isHidden reports whether an element itself hides its content from assistive technology.
func isHidden(e *html.Node) bool {
	for i := range e.Attr {
		if hides(&e.Attr[i]) {
			return true
		}
	}
	if e.DataAtom == atom.Dialog {
		_, open := attribute(e, "open")
		return !open
	}
	return false
}

// hides reports whether an attribute hides its element from assistive technology.
func hides(a *html.Attribute) bool {
	switch a.Key {
	case "hidden", "popover", "inert":
		return true
	case "aria-hidden":
		return strings.EqualFold(a.Val, "true")
	case "style":
		return hidesByStyle(a.Val)
	}
	return false
}

// hasText reports whether an element has an attribute with more than white space in it.
func hasText(e *html.Node, name string) bool {
	value, _ := attribute(e, name)
	return !isBlank(value)
}
