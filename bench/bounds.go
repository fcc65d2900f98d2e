package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// bound is one thing that Sitegrade wants to hold at a million reports, and how it stands in this run.
type bound struct {
	what  string
	found string
	holds bool
}

// writeBounds says which bounds hold. They are meant for a million reports; smaller sets favour the others.
func (r *results) writeBounds(b *strings.Builder) {
	var rows [][]string
	for _, bound := range r.bounds() {
		verdict := "no"
		if bound.holds {
			verdict = "yes"
		}
		rows = append(rows, []string{bound.what, bound.found, verdict})
	}
	if rows != nil {
		table(b, "What Sitegrade is built to hold at a million", "", []string{"bound", "in this run", "holds"}, rows)
	}
}

func (r *results) bounds() []bound {
	all := r.plainBounds()
	if r.own != "sitegrade" {
		return all
	}
	atLeast := func(what string, wanted, found float64) {
		if found > 0 {
			all = append(all, bound{fmt.Sprintf("%s: at least %s", what, times(wanted)), times(found), found >= wanted})
		}
	}
	mean := func(list []measured, engine string) float64 {
		own := geometricMean(list, "sitegrade")
		if own == 0 {
			return 0
		}
		return float64(geometricMean(list, engine)) / float64(own)
	}
	atLeast("geometric mean, faster than SQLite", 20, mean(r.inProcess, "sqlite"))
	atLeast("geometric mean, faster than SQLite with FTS5", 10, mean(r.inProcess, "fts5"))
	atLeast("geometric mean over HTTP, faster than PocketBase", 50, mean(r.overHTTP[1], "pocketbase"))
	for _, engine := range r.engines {
		all = append(all, r.neverSlower(engine)...)
	}
	all = append(all, r.growthBounds()...)
	atLeast("search rare, faster than LIKE", 100, r.kindRatio("search rare", "sqlite"))
	atLeast("search rare, level with FTS5", 1, r.kindRatio("search rare", "fts5"))
	atLeast("search missing, level with FTS5", 1, r.kindRatio("search missing", "fts5"))
	atLeast("search common, faster than LIKE", 3, r.kindRatio("search common", "sqlite"))
	atLeast("search common, faster than FTS5", 3, r.kindRatio("search common", "fts5"))
	for _, n := range connections {
		if bare := r.prepared[n]["prepared"].perSecond; bare > 0 {
			atLeast(fmt.Sprintf("newest page over HTTP, %s, of the rate of prepared bytes", plural(n, "connection")), 0.5, r.prepared[n]["sitegrade"].perSecond/bare)
		}
	}
	for _, c := range []struct {
		clients int
		engine  string
		wanted  float64
	}{{1, floorName, 0.5}, {32, "sqlite", 1.5}, {256, "sqlite", 3}} {
		if other := r.creates[c.clients][c.engine].perSecond; other > 0 {
			atLeast(fmt.Sprintf("creates by %s, of the rate of %s", plural(c.clients, "client"), c.engine), c.wanted,
				r.creates[c.clients]["sitegrade"].perSecond/other)
		}
	}
	return append(append(all, r.deletionBounds()...), r.loadBounds()...)
}

// deletionBounds say what a create may take while a project with all reports is removed.
func (r *results) deletionBounds() []bound {
	const longest = 50 * time.Millisecond
	for _, d := range r.deletions {
		if p99 := d.beside.p99; d.engine == r.own {
			return []bound{{fmt.Sprintf("creates beside the removal of a project of %d, 99 of 100: at most %s ms", d.reports, milliseconds(longest)),
				milliseconds(p99) + " ms", p99 <= longest}}
		}
	}
	return nil
}

// kindRatio returns the ratio of one kind in process.
func (r *results) kindRatio(name, engine string) float64 {
	for _, m := range r.inProcess {
		if m.kind.name == name {
			return m.ratio(engine)
		}
	}
	return 0
}

// neverSlower looks for kinds in which an engine is faster than Sitegrade.
func (r *results) neverSlower(engine string) []bound {
	const tolerated = 1.2
	list := r.inProcess
	if engine == "pocketbase" {
		list = r.overHTTP[1]
	}
	worst := slowest(list, engine, 1)
	if engine == r.own || slices.Contains(products, engine) || len(worst) == 0 {
		return nil
	}
	slower := 1 / worst[0].ratio(engine)
	return []bound{{fmt.Sprintf("no kind slower than %s by more than %.1f", engine, tolerated),
		fmt.Sprintf("%s of its time (%s)", times(slower), worst[0].kind.name), slower <= tolerated}}
}

// growthBounds look for the kinds that grow most with the number of reports, and for what a page from the middle costs.
func (r *results) growthBounds() []bound {
	const mostGrowth, mostForMiddle = 3, 30
	worst, name := 0.0, ""
	for _, m := range r.inProcess {
		if !m.kind.search && !m.kind.deep && m.samples[smallName("sitegrade")].p50 > 0 && m.growth("sitegrade") > worst {
			worst, name = m.growth("sitegrade"), m.kind.name
		}
	}
	var all []bound
	if worst > 0 {
		all = append(all, bound{fmt.Sprintf("first pages without search, from %d reports on: at most %dx", smallSet, mostGrowth),
			fmt.Sprintf("%s (%s)", times(worst), name), worst <= mostGrowth})
	}
	first, middle := r.median("id desc"), r.median("middle page")
	if first > 0 {
		all = append(all, bound{fmt.Sprintf("the middle page: at most %dx the first", mostForMiddle), times(middle / first), middle/first <= mostForMiddle})
	}
	return all
}

// median returns Sitegrade's median of a kind, in process; 0 where it was not measured.
func (r *results) median(name string) float64 {
	for _, m := range r.inProcess {
		if m.kind.name == name {
			return float64(m.samples[r.own].p50)
		}
	}
	return 0
}

func (r *results) loadBounds() []bound {
	own, ok := r.loads["sitegrade"]
	if !ok {
		return nil
	}
	const mostMemory = 64 << 20
	start := float64(own.idle.Start) / float64(own.empty.Start)
	all := []bound{
		{"start, of the start with no reports: at most 2x", times(start), start <= 2},
		{"memory of the idle process beside the mapped file: at most 64 MB", megabytes(own.idle.Private) + " MB", own.idle.Private <= mostMemory},
	}
	if sqlite, ok := r.loads["sqlite"]; ok {
		load := float64(own.took) / float64(sqlite.took)
		all = append(all, bound{"load, of SQLite's time: at most 2x", times(load), load <= 2})
	}
	return all
}
