package crawl

import (
	"slices"
	"sort"
	"strings"

	"sitegrade/weburl"
)

// canonicalOf returns the canonical of a page if that is another address, and whether it is.
func (g *graph) canonicalOf(n id) (id, bool) {
	seen := g.found(n)
	if seen == nil || !seen.page || seen.canonical == noID || seen.canonical == n {
		return noID, false
	}
	return seen.canonical, true
}

// canonicalsFrom follows the canonicals from a page over pages. It returns the addresses on the way, and whether the last one is the page
// itself.
func (g *graph) canonicalsFrom(n id) (way []id, back bool) {
	at := n
	for {
		next, ok := g.canonicalOf(at)
		if !ok || slices.Contains(way, next) {
			return way, false
		}
		way = append(way, next)
		if next == n {
			return way, true
		}
		if len(way) > mostCanonicals {
			return way, false
		}
		at = next
	}
}

// mostCanonicals is how many canonicals in a row are followed.
const mostCanonicals = 100

// findCanonicalChains names the pages whose canonical names yet another address.
func findCanonicalChains(f *finder) {
	f.findCanonicals(func(way []id, back bool) bool { return len(way) > 1 && !back })
}

// findCanonicalLoops names the pages that name each other as canonical.
func findCanonicalLoops(f *finder) {
	f.findCanonicals(func(way []id, back bool) bool { return back })
}

func (f *finder) findCanonicals(wrong func(way []id, back bool) bool) {
	for _, n := range f.pages {
		if f.found(n).canonical == noID {
			continue
		}
		f.looked++
		if way, back := f.canonicalsFrom(n); wrong(way, back) {
			f.name(n, len(way), f.at(way...)...)
		}
	}
}

// findCanonicalsNotIndexable names the pages whose canonical is no page that search engines could show.
func findCanonicalsNotIndexable(f *finder) {
	for _, n := range f.pages {
		target, ok := f.canonicalOf(n)
		if !ok || f.addresses[target].is(isForeign) {
			continue
		}
		why, known := f.reason(target)
		if !known {
			continue
		}
		f.looked++
		if why != "" && why != Canonical {
			f.name(n, 1, f.because(target, why))
		}
	}
}

// findVersionsNotIndexable names the pages with a version in another language that search engines do not show.
func findVersionsNotIndexable(f *finder) {
	f.eachVersion(func(n id, versions []id) {
		var wrong []id
		for _, m := range versions {
			if why, known := f.reason(m); known && why != "" {
				wrong = append(wrong, m)
			}
		}
		f.nameVersions(n, wrong)
	})
}

// findVersionsWithoutReturn names the pages with a version in another language that does not name them back.
func findVersionsWithoutReturn(f *finder) {
	f.eachVersion(func(n id, versions []id) {
		var wrong []id
		for _, m := range versions {
			if f.isIndexable(m) && !slices.Contains(f.found(m).versions, n) {
				wrong = append(wrong, m)
			}
		}
		f.nameVersions(n, wrong)
	})
}

// eachVersion calls look with the indexable pages that name other addresses of the site as their versions, and counts them.
func (f *finder) eachVersion(look func(n id, versions []id)) {
	for _, n := range f.indexable() {
		var others []id
		for _, m := range f.found(n).versions {
			if m != n && !f.addresses[m].is(isForeign) && !slices.Contains(others, m) {
				others = append(others, m)
			}
		}
		if len(others) > 0 {
			f.looked++
			look(n, others)
		}
	}
}

func (f *finder) nameVersions(n id, wrong []id) {
	if len(wrong) == 0 {
		return
	}
	shown := f.at(wrong...)
	for i := range shown {
		why, _ := f.reason(wrong[i])
		shown[i].Snippet = string(why)
	}
	f.name(n, len(wrong), shown...)
}

// findListedNotIndexable names what a sitemap lists and search engines do not show.
func findListedNotIndexable(f *finder) {
	for _, n := range f.order {
		if !f.addresses[n].is(isListed) || !f.isPart[n] {
			continue
		}
		why, known := f.reason(n)
		if !known {
			continue
		}
		f.looked++
		if why != "" {
			f.name(n, 1, f.because(n, why))
		}
	}
}

// findUnlisted names the pages that links lead to and that no sitemap lists. Where not all sitemaps were read, nothing can be said.
func findUnlisted(f *finder) {
	if !f.sitemaps.found || f.sitemaps.unread || f.sitemaps.cut > 0 {
		return
	}
	reached := f.reached()
	for _, n := range f.indexable() {
		if !reached[n] {
			continue
		}
		f.looked++
		if !f.addresses[n].is(isListed) {
			f.name(n, int(f.inlinks[n]), f.showSources(f.sources()[n])...)
		}
	}
}

// findMixed names the pages that are at several addresses which differ in nothing that should matter.
func findMixed(f *finder) {
	alike := map[string][]id{}
	for _, n := range f.pages {
		key := plainAddress(f.restored(n))
		alike[key] = append(alike[key], n)
	}
	for _, n := range f.pages {
		f.looked++
		if same := alike[plainAddress(f.restored(n))]; len(same) > 1 {
			f.name(n, len(same)-1, f.at(others(same, n)...)...)
		}
	}
}

// plainAddress returns what is left of an address without its scheme, "www.", the case of its path, its final slash or index file, and the
// order of its parameters.
func plainAddress(u *weburl.URL) string {
	path := strings.ToLower(u.Path())
	for _, index := range []string{"/index.html", "/index.htm", "/index.php"} {
		if bare, ok := strings.CutSuffix(path, index); ok {
			path = bare
			break
		}
	}
	path = strings.TrimSuffix(path, "/")
	parameters := strings.Split(u.Query(), "&")
	sort.Strings(parameters)
	return u.HostKey() + path + "?" + strings.Join(parameters, "&")
}
