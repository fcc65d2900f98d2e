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
	kin := f.kin()
	for _, n := range f.indexable() {
		if f.isCompared(n) {
			f.looked++
			if k := kin[n]; k != nil {
				f.name(n, k.count, f.at(k.first...)...)
			}
		}
	}
}

func (g *graph) isCompared(n id) bool {
	seen := g.found(n)
	return seen.words >= leastWords && seen.simHash != 0
}

// kinship is which pages have nearly the same text as one.
type kinship struct {
	count int
	first []id
}

func (k *kinship) add(n id) {
	k.count++
	if len(k.first) < audit.MaxEvidence {
		k.first = append(k.first, n)
	}
}

// kin finds the pages whose texts are nearly the same, each by its own text.
func (g *graph) kin() map[id]*kinship {
	var hashes []uint64
	var texts [][]id // by the place of their hash: of each different text the first page
	place := map[uint64]int{}
	byText := map[string][]id{}
	for _, n := range g.indexable() {
		if !g.isCompared(n) {
			continue
		}
		seen := g.found(n)
		if _, met := place[seen.simHash]; !met {
			place[seen.simHash] = len(hashes)
			hashes, texts = append(hashes, seen.simHash), append(texts, nil)
		}
		if at := place[seen.simHash]; byText[seen.textHash] == nil {
			texts[at] = append(texts[at], n)
		}
		byText[seen.textHash] = append(byText[seen.textHash], n)
	}
	kin := map[id]*kinship{}
	pair := func(a, b id) {
		for _, n := range byText[g.found(a).textHash] {
			if kin[n] == nil {
				kin[n] = &kinship{}
			}
			kin[n].add(b)
		}
	}
	for _, same := range texts {
		for i, a := range same {
			for _, b := range same[:min(i, audit.MaxEvidence)] {
				pair(a, b)
				pair(b, a)
			}
		}
	}
	near(hashes, func(i, j int) {
		a, b := texts[i][0], texts[j][0]
		for _, n := range texts[i] {
			pair(n, b)
		}
		for _, n := range texts[j] {
			pair(n, a)
		}
	})
	return kin
}
