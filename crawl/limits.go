package crawl

import (
	"fmt"
	"maps"
	"slices"

	"sitegrade/weburl"
)

// Limits returns the limits that the crawl has met so far.
func (f *Frontier) Limits() []Limit {
	var all []Limit
	add := func(limit string, n int, detail string, args ...any) {
		if n > 0 {
			all = append(all, Limit{limit, fmt.Sprintf(detail, args...), n})
		}
	}
	unasked, deep := f.leftOut()
	add("max_pages", unasked, "The crawl asks for at most %s.", plural(f.options.MaxPages, "address", "addresses"))
	add("max_depth", deep, "The crawl follows at most %s from the start.", plural(f.options.MaxDepth, "click", "clicks"))
	all = append(all, f.traps()...)
	for _, name := range slices.Sorted(maps.Keys(f.origins)) {
		if o := f.origins[name]; o.known && o.out {
			add("robots_txt", f.countOf(o), "%s could not be read, which forbids everything there.", o.url)
		}
	}
	add("challenge", f.left.challenge, "The site asks whether a person is there in place of an answer.")
	add("addresses", f.left.unknown, "The site has more addresses than the crawl keeps in mind.")
	add("sitemaps", f.sitemaps.cut, "The sitemaps list more than the crawl reads.")
	for _, n := range f.starts {
		if seen := f.addresses[n].found; seen != nil && seen.redirect != noID && f.addresses[seen.redirect].is(isForeign) {
			add("off_site", 1, "%s redirects to %s, which is another site.", f.addresses[n].url, f.addresses[seen.redirect].url)
		}
	}
	add("off_site", f.left.offSite, "A crawl asks for addresses of one site alone: %s.", f.scope.host)
	return all
}

// leftOut counts the addresses that were not asked for since there were too many, and since they are too far from the start.
func (f *Frontier) leftOut() (unasked, deep int) {
	full := f.asked() >= f.options.MaxPages
	for i := range f.addresses {
		a := &f.addresses[i]
		switch {
		case a.state == queued && full && a.tries == 0:
			unasked++
		case a.state == known && a.is(isWanted) && !a.is(isForeign) && a.reach > int32(f.mostReach()) && f.scope.wants(weburl.Restore(a.url)):
			deep++
		}
	}
	return unasked, deep
}

// traps returns a limit for each shape that was cut off.
func (f *Frontier) traps() []Limit {
	left := map[uint32]int{}
	for i := range f.addresses {
		if a := &f.addresses[i]; a.state == trapped {
			left[a.shape]++
		}
	}
	var all []Limit
	for i, s := range f.shapes.all {
		if n := left[uint32(i)]; s.cut && n > 0 {
			all = append(all, Limit{"trap", fmt.Sprintf("Addresses such as %s lead to each other without end.", f.addresses[s.first].url), n})
		}
	}
	return all
}

// countOf counts the addresses of an origin that are forbidden.
func (f *Frontier) countOf(o *origin) int {
	n := 0
	for i := range f.addresses {
		if a := &f.addresses[i]; a.state == forbidden && weburl.Restore(a.url).Origin() == o.url.Origin() {
			n++
		}
	}
	return n
}
