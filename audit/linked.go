package audit

import (
	"fmt"
	"strings"

	"sitegrade/weburl"
)

// linked is something that a browser loads for the page.
type linked struct {
	element
	kind linkedKind
	src  string      // as written
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

// linked returns everything that the page makes a browser load, kind by kind, in the order of the document. A data: address is
// part of the page itself and left out.
func (f *facts) linked() []linked {
	var all []linked
	add := func(e element, kind linkedKind, src string, u *weburl.URL) {
		if u == nil || u.Scheme() == "http" || u.Scheme() == "https" {
			all = append(all, linked{e, kind, src, u})
		}
	}
	for _, s := range f.doc.scripts {
		if s.hasSrc && isJavaScript(s.mime) {
			add(s.element, linkedScript, s.src, s.url)
		}
	}
	for _, s := range f.doc.stylesheets {
		if !s.disabled {
			add(s.element, linkedStylesheet, s.href, s.url)
		}
	}
	for _, i := range f.doc.images {
		if i.src != "" {
			add(i.element, linkedImage, i.src, i.url)
		}
	}
	for _, i := range f.doc.frames {
		if i.src != "" {
			add(i.element, linkedFrame, i.src, i.url)
		}
	}
	for _, o := range f.doc.others {
		if o.src != "" {
			add(o.element, linkedMedia, o.src, o.url)
		}
	}
	for _, l := range f.doc.links {
		if l.href != "" && hasAny(l.rel, loadedRels) {
			add(l.element, linkedHead, l.href, l.url)
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

// byteCount returns a number of bytes for people: "812 bytes", "120.5 kB", "2.1 MB"; decimal, as the thresholds are.
func byteCount(n int64) string {
	switch {
	case n < 1000:
		return plural(int(n), "byte", "bytes")
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1000)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1_000_000)
}
