package crawl

import "sitegrade/audit"

// checks are the checks across pages, in the order of audit.SiteChecks. Each counts what it looks at and names the addresses that fail.
var checks = arrange(map[string]func(*finder){
	"duplicate-title":         func(f *finder) { f.findDuplicates(func(s *found) string { return s.title }, true) },
	"duplicate-description":   func(f *finder) { f.findDuplicates(func(s *found) string { return s.description }, true) },
	"duplicate-h1":            func(f *finder) { f.findDuplicates(func(s *found) string { return s.h1 }, true) },
	"duplicate-content":       func(f *finder) { f.findDuplicates(func(s *found) string { return s.textHash }, false) },
	"near-duplicate-content":  findNearDuplicates,
	"orphan-page":             findOrphans,
	"dead-end":                findDeadEnds,
	"deep-page":               findDeepPages,
	"broken-target":           findBroken,
	"sitewide-broken-link":    findSitewide,
	"redirect-chain":          findRedirectChains,
	"redirect-loop":           findRedirectLoops,
	"canonical-chain":         findCanonicalChains,
	"canonical-loop":          findCanonicalLoops,
	"canonical-not-indexable": findCanonicalsNotIndexable,
	"hreflang-not-indexable":  findVersionsNotIndexable,
	"hreflang-no-return":      findVersionsWithoutReturn,
	"sitemap-not-indexable":   findListedNotIndexable,
	"missing-in-sitemap":      findUnlisted,
	"mixed-addresses":         findMixed,
	"unnamed-link-target":     findUnnamed,
})

type check struct {
	id   string
	find func(*finder)
}

// arrange puts the functions into the order of the checks. One without a check, or a check without one, is a mistake in this program.
func arrange(find map[string]func(*finder)) []check {
	var ordered []check
	for _, c := range audit.SiteChecks() {
		if find[c.ID] == nil {
			panic("crawl: no function finds " + c.ID)
		}
		ordered = append(ordered, check{c.ID, find[c.ID]})
	}
	if len(ordered) != len(find) {
		panic("crawl: a function finds what is no check")
	}
	return ordered
}

// indexable returns the pages that take part and that search engines may index.
func (g *graph) indexable() []id {
	if g.mayIndex == nil {
		g.mayIndex = []id{}
		for _, n := range g.pages {
			if g.isIndexable(n) {
				g.mayIndex = append(g.mayIndex, n)
			}
		}
	}
	return g.mayIndex
}
