package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

func (w *walker) image(e Element, p scope) {
	m := Image{Element: e, Sources: p.picture, Room: Room{Unplaced: p.hidden}}
	for i := range e.node.Attr {
		a := &e.node.Attr[i]
		switch a.Key {
		case "src":
			m.Src = a.Val
		case "srcset":
			m.Srcset = a.Val
		case "alt":
			m.Alt, m.HasAlt = a.Val, true
		case "loading":
			m.Lazy = strings.EqualFold(a.Val, "lazy")
		case "width":
			m.HasWidth = m.HasWidth || isDimension(a.Val)
		case "height":
			m.HasHeight = m.HasHeight || isDimension(a.Val)
		case "style":
			m.sizeByStyle(a.Val)
		}
	}
	if len(w.d.Images) < MaxStored {
		if m.Src != "" {
			m.URL = weburl.Resolve(w.d.Base, m.Src)
		}
		w.d.Images = append(w.d.Images, m)
	}
}

// isDimension reports whether browsers accept the value of a width or height attribute: it has to begin with a digit.
func isDimension(value string) bool {
	value = strings.TrimLeft(value, " \t\n\f\r")
	return value != "" && '0' <= value[0] && value[0] <= '9'
}

// sizeByStyle reads how much room the image takes from its style attribute.
func (m *Image) sizeByStyle(style string) {
	for declaration := range strings.SplitSeq(style, ";") {
		property, value, _ := strings.Cut(declaration, ":")
		m.Declare(property, value)
	}
}

// Declare takes what a declaration of CSS says about the room.
func (r *Room) Declare(property, value string) {
	value, _, _ = strings.Cut(strings.ToLower(value), "!")
	value = strings.TrimSpace(value)
	switch value {
	case "", "auto", "initial", "unset", "inherit":
		return
	}
	switch strings.ToLower(strings.TrimSpace(property)) {
	case "width":
		r.HasWidth = true
	case "height":
		r.HasHeight = true
	case "aspect-ratio":
		r.HasRatio = true
	case "position":
		r.Unplaced = r.Unplaced || value == "absolute" || value == "fixed"
	}
}

// And returns what is known of the room by both.
func (r Room) And(other Room) Room {
	return Room{
		r.HasWidth || other.HasWidth, r.HasHeight || other.HasHeight, r.HasRatio || other.HasRatio, r.Unplaced || other.Unplaced,
	}
}

// IsSized reports whether browsers can reserve room for the image before it is loaded, which takes two of width, height and ratio.
func (r Room) IsSized() bool {
	return r.HasWidth && r.HasHeight || r.HasRatio && (r.HasWidth || r.HasHeight)
}

// pictureSources returns the type and the srcset of each source of a picture, in turn.
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
