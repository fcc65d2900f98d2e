package audit

import (
	"net/url"
	"slices"
)

// declared is a canonical or an alternate of the page, from its head or from a Link header.
type declared struct {
	element  element // without a node when it comes from a header
	href     string  // as written
	url      *url.URL
	hreflang string // as written
}

// canonicals gives what the page calls its canonical address: the links of the head, then those of Link headers. As with
// Google, canonical has to be the only relation of a link in head, and one without an address counts for nothing.
func (f *facts) canonicals() []declared {
	var found []declared
	for _, l := range f.doc.links {
		if !l.inBody && len(l.rel) == 1 && l.rel[0] == "canonical" && l.href != "" {
			found = append(found, declared{element: l.element, href: l.href, url: l.url})
		}
	}
	for _, l := range parseLinkHeader(f.response.header.Values("Link")) {
		if l.anchor == "" && slices.Contains(l.rel, "canonical") && l.target != "" {
			found = append(found, declared{href: l.target, url: resolve(f.final, l.target)})
		}
	}
	return found
}
