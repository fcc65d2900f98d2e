package page

import (
	"strings"

	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

func (w *walker) anchor(e Element, p scope) {
	a := Anchor{Element: e, Lang: p.lang, Hidden: p.hidden, Unexposed: p.unexposed}
	for i := range e.node.Attr {
		at := &e.node.Attr[i]
		switch at.Key {
		case "href": // xlink:href in SVG has the same key and a namespace
			a.Href, a.HasHref = at.Val, true
		case "rel":
			a.Rel = strings.Fields(strings.ToLower(at.Val))
			a.Linkish = true
		case "target", "download", "ping", "hreflang", "type", "referrerpolicy":
			a.Linkish = true
		case "role":
			a.Role = strings.TrimSpace(at.Val)
		case "id":
			a.HasID = !isBlank(at.Val)
		case "name":
			a.HasName = !isBlank(at.Val)
		case "onclick":
			a.Clickable = true
		}
	}
	a.at = w.text(e.node, p)
	if a.HasHref {
		w.d.Total.Links++
	}
	if len(w.d.Anchors) < MaxStored {
		if a.HasHref {
			a.URL = weburl.Resolve(w.d.Base, a.Href)
		}
		w.d.Anchors = append(w.d.Anchors, a)
	}
}

func isHeading(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// newHeading reads the attributes of a heading. An element h1 to h6 with another role than heading counts as hidden.
func newHeading(e Element, p scope) Heading {
	const unsaid = 2 // the rank of an element with role=heading and no aria-level
	h := Heading{Element: e, Rank: unsaid, Hidden: p.unexposed || p.role != "" && p.role != "heading", unexposed: p.unexposed}
	if isHeading(e.node.DataAtom) {
		h.Level = int(e.node.Data[1] - '0')
		h.Rank = h.Level
	}
	for i := range e.node.Attr {
		switch a := &e.node.Attr[i]; a.Key {
		case "aria-level":
			if n, ok := leadingInteger(a.Val); ok && n > 0 {
				h.Rank = n
			}
		}
	}
	return h
}

func (w *walker) heading(e Element, p scope) {
	h := newHeading(e, p)
	h.at = w.text(e.node, p)
	w.d.Headings = keep(w.d.Headings, h)
}

// embedded collects what is loaded into the page.
func (w *walker) embedded(e Element, p scope) {
	switch e.node.DataAtom {
	case atom.Img:
		w.image(e, p)
	case atom.Picture:
		p.picture = pictureSources(e.node)
	case atom.Source, atom.Embed, atom.Audio:
		w.embed(e, "src")
	case atom.Track:
		w.track(e, p)
		w.embed(e, "src")
	case atom.Object:
		w.embed(e, "data")
	case atom.Video:
		w.embed(e, "src")
		_, muted := attribute(e.node, "muted")
		_, controls := attribute(e.node, "controls")
		w.d.Videos = keep(w.d.Videos, Video{Element: e, Muted: muted && !controls || p.unexposed})
		p.video = len(w.d.Videos)
	case atom.Iframe, atom.Frame:
		w.frame(e, p)
	}
	p.hidden = p.hidden || e.node.DataAtom != atom.Picture && e.node.DataAtom != atom.Img
	w.children(e.node, p)
}

func (w *walker) embed(e Element, attr string) {
	if src, ok := attribute(e.node, attr); ok {
		w.d.Embeds = keep(w.d.Embeds, Embed{Element: e, Src: src, URL: weburl.Resolve(w.d.Base, src)})
	}
}

func (w *walker) track(e Element, p scope) {
	if kind, _ := attribute(e.node, "kind"); p.video > 0 && strings.EqualFold(kind, "captions") {
		w.d.Videos[p.video-1].Captions = true
	}
}

func (w *walker) frame(e Element, p scope) {
	if e.node.DataAtom == atom.Frame {
		w.deprecated(e)
	}
	f := Frame{Element: e, Hidden: p.unexposed || p.role == "none"}
	f.Src, _ = attribute(e.node, "src")
	tabindex, _ := attribute(e.node, "tabindex")
	if n, ok := leadingInteger(tabindex); ok && n < 0 {
		f.Hidden = true
	}
	w.d.Total.Frames++
	if len(w.d.Frames) < MaxStored {
		if f.Src != "" {
			f.URL = weburl.Resolve(w.d.Base, f.Src)
		}
		w.d.Frames = append(w.d.Frames, f)
	}
}
