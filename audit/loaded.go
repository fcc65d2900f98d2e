package audit

import (
	"strings"

	"sitegrade/audit/page"
	"sitegrade/weburl"
)

// linked is something that a browser loads for the page.
type linked struct {
	page.Element
	kind linkedKind
	url  *weburl.URL // nil when it could not be resolved
}

type linkedKind uint8

const (
	linkedScript linkedKind = iota
	linkedStylesheet
	linkedImage
	linkedFrame
	linkedMedia // video, audio, object, embed, track
	linkedHead  // icons, manifest, preloads
)

// isAsset reports whether it is of a kind that is sampled.
func (l linked) isAsset() bool {
	return l.kind == linkedScript || l.kind == linkedStylesheet || l.kind == linkedImage
}

// loadedRels are the relations of link elements that browsers load beside stylesheets.
var loadedRels = map[string]bool{
	"icon": true, "apple-touch-icon": true, "mask-icon": true, "manifest": true, "preload": true, "modulepreload": true,
}

// linked returns everything that browsers load for the page, kind by kind, in the order of the page. A data: address is
// part of the page itself and left out.
func (f *facts) linked() []linked {
	var all []linked
	add := func(e page.Element, kind linkedKind, u *weburl.URL) {
		if u == nil || u.Scheme() == "http" || u.Scheme() == "https" {
			all = append(all, linked{e, kind, u})
		}
	}
	for _, s := range f.doc.Scripts {
		if s.HasSrc && isJavaScript(s.MIME) {
			add(s.Element, linkedScript, s.URL)
		}
	}
	for _, s := range f.doc.Stylesheets {
		if !s.Disabled {
			add(s.Element, linkedStylesheet, s.URL)
		}
	}
	for _, i := range f.doc.Images {
		if i.Src != "" {
			add(i.Element, linkedImage, i.URL)
		}
	}
	for _, i := range f.doc.Frames {
		if i.Src != "" {
			add(i.Element, linkedFrame, i.URL)
		}
	}
	for _, o := range f.doc.Embeds {
		if o.Src != "" {
			add(o.Element, linkedMedia, o.URL)
		}
	}
	for _, l := range f.doc.Links {
		if l.Href != "" && hasAny(l.Rel, loadedRels) {
			add(l.Element, linkedHead, l.URL)
		}
	}
	return all
}

func hasAny(words []string, wanted map[string]bool) bool {
	for _, w := range words {
		if wanted[w] {
			return true
		}
	}
	return false
}

// isJavaScript reports whether browsers run a script element with this type (WHATWG MIME Sniffing, JavaScript MIME types).
func isJavaScript(mime string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	switch strings.TrimSpace(mime) {
	case "", "module", "text/javascript", "application/javascript", "application/x-javascript", "text/ecmascript",
		"application/ecmascript", "text/x-javascript", "text/jscript", "text/livescript", "application/x-ecmascript",
		"text/javascript1.0", "text/javascript1.1", "text/javascript1.2", "text/javascript1.3", "text/javascript1.4",
		"text/javascript1.5", "text/x-ecmascript":
		return true
	}
	return false
}
