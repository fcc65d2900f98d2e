package crawl

import (
	"sitegrade/audit"
	"sitegrade/audit/page"
)

// findDuplicates names the indexable pages that share a trait with another one. shown tells whether the trait itself is evidence.
func (f *finder) findDuplicates(trait func(*found) string, shown bool) {
	alike := map[string][]id{}
	for _, n := range f.indexable() {
		if text := trait(f.found(n)); text != "" {
			alike[text] = append(alike[text], n)
		}
	}
	for _, n := range f.indexable() {
		text := trait(f.found(n))
		if text == "" {
			continue
		}
		f.looked++
		if same := alike[text]; len(same) > 1 {
			evidence := f.at(others(same, n)...)
			for i := range evidence {
				if shown {
					evidence[i].Snippet = page.CutSnippet(text)
				}
			}
			f.name(n, len(same)-1, evidence...)
		}
	}
}

// others returns the first addresses of a list without one of them: as many as evidence shows.
func others(list []id, but id) []id {
	var left []id
	for _, n := range list {
		if n != but && len(left) < audit.MaxEvidence {
			left = append(left, n)
		}
	}
	return left
}

// findNearDuplicates names the indexable pages whose text is nearly that of another one. Texts that are equal are for another check.
func findNearDuplicates(f *finder) {
	groups, groupOf := f.groupByHash()
	hashes := make([]uint64, len(groups))
	for i, g := range groups {
		hashes[i] = g.hash
	}
	near(hashes, func(i, j int) {
		groups[i].join(j)
		groups[j].join(i)
	})
	for _, n := range f.indexable() {
		if !f.isCompared(n) {
			continue
		}
		f.looked++
		g := &groups[groupOf[f.found(n).simHash]]
		count := len(g.texts) - 1 + g.near
		if count == 0 {
			continue
		}
		var kin []id
		for _, other := range g.texts {
			if f.found(other).textHash != f.found(n).textHash && len(kin) < audit.MaxEvidence {
				kin = append(kin, other)
			}
		}
		for _, other := range g.first {
			kin = append(kin, groups[other].texts[0])
		}
		f.name(n, count, f.at(kin...)...)
	}
}

func (g *graph) isCompared(n id) bool {
	seen := g.found(n)
	return seen.words >= leastWords && seen.simHash != 0
}

// hashGroup is the pages whose texts have the same hash.
type hashGroup struct {
	hash  uint64
	texts []id  // of each text the first page
	near  int   // other groups whose hash is near
	first []int // the first of them
}

func (g *hashGroup) join(other int) {
	if g.near++; len(g.first) < audit.MaxEvidence {
		g.first = append(g.first, other)
	}
}

// groupByHash returns the groups of the pages that are compared, and the place of each hash among them.
func (g *graph) groupByHash() (groups []hashGroup, groupOf map[uint64]int) {
	groupOf = map[uint64]int{}
	met := map[string]bool{}
	for _, n := range g.indexable() {
		if !g.isCompared(n) {
			continue
		}
		seen := g.found(n)
		at, known := groupOf[seen.simHash]
		if !known {
			at = len(groups)
			groupOf[seen.simHash] = at
			groups = append(groups, hashGroup{hash: seen.simHash})
		}
		if !met[seen.textHash] {
			met[seen.textHash] = true
			groups[at].texts = append(groups[at].texts, n)
		}
	}
	return groups, groupOf
}
