package crawl

import (
	"strconv"

	"sitegrade/audit"
	"sitegrade/audit/page"
)

// deepest is how many clicks from the start a page is at most that people and search engines come by often.
const deepest = 4

// reached reports for each address whether a page links to it, or to an address that redirects there.
func (g *graph) reached() []bool {
	if g.isReached != nil {
		return g.isReached
	}
	g.isReached = make([]bool, len(g.addresses))
	for _, n := range g.pages {
		for l := range g.found(n).eachLink() {
			if g.isReached[l.target] {
				continue
			}
			g.isReached[l.target] = true
			for _, hop := range g.routeFrom(l.target).hops {
				g.isReached[hop] = true
			}
		}
	}
	return g.isReached
}

// findOrphans names the pages of sitemaps that no link leads to. Where a limit kept the crawl from pages, one of these may link them, and
// nothing can be said.
func findOrphans(f *finder) {
	if unasked, deep := f.leftOut(); unasked > 0 || deep > 0 || f.left.unknown > 0 {
		return
	}
	reached := f.reached()
	for _, n := range f.indexable() {
		if a := &f.addresses[n]; !a.is(isListed) || a.is(isStart) {
			continue
		}
		f.looked++
		if !reached[n] {
			f.name(n, 0)
		}
	}
}

// findDeadEnds names the pages from which nothing leads on within the site.
func findDeadEnds(f *finder) {
	for _, n := range f.indexable() {
		f.looked++
		if seen := f.found(n); len(seen.links) == 0 && !seen.forgot {
			f.name(n, 0)
		}
	}
}

// findDeepPages names the pages that are many clicks away.
func findDeepPages(f *finder) {
	for _, n := range f.indexable() {
		if f.depth[n] < 0 {
			continue
		}
		f.looked++
		if f.depth[n] > deepest {
			f.name(n, int(f.inlinks[n]), f.showSources(f.sources()[n])...)
		}
	}
}

// leadsNowhere reports whether an address is broken, itself or after its redirects.
func (g *graph) leadsNowhere(n id) bool {
	r := g.routeFrom(n)
	return !r.loop && g.isBroken(r.end(n))
}

// targets returns the addresses of the site that the pages link and that were asked for.
func (g *graph) targets() []id {
	var all []id
	sources := g.sources()
	for _, n := range g.order {
		if len(sources[n]) > 0 && g.found(n) != nil {
			all = append(all, n)
		}
	}
	return all
}

// findBroken names the addresses that links lead to in vain.
func findBroken(f *finder) {
	for _, n := range f.targets() {
		f.looked++
		if f.leadsNowhere(n) {
			f.name(n, int(f.inlinks[n]), f.showSources(f.sources()[n])...)
		}
	}
}

// A link is sitewide that has the same text on so many pages, and on such a share of them.
const (
	sitewidePages = 10
	sitewideShare = 5 // one page of so many
)

// findSitewide names the broken addresses that one link of many pages leads to.
func findSitewide(f *finder) {
	type same struct {
		target id
		text   uint32
	}
	type use struct {
		count int
		last  id
		first []source
	}
	broken := map[id]bool{}
	for _, n := range f.targets() {
		f.looked++
		if f.leadsNowhere(n) {
			broken[n] = true
		}
	}
	uses := map[same]*use{}
	for _, n := range f.pages {
		for l := range f.found(n).eachLink() {
			if !broken[l.target] {
				continue
			}
			u := uses[same{l.target, l.text}]
			if u == nil {
				u = &use{last: noID}
				uses[same{l.target, l.text}] = u
			}
			if u.last == n {
				continue
			}
			u.last = n
			u.count++
			if len(u.first) < shownSources {
				u.first = append(u.first, source{n, l.text, int32(l.line)})
			}
		}
	}
	most := map[id]*use{}
	for s, u := range uses {
		if b := most[s.target]; b == nil || u.count > b.count || u.count == b.count && f.texts.all[u.first[0].text] < f.texts.all[b.first[0].text] {
			most[s.target] = u
		}
	}
	for _, n := range f.targets() {
		if u := most[n]; u != nil && u.count >= sitewidePages && sitewideShare*u.count >= len(f.pages) {
			f.whole = true
			f.name(n, u.count, f.showSources(u.first)...)
		}
	}
}

// findUnnamed names the addresses that a link without an accessible name leads to: whoever hears the page does not hear where it leads.
func findUnnamed(f *finder) {
	unnamed := f.sourcesOf(func(l link) bool { return l.unnamed })
	sources := f.sources()
	for _, n := range f.linked() {
		if len(sources[n]) == 0 {
			continue
		}
		f.looked++
		if len(unnamed[n]) > 0 {
			f.name(n, len(unnamed[n]), f.showSources(unnamed[n])...)
		}
	}
}

// named returns the addresses that were asked for and that pages link or sitemaps list.
func (g *graph) namedByOthers() []id {
	var all []id
	sources := g.sources()
	for _, n := range g.order {
		if g.found(n) != nil && g.isPart[n] && (len(sources[n]) > 0 || g.addresses[n].is(isListed)) {
			all = append(all, n)
		}
	}
	return all
}

// showRoute points at the addresses that redirects lead over, and then at the pages that link the first one.
func (g *graph) showRoute(n id, r route) []audit.Evidence {
	shown := g.at(r.hops...)
	for i := range shown {
		if seen := g.found(r.hops[i]); seen != nil {
			shown[i].Snippet = page.CutSnippet(strconv.Itoa(int(seen.status)))
		}
	}
	return append(shown, g.showSources(g.sources()[n])...)
}

// findRedirectChains names the addresses from which two redirects or more lead on.
func findRedirectChains(f *finder) {
	for _, n := range f.namedByOthers() {
		f.looked++
		if r := f.routeFrom(n); !r.loop && len(r.hops) > 1 {
			f.name(n, len(r.hops), f.showRoute(n, r)...)
		}
	}
}

// findRedirectLoops names the addresses whose redirects lead nowhere.
func findRedirectLoops(f *finder) {
	for _, n := range f.namedByOthers() {
		f.looked++
		if r := f.routeFrom(n); r.loop {
			f.name(n, len(r.hops), f.showRoute(n, r)...)
		}
	}
}
