package audit

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

func (w *walker) image(e element, p scope) {
	m := image{element: e, sources: p.picture, hidden: p.unexposed, unplaced: p.hidden}
	presentational, focusable := false, false
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		switch a.Key {
		case "src":
			m.src = a.Val
		case "srcset":
			m.srcset = a.Val
		case "alt":
			m.alt, m.hasAlt = a.Val, true
		case "loading":
			m.lazy = strings.EqualFold(a.Val, "lazy")
		case "width":
			m.hasWidth = m.hasWidth || isDimension(a.Val)
		case "height":
			m.hasHeight = m.hasHeight || isDimension(a.Val)
		case "style":
			m.sizeByStyle(a.Val)
		case "title", "aria-label":
			m.named = m.named || !isBlank(a.Val)
		case "aria-labelledby":
			m.refs = a.Val
		case "role":
			role := strings.ToLower(strings.TrimSpace(a.Val))
			presentational = role == "none" || role == "presentation"
		case "tabindex":
			_, focusable = leadingInteger(a.Val)
		}
	}
	m.hidden = m.hidden || presentational && !focusable // a role does not hide what people can focus
	if !p.unexposed && (!isBlank(m.alt) || m.named) {
		w.named++
	}
	w.d.total.images++
	if len(w.d.images) < maxStored {
		if m.src != "" {
			m.url = weburl.Resolve(w.d.base, m.src)
		}
		w.d.images = append(w.d.images, m)
	}
}

// isDimension reports whether browsers read a width or height attribute: it begins with a digit.
func isDimension(value string) bool {
	value = strings.TrimLeft(value, " \t\n\f\r")
	return value != "" && '0' <= value[0] && value[0] <= '9'
}

// sizeByStyle reads from a style attribute what it says of the room that the image takes.
func (m *image) sizeByStyle(style string) {
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(strings.ToLower(value), "!")
		value = strings.TrimSpace(value)
		switch value {
		case "", "auto", "initial", "unset", "inherit":
			continue
		}
		switch strings.ToLower(strings.TrimSpace(property)) {
		case "width":
			m.hasWidth = true
		case "height":
			m.hasHeight = true
		case "aspect-ratio":
			m.hasRatio = true
		case "position":
			m.unplaced = m.unplaced || value == "absolute" || value == "fixed"
		}
	}
}

// isSized reports whether browsers know the room of the image before they have it: two of width, height and ratio tell it.
func (m image) isSized() bool {
	return m.hasWidth && m.hasHeight || m.hasRatio && (m.hasWidth || m.hasHeight)
}

// pictureSources returns the type and the srcset of each source of a picture, in this order.
func pictureSources(picture *html.Node) []string {
	var sources []string
	for n := picture.FirstChild; n != nil; n = n.NextSibling {
		if n.Type != html.ElementNode || n.DataAtom != atom.Source {
			continue
		}
		mime, _ := attribute(n, "type")
		srcset, _ := attribute(n, "srcset")
		sources = append(sources, strings.ToLower(strings.TrimSpace(mime)), srcset)
	}
	return sources
}
