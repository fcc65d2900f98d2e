package audit

import (
	"sitegrade/weburl"
)

// maxAlternates is how many language versions are looked at.
const maxAlternates = 10

// uses returns the addresses that the page names in one way, each once, in the order of the document. Addresses that cannot be
// asked for are left out.
func (r *run) uses(kind resourceKind) []use {
	c := &useCollector{kind: kind, doc: r.facts.doc, limit: r.options.Samples, known: map[string]bool{}}
	switch kind {
	case stylesheetResource:
		for _, s := range r.facts.doc.stylesheets {
			if !s.disabled {
				c.add(s.url, s.element)
			}
		}
	case scriptResource:
		for _, s := range r.facts.doc.scripts {
			if s.hasSrc && isJavaScript(s.mime) {
				c.add(s.url, s.element)
			}
		}
	case imageResource:
		for _, i := range r.facts.doc.images {
			c.add(i.url, i.element)
		}
	case internalLink, externalLink:
		r.collectLinks(c)
	case canonicalTarget, hreflangTarget:
		r.collectVersions(c)
	}
	return c.found
}

// useCollector keeps the first use of each address.
type useCollector struct {
	kind  resourceKind
	doc   *document
	limit int // how many to keep
	known map[string]bool
	found []use
}

func (c *useCollector) add(u *weburl.URL, e element) {
	if c.isNew(u) {
		evidence := evidenceOf(c.doc, e)
		evidence.URL = shownAddress(u)
		c.found = append(c.found, use{c.kind, u, evidence})
	}
}

// isNew notes an address, and tells whether it is wanted, can be asked for and was not met before.
func (c *useCollector) isNew(u *weburl.URL) bool {
	if u == nil || len(c.found) == c.limit || u.Check() != nil || c.known[u.WithoutFragment().String()] {
		return false
	}
	c.known[u.WithoutFragment().String()] = true
	return true
}

// collectLinks adds the links to the page's own host or, if they are to be checked, to others. The page itself is known already,
// and links that robots.txt keeps from us are left alone.
func (r *run) collectLinks(c *useCollector) {
	internal := c.kind == internalLink
	if !internal && !r.options.CheckExternal {
		return
	}
	c.known[r.facts.final.WithoutFragment().String()] = true
	rules := r.facts.site.rules.rulesFor(robotsToken)
	for _, a := range r.facts.doc.anchors {
		if a.url == nil || (a.url.Host() == r.facts.final.Host()) != internal {
			continue
		}
		if !internal || rules.allow(a.url) {
			c.add(a.url, a.element)
		}
	}
}

// collectVersions adds the canonical address of the page or its versions in other languages, from the head and from Link
// headers, without the page itself.
func (r *run) collectVersions(c *useCollector) {
	c.known[r.facts.final.WithoutFragment().String()] = true
	if c.kind == canonicalTarget {
		if u := r.facts.canonicalAddress(); c.isNew(u) {
			c.found = append(c.found, use{c.kind, u, Evidence{URL: shownAddress(u)}})
		}
		return
	}
	c.limit = min(c.limit, maxAlternates)
	for _, l := range r.facts.alternates() {
		if c.isNew(l.url) {
			c.found = append(c.found, use{c.kind, l.url, l.show(c.doc)})
		}
	}
}
