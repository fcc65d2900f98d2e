package audit

import (
	"sitegrade/audit/page"
	"sitegrade/weburl"
)

// maxAlternates is how many language versions are looked at.
const maxAlternates = 10

// uses returns the addresses that the page names in one way, each once, in the order of the document. Addresses that cannot be
// asked for are left out.
func (r *run) uses(kind resourceKind) []use {
	c := &useCollector{kind: kind, doc: r.facts.doc, limit: max(0, r.options.Samples), known: map[string]bool{}}
	switch kind {
	case stylesheetResource:
		for _, s := range r.facts.doc.Stylesheets {
			if !s.Disabled {
				c.add(s.URL, s.Element)
			}
		}
	case scriptResource:
		for _, s := range r.facts.doc.Scripts {
			if s.HasSrc && isJavaScript(s.MIME) {
				c.add(s.URL, s.Element)
			}
		}
	case imageResource:
		for _, i := range r.facts.doc.Images {
			c.add(i.URL, i.Element)
		}
	case internalLink, externalLink:
		r.collectLinks(c)
	case canonicalTarget, hreflangTarget:
		r.collectVersions(c)
	}
	r.facts.leftOut[kind] = c.leftOut
	return c.found
}

// useCollector keeps the first use of each address.
type useCollector struct {
	kind    resourceKind
	doc     *page.Document
	limit   int // how many to keep
	known   map[string]bool
	found   []use
	leftOut bool // whether there was one more
}

func (c *useCollector) add(u *weburl.URL, e page.Element) {
	if c.isNew(u) {
		evidence := evidenceOf(c.doc, e)
		evidence.URL = shownAddress(u)
		c.found = append(c.found, use{c.kind, u, evidence})
	}
}

// isNew notes an address, and tells whether it is wanted, can be asked for and was not met before.
func (c *useCollector) isNew(u *weburl.URL) bool {
	if u == nil || c.leftOut && len(c.found) == c.limit || u.Check() != nil || c.known[u.WithoutFragment().String()] {
		return false
	}
	if len(c.found) == c.limit {
		c.leftOut = true
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
	rules := r.facts.site.rules.RulesFor(robotsToken)
	for _, a := range r.facts.doc.Anchors {
		if a.URL == nil || (a.URL.Host() == r.facts.final.Host()) != internal {
			continue
		}
		if !internal || rules.Allow(a.URL) {
			c.add(a.URL, a.Element)
		} else {
			c.leftOut = true
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
