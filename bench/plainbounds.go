package main

import (
	"fmt"
	"time"
)

// plainBounds are what Sitegrade wants to hold on PostgreSQL at a million reports, beside PostgreSQL by hand in the same run.
func (r *results) plainBounds() []bound {
	own, ok := r.loads["postgres"]
	if _, beside := r.loads["plain"]; !ok || !beside {
		return nil
	}
	const perMinute = 300_000
	rate := float64(r.set.reports) / own.took.Minutes()
	all := []bound{{fmt.Sprintf("postgres: import, reports a minute: at least %d", perMinute), fmt.Sprintf("%.0f", rate), rate >= perMinute}}
	if mean := geometricMean(r.inProcess, "postgres"); mean > 0 {
		times15 := float64(geometricMean(r.inProcess, "plain")) / float64(mean)
		all = append(all, bound{"postgres: geometric mean, faster than plain: at least 15x", times(times15), times15 >= 15})
	}
	all = append(all, r.plainKinds()...)
	for _, c := range []struct {
		clients int
		wanted  float64
	}{{1, 0.7}, {32, 1.2}, {256, 1.5}} {
		if other := r.creates[c.clients]["plain"].perSecond; other > 0 {
			share := r.creates[c.clients]["postgres"].perSecond / other
			all = append(all, bound{fmt.Sprintf("postgres: creates by %s, of the rate of plain: at least %s", plural(c.clients, "client"), times(c.wanted)), times(share), share >= c.wanted})
		}
	}
	return all
}

// plainKinds are the kinds of list that come closest to their bounds.
func (r *results) plainKinds() []bound {
	const longest, longestDeepByURL = 2 * time.Millisecond, 5 * time.Millisecond
	const mostOfPlain, mostOfPlainCommon = 1.5, 2
	closest := map[string]*bound{}
	share := map[string]float64{}
	note := func(what, kind string, found, limit float64, text string) {
		if closest[what] == nil || found/limit > share[what] {
			closest[what], share[what] = &bound{what, fmt.Sprintf("%s (%s)", text, kind), found <= limit}, found/limit
		}
	}
	const quick, quickDeep = "postgres: lists without search: at most 2 ms", "postgres: deep pages by url: at most 5 ms"
	const even, common = "postgres: no kind over 1.5x of plain's time", "postgres: no page of a common word over 2x of plain's time"
	for _, m := range r.inProcess {
		took := m.samples["postgres"].p50
		switch {
		case m.kind.search:
		case m.kind.deep && m.kind.query.SortBy == "url":
			note(quickDeep, m.kind.name, float64(took), float64(longestDeepByURL), milliseconds(took)+" ms")
		default:
			note(quick, m.kind.name, float64(took), float64(longest), milliseconds(took)+" ms")
		}
		ratio := float64(took) / float64(m.samples["plain"].p50)
		if m.kind.isOfMany() {
			note(common, m.kind.name, ratio, mostOfPlainCommon, times(ratio))
		} else {
			note(even, m.kind.name, ratio, mostOfPlain, times(ratio))
		}
	}
	var all []bound
	for _, what := range []string{quick, quickDeep, even, common} {
		if b := closest[what]; b != nil {
			all = append(all, *b)
		}
	}
	return all
}

// isOfMany reports whether a kind asks for later pages of a word that many addresses have.
func (k kind) isOfMany() bool {
	return k.search && k.deep && (k.query.Search == commonNeedle || k.query.Search == frequentNeedle)
}
