package audit

import (
	"strings"

	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

func (w *walker) anchor(e element, p scope) {
	a := anchor{element: e, lang: p.lang, hidden: p.hidden, unexposed: p.unexposed}
	for i := range e.node.Attr {
		at := &e.node.Attr[i]
		switch at.Key {
		case "href": // xlink:href in SVG has the same key and a namespace
			a.href, a.hasHref = at.Val, true
		case "rel":
			a.rel = strings.Fields(strings.ToLower(at.Val))
			a.linkish = true
		case "target":
			a.target, a.linkish = at.Val, true
		case "download", "ping", "hreflang", "type", "referrerpolicy":
			a.linkish = true
		case "role":
			a.role = strings.TrimSpace(at.Val)
		case "id":
			a.hasID = !isBlank(at.Val)
		case "name":
			a.hasName = !isBlank(at.Val)
		case "onclick":
			a.clickable = true
		case "aria-labelledby":
			a.refs = at.Val
		case "aria-label", "title":
			a.named = a.named || !isBlank(at.Val)
		}
	}
	named := w.named
	a.from = w.visible.len()
	w.children(e.node, p)
	a.to = w.visible.len()
	a.named = a.named || w.named > named
	if a.hasHref {
		w.d.total.links++
	}
	if len(w.d.anchors) < maxStored {
		if a.hasHref {
			a.url = weburl.Resolve(w.d.base, a.href)
		}
		w.d.anchors = append(w.d.anchors, a)
	}
}

func isHeading(a atom.Atom) bool {
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}

// newHeading reads what a heading says of itself. Its role is heading or none; another one makes it something else.
func newHeading(e element, p scope) heading {
	const unsaid = 2 // the rank of a role heading without aria-level
	h := heading{element: e, rank: unsaid, hidden: p.unexposed || p.role != "" && p.role != "heading"}
	if isHeading(e.node.DataAtom) {
		h.level = int(e.node.Data[1] - '0')
		h.rank = h.level
	}
	for i := range e.node.Attr {
		switch a := &e.node.Attr[i]; a.Key {
		case "aria-level":
			if n, ok := leadingInteger(a.Val); ok && n > 0 {
				h.rank = n
			}
		case "aria-label", "title":
			h.named = h.named || !isBlank(a.Val)
		case "aria-labelledby":
			h.refs = a.Val
		}
	}
	return h
}

func (w *walker) heading(e element, p scope) {
	h := newHeading(e, p)
	named := w.named
	h.from = w.visible.len()
	w.children(e.node, p)
	h.to = w.visible.len()
	h.named = h.named || w.named > named
	w.d.total.headings++
	w.d.headings = keep(w.d.headings, h)
}

// embedded gathers from what is loaded into the page.
func (w *walker) embedded(e element, p scope) {
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
		w.d.videos = keep(w.d.videos, video{element: e, muted: muted || p.unexposed})
		p.video = len(w.d.videos)
	case atom.Iframe, atom.Frame:
		w.frame(e, p)
	}
	p.hidden = p.hidden || e.node.DataAtom != atom.Picture && e.node.DataAtom != atom.Img
	w.children(e.node, p)
}

func (w *walker) embed(e element, attr string) {
	if src, ok := attribute(e.node, attr); ok {
		w.d.others = keep(w.d.others, embed{element: e, attr: attr, src: src, url: weburl.Resolve(w.d.base, src)})
	}
}

func (w *walker) track(e element, p scope) {
	if kind, _ := attribute(e.node, "kind"); p.video > 0 && strings.EqualFold(strings.TrimSpace(kind), "captions") {
		w.d.videos[p.video-1].captions = true
	}
}

func (w *walker) frame(e element, p scope) {
	if e.node.DataAtom == atom.Frame {
		w.deprecated(e)
	}
	f := frame{element: e, hidden: p.unexposed}
	f.src, _ = attribute(e.node, "src")
	f.title, f.hasTitle = attribute(e.node, "title")
	label, _ := attribute(e.node, "aria-label")
	f.refs, _ = attribute(e.node, "aria-labelledby")
	f.named = !isBlank(f.title) || !isBlank(label)
	tabindex, _ := attribute(e.node, "tabindex")
	if n, ok := leadingInteger(tabindex); ok && n < 0 {
		f.hidden = true
	}
	w.d.total.frames++
	if len(w.d.frames) < maxStored {
		if f.src != "" {
			f.url = weburl.Resolve(w.d.base, f.src)
		}
		w.d.frames = append(w.d.frames, f)
	}
}
