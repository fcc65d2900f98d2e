package crawl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"sitegrade/audit"
)

// Summary is the rating of a site.
//
// The score is the mean of the scores of its indexable pages and of those whose canonical is on another site, such as the pages of a preview
// (of all pages where there are no such), less what the checks across pages
// take away. A check that names as many addresses as a fifth of the pages, or more, takes away its whole weight, which is that of a check of
// a page: 10 points for high, 5 for medium, 1 for low. One that names fewer takes away its part of that; a link that is broken all over the
// site counts whole. So a site is no better than its pages, one broken link among thousands costs next to nothing, and what goes through a
// whole site costs as much as such a failure weighs elsewhere.
type Summary struct {
	Pages     int          // that take part
	Indexable int          // of them
	Good      int          // pages by their result
	Decent    int          //
	Bad       int          //
	Mean      float64      // of the scores of the pages that count
	Score     *int         // 0..100; nil where there are no pages
	Result    audit.Result // by the score, with the bounds of a page's
	Why       string       // one sentence: what made the score; "" without one
	High      int          // checks across pages that name an address, by severity
	Medium    int          //
	Low       int          //
	Limits    []Limit      // what the crawl left out
}

// wholeShare is the share of pages from which on a check takes away its whole weight: one of so many.
const wholeShare = 5

// lost returns how many points the check takes away.
func (f *finder) lost() float64 {
	share := 0.0
	if f.named > 0 {
		share = min(1, wholeShare*float64(f.named)/float64(max(1, len(f.pages))))
	}
	if f.whole {
		share = 1
	}
	return f.check.Severity.Weight() * share
}

// Summary rates the site. It runs the checks if Issues was not read to its end.
func (s *Findings) Summary() Summary {
	sum := Summary{Pages: len(s.g.pages), Indexable: len(s.g.indexable()), Limits: s.g.Limits()}
	for _, n := range s.g.pages {
		switch audit.ResultOf(int(s.g.found(n).score)) {
		case audit.Good:
			sum.Good++
		case audit.Decent:
			sum.Decent++
		default:
			sum.Bad++
		}
	}
	for _, c := range s.Counts() {
		if c.Named == 0 {
			continue
		}
		switch c.Severity {
		case audit.High:
			sum.High++
		case audit.Medium:
			sum.Medium++
		case audit.Low:
			sum.Low++
		}
	}
	s.rate(&sum)
	return sum
}

// counted returns the pages whose scores make that of the site, and what they are.
func (g *graph) counted() (pages []id, kind string) {
	for _, n := range g.pages {
		why, _ := g.reason(n)
		if why == "" || why == Canonical && g.addresses[g.found(n).canonical].is(isForeign) {
			pages = append(pages, n)
		}
	}
	switch len(pages) {
	case 0:
		return g.pages, "page"
	case len(g.indexable()):
		return pages, "indexable page"
	}
	return pages, "page"
}

func (s *Findings) rate(sum *Summary) {
	counted, kind := s.g.counted()
	if len(counted) == 0 {
		return
	}
	total, away := 0, 0.0
	for _, n := range counted {
		total += int(s.g.found(n).score)
	}
	for _, c := range s.Counts() {
		away += c.Lost
	}
	sum.Mean = float64(total) / float64(len(counted))
	score := int(math.Round(max(0, sum.Mean-away)))
	sum.Score, sum.Result = &score, audit.ResultOf(score)
	sum.Why = s.why(sum.Mean, away, plural(len(counted), kind, kind+"s"))
}

// namedLosses is how many checks the sentence about a score names.
const namedLosses = 3

// why returns the sentence that says what made the score.
func (s *Findings) why(mean, away float64, pages string) string {
	first := fmt.Sprintf("The mean score of %s is %.0f", pages, mean)
	losses := slices.DeleteFunc(slices.Clone(s.Counts()), func(c Count) bool { return c.Lost == 0 })
	if len(losses) == 0 {
		return first + ", and nothing across pages that counts is wrong."
	}
	slices.SortStableFunc(losses, func(a, b Count) int { return cmp.Compare(b.Lost, a.Lost) })
	var named []string
	for _, c := range losses[:min(len(losses), namedLosses)] {
		named = append(named, fmt.Sprintf("%s on %s", c.Check, plural(c.Named, "address", "addresses")))
	}
	return fmt.Sprintf("%s; the checks across pages take away %.1f, most of it by %s.", first, away, strings.Join(named, ", "))
}
