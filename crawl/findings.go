package crawl

import (
	"iter"

	"sitegrade/audit"
)

// Issue is a check across pages that names an address.
type Issue struct {
	Check    string           `json:"check"`
	Severity audit.Severity   `json:"severity"`
	URL      string           `json:"url"`    // the address that is named
	Report   string           `json:"report"` // of the page there, as its visit names it; "" for none
	Count    int              `json:"count"`  // how many pages or addresses there are of what the evidence shows; at least its length
	Evidence []audit.Evidence `json:"evidence"`
}

// Row is an address as the list of a crawl's pages shows it.
type Row struct {
	URL       string
	Status    int // of the response; 0 without one
	Depth     int // fewest clicks from the start; -1 where links do not lead
	Inlinks   int // pages that link here
	Outlinks  int // different addresses, of other sites too
	Reason    Reason
	Canonical string // "" where it names none
	Title     string
	Report    string // "" unless it is a page
	Score     *int   // of that report; nil unless it is a page
}

// LinkRow is an address of the site that pages link.
type LinkRow struct {
	Target  string
	Status  int  // of the last response on the way, 0 without one
	Asked   bool // the address was asked for
	Broken  bool // it answers with an error or not at all, itself or after its redirects
	Sources int  // pages that link it
	First   []Source
}

// Source is a page that links an address, and its first link that does.
type Source struct {
	URL  string `json:"url"`
	Text string `json:"text"`
	Line int    `json:"line"` // 0 where it is unknown
}

// Findings are what all visits of a crawl say together. They mean nothing once another visit was handed to the frontier.
type Findings struct {
	g      *graph
	counts []Count
}

// Count is how often a check across pages named an address.
type Count struct {
	Check    string
	Severity audit.Severity
	Looked   int     // addresses that were looked at; where it is 0 the check does not apply
	Named    int     // addresses that it named
	Lost     float64 // points that the site loses by it
}

// Findings returns what the visits so far say together.
func (f *Frontier) Findings() *Findings { return &Findings{g: newGraph(f)} }

// Issues returns what the checks across pages find, check by check in their order, the addresses nearest to the start first.
func (s *Findings) Issues() iter.Seq[Issue] {
	return func(yield func(Issue) bool) {
		counts := make([]Count, 0, len(checks))
		for i, c := range audit.SiteChecks() {
			f := &finder{graph: s.g, check: c, yield: yield}
			checks[i].find(f)
			if f.stopped {
				return
			}
			counts = append(counts, Count{Check: c.ID, Severity: c.Severity, Looked: f.looked, Named: f.named, Lost: f.lost()})
		}
		s.counts = counts
	}
}

// Counts returns how often each check named an address, in their order.
func (s *Findings) Counts() []Count {
	if s.counts == nil {
		for range s.Issues() {
		}
	}
	return s.counts
}

// finder collects what one check finds.
type finder struct {
	*graph
	check   audit.SiteCheck
	yield   func(Issue) bool
	stopped bool
	looked  int
	named   int
	whole   bool // what is named goes through the whole site
}

// name names an address. count is of what evidence shows the first of.
func (f *finder) name(n id, count int, evidence ...audit.Evidence) {
	f.named++
	if f.stopped {
		return
	}
	issue := Issue{
		Check: f.check.ID, Severity: f.check.Severity, URL: f.url(n), Count: max(count, len(evidence)),
		Evidence: append([]audit.Evidence{}, evidence[:min(len(evidence), audit.MaxEvidence)]...),
	}
	if seen := f.found(n); seen != nil {
		issue.Report = seen.report
	}
	f.stopped = !f.yield(issue)
}

// at points at addresses.
func (g *graph) at(ids ...id) []audit.Evidence {
	var shown []audit.Evidence
	for _, n := range ids[:min(len(ids), audit.MaxEvidence)] {
		shown = append(shown, audit.Evidence{URL: g.url(n)})
	}
	return shown
}

// Rows returns every address that was asked for or that robots.txt forbids, the nearest to the start first.
func (s *Findings) Rows() iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, n := range s.g.order {
			if !yield(s.g.row(n)) {
				return
			}
		}
	}
}

func (g *graph) row(n id) Row {
	r := Row{URL: g.url(n), Depth: int(g.depth[n]), Inlinks: int(g.inlinks[n])}
	r.Reason, _ = g.reason(n)
	if seen := g.found(n); seen != nil {
		r.Status, r.Outlinks, r.Title, r.Report = int(seen.status), int(seen.outlinks), seen.title, seen.report
		if seen.canonical != noID {
			r.Canonical = g.url(seen.canonical)
		}
		if seen.page {
			r.Score = new(int(seen.score))
		}
	}
	return r
}

// Links returns the addresses of the site that pages link, the nearest to the start first, and then those that were not asked for.
func (s *Findings) Links() iter.Seq[LinkRow] {
	return func(yield func(LinkRow) bool) {
		sources := s.g.sources()
		for _, n := range s.g.linked() {
			if s.g.inlinks[n] > 0 && !yield(s.g.linkRow(n, sources[n])) {
				return
			}
		}
	}
}

func (g *graph) linkRow(n id, sources []source) LinkRow {
	end := g.routeFrom(n).end(n)
	r := LinkRow{Target: g.url(n), Asked: g.found(n) != nil, Broken: g.leadsNowhere(n), Sources: int(g.inlinks[n])}
	if seen := g.found(end); seen != nil {
		r.Status = int(seen.status)
	}
	for _, s := range sources {
		r.First = append(r.First, Source{g.url(s.page), g.texts.all[s.text], int(s.line)})
	}
	return r
}

// linked returns the addresses of the site that pages link: those that were visited in their order, then the others as they were met.
func (g *graph) linked() []id {
	var all []id
	for _, n := range g.order {
		if g.addresses[n].is(isLinked) {
			all = append(all, n)
		}
	}
	for n := range id(len(g.addresses)) {
		if a := &g.addresses[n]; a.is(isLinked) && !a.is(isForeign) && a.found == nil && a.state != forbidden {
			all = append(all, n)
		}
	}
	return all
}

// source is a page that links an address.
type source struct {
	page id
	text uint32
	line int32
}

// shownSources is how many pages that link an address are shown.
const shownSources = 10

// sources returns for each address the first pages that link it, at most shownSources, with the first link of each.
func (g *graph) sources() [][]source {
	if g.linkedBy == nil {
		g.linkedBy = g.sourcesOf(func(link) bool { return true })
	}
	return g.linkedBy
}

// sourcesOf is sources for the links that are wanted.
func (g *graph) sourcesOf(wanted func(link) bool) [][]source {
	all := make([][]source, len(g.addresses))
	for _, n := range g.pages {
		for l := range g.found(n).eachLink() {
			here := all[l.target]
			if len(here) == shownSources || len(here) > 0 && here[len(here)-1].page == n || !wanted(l) {
				continue
			}
			all[l.target] = append(here, source{n, l.text, int32(l.line)})
		}
	}
	return all
}

// showSources points at links.
func (g *graph) showSources(sources []source) []audit.Evidence {
	var shown []audit.Evidence
	for _, s := range sources {
		shown = append(shown, audit.Evidence{URL: g.url(s.page), Snippet: g.texts.all[s.text], Line: int(s.line)})
	}
	return shown
}
