package audit

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// headElement gathers from the elements that belong to a head, wherever they stand.
func (w *walker) headElement(e element, p scope) {
	switch e.node.DataAtom {
	case atom.Title:
		t := title{element: e, text: fold(textOf(e.node)), inHead: p.inHead}
		w.d.titles = keep(w.d.titles, t)
		if !p.inHead {
			w.d.misplaced = keep(w.d.misplaced, e)
		}
	case atom.Meta:
		w.meta(e, p)
	case atom.Link:
		w.link(e, p)
	case atom.Script:
		w.script(e, p)
	case atom.Style:
		w.d.inlineStyle.bytes += len(textOf(e.node))
	}
}

// textOf returns the text of an element that has nothing else in it.
func textOf(n *html.Node) string {
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
		return ""
	}
	return n.FirstChild.Data
}

var errLargeJSONLD = errors.New("it is too large to be read")

// jsonLD reads a block of structured data, unless the page has had too much of it.
func (w *walker) jsonLD(e element) jsonLD {
	block := jsonLD{element: e, text: textOf(e.node)}
	if w.json += len(block.text); w.json > maxJSONLD {
		block.err = errLargeJSONLD
		return block
	}
	block.err = json.Unmarshal([]byte(block.text), &block.value)
	return block
}

func (w *walker) meta(e element, p scope) {
	m := meta{element: e, inBody: !p.inHead}
	for _, a := range e.node.Attr {
		switch a.Key {
		case "name":
			m.name = strings.ToLower(a.Val) // with white space it is another name to browsers and search engines
		case "property":
			m.property = strings.ToLower(strings.TrimSpace(a.Val))
		case "http-equiv":
			m.httpEquiv = strings.ToLower(strings.TrimSpace(a.Val))
		case "content":
			m.content = a.Val
		case "charset":
			m.charset = a.Val
		}
	}
	w.d.metas = keep(w.d.metas, m)
	if m.inBody && (m.name != "" || m.httpEquiv != "" || m.charset != "") {
		w.d.misplaced = keep(w.d.misplaced, e)
	}
}

func (w *walker) link(e element, p scope) {
	l := headLink{element: e, inBody: !p.inHead}
	disabled, integrity := false, false
	for _, a := range e.node.Attr {
		switch a.Key {
		case "rel":
			l.rel = strings.Fields(strings.ToLower(a.Val))
		case "href":
			l.href, l.hasHref = a.Val, true
		case "hreflang":
			l.hreflang = a.Val
		case "type":
			l.mime = strings.ToLower(strings.TrimSpace(a.Val))
		case "media":
			l.media = a.Val
		case "sizes":
			l.sizes = a.Val
		case "disabled":
			disabled = true
		case "integrity":
			integrity = a.Val != ""
		}
	}
	if l.hasHref {
		l.url = weburl.Resolve(w.d.base, l.href)
	}
	w.d.links = keep(w.d.links, l)
	if l.inBody && (slices.Contains(l.rel, "canonical") || l.hreflang != "" && slices.Contains(l.rel, "alternate")) {
		w.d.misplaced = keep(w.d.misplaced, e)
	}
	if slices.Contains(l.rel, "stylesheet") && l.hasHref {
		w.d.total.stylesheets++
		w.d.stylesheets = keep(w.d.stylesheets, stylesheet{
			element: e, href: l.href, url: l.url, media: l.media, inHead: p.inHead, integrity: integrity,
			disabled: disabled || slices.Contains(l.rel, "alternate"),
		})
	}
}

func (w *walker) script(e element, p scope) {
	s := script{element: e, inHead: p.inHead}
	for _, a := range e.node.Attr {
		switch a.Key {
		case "src":
			s.src, s.hasSrc = a.Val, true
		case "type":
			s.mime = strings.ToLower(strings.TrimSpace(a.Val))
		case "async":
			s.async = true
		case "defer":
			s.deferred = true
		case "integrity":
			s.integrity = a.Val != ""
		}
	}
	s.module = s.mime == "module"
	if s.hasSrc {
		s.url = weburl.Resolve(w.d.base, s.src)
	} else {
		s.size = len(textOf(e.node))
	}
	if s.mime == "application/ld+json" {
		w.d.jsonLD = keep(w.d.jsonLD, w.jsonLD(e))
		return
	}
	w.d.total.scripts++
	w.d.scripts = keep(w.d.scripts, s)
}
