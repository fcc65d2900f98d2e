package page

import (
	"errors"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitegrade/weburl"
)

// headElement collects the elements that belong in a head, wherever they are.
func (w *walker) headElement(e Element, p scope) {
	switch e.node.DataAtom {
	case atom.Title:
		t := Title{Element: e, Text: Fold(textOf(e.node)), InHead: p.inHead}
		w.d.Titles = keep(w.d.Titles, t)
		if !p.inHead {
			w.d.Misplaced = keep(w.d.Misplaced, e)
		}
	case atom.Meta:
		w.meta(e, p)
	case atom.Link:
		w.link(e, p)
	case atom.Script:
		w.script(e, p)
	case atom.Style:
		style := textOf(e.node)
		w.d.Styles = keep(w.d.Styles, style)
		w.d.InlineStyle.Bytes += len(style)
	}
}

// textOf returns the text of an element that contains nothing but text.
func textOf(n *html.Node) string {
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
		return ""
	}
	return n.FirstChild.Data
}

// Text returns what is written inside the script element.
func (s Script) Text() string { return textOf(s.node) }

var errLargeJSONLD = errors.New("the page has too much of it")

// jsonLD decodes a block of JSON-LD, unless the blocks of the page are over maxJSONLD by now.
func (w *walker) jsonLD(e Element) JSONLD {
	block, text := JSONLD{Element: e}, textOf(e.node)
	if w.json += len(text); w.json > maxJSONLD {
		block.Err = errLargeJSONLD
		return block
	}
	block.value, block.Err = decodeJSON(text)
	return block
}

func (w *walker) meta(e Element, p scope) {
	m := Meta{Element: e, InBody: !p.inHead}
	for _, a := range e.node.Attr {
		switch a.Key {
		case "name":
			m.Name = strings.ToLower(a.Val) // untrimmed: with white space it is a different name to browsers and search engines
		case "property":
			m.Property = strings.ToLower(strings.TrimSpace(a.Val))
		case "http-equiv":
			m.HTTPEquiv = strings.ToLower(strings.TrimSpace(a.Val))
		case "content":
			m.Content = a.Val
		case "charset":
			m.Charset = a.Val
		}
	}
	w.d.Metas = keep(w.d.Metas, m)
	if m.InBody && (m.Name != "" || m.HTTPEquiv != "" || m.Charset != "") {
		w.d.Misplaced = keep(w.d.Misplaced, e)
	}
}

func (w *walker) link(e Element, p scope) {
	l := Link{Element: e, InBody: !p.inHead}
	disabled := false
	for _, a := range e.node.Attr {
		switch a.Key {
		case "rel":
			l.Rel = strings.Fields(strings.ToLower(a.Val))
		case "href":
			l.Href, l.HasHref = a.Val, true
		case "hreflang":
			l.Hreflang = a.Val
		case "type":
			l.MIME = strings.ToLower(strings.TrimSpace(a.Val))
		case "disabled":
			disabled = true
		}
	}
	if l.HasHref {
		l.URL = weburl.Resolve(w.d.Base, l.Href)
	}
	w.d.Links = keep(w.d.Links, l)
	if l.InBody && (slices.Contains(l.Rel, "canonical") || l.Hreflang != "" && slices.Contains(l.Rel, "alternate")) {
		w.d.Misplaced = keep(w.d.Misplaced, e)
	}
	if slices.Contains(l.Rel, "stylesheet") && l.HasHref {
		w.d.Stylesheets = keep(w.d.Stylesheets, Stylesheet{Element: e, URL: l.URL, Disabled: disabled || slices.Contains(l.Rel, "alternate")})
	}
}

// hasIntegrity reports whether an integrity attribute has a hash that browsers know. They load what has no such hash as if it were not
// there (Subresource Integrity, "parse metadata").
func hasIntegrity(value string) bool {
	for word := range strings.FieldsSeq(value) {
		algorithm, hash, _ := strings.Cut(strings.ToLower(word), "-")
		if hash != "" && (algorithm == "sha256" || algorithm == "sha384" || algorithm == "sha512") {
			return true
		}
	}
	return false
}

func (w *walker) script(e Element, p scope) {
	s, src := Script{Element: e, InHead: p.inHead}, ""
	for _, a := range e.node.Attr {
		switch a.Key {
		case "src":
			src, s.HasSrc = a.Val, true
		case "type":
			s.MIME = strings.ToLower(strings.TrimSpace(a.Val))
		case "async":
			s.Async = true
		case "defer":
			s.Deferred = true
		case "integrity":
			s.Integrity = hasIntegrity(a.Val)
		}
	}
	s.Module = s.MIME == "module"
	if s.HasSrc {
		s.URL = weburl.Resolve(w.d.Base, src)
	}
	if s.MIME == "application/ld+json" {
		w.d.JSONLD = keep(w.d.JSONLD, w.jsonLD(e))
		return
	}
	w.d.Scripts = keep(w.d.Scripts, s)
}
