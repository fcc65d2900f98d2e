package reports

import (
	"cmp"
	"maps"
	"slices"

	"sitegrade/audit"
	"sitegrade/gate"
	"sitegrade/weburl"
)

// Issue is a check that fails on pages of a site, or one across pages that names addresses.
type Issue struct {
	Check    string
	Severity audit.Severity
	Title    string
	Advice   string // "" for none
	Across   bool   // it is a check across pages
	Pages    int    // that fail, or addresses that are named
	First    []Where

	weight float64
	orders []int32 // of the addresses
}

// Where is an address that has an issue, with what was found there.
type Where struct {
	URL     *weburl.URL
	Outcome audit.Outcome
}

// shownFirst is how many addresses an issue shows.
const shownFirst = 10

// tally counts the addresses that a check fails on.
type tally struct {
	severity audit.Severity
	orders   []int32
}

func (t *tally) add(order int) { t.orders = append(t.orders, int32(order)) }

func (s *Site) tally(check string, severity audit.Severity) *tally {
	t := s.checks[check]
	if t == nil {
		t = &tally{severity: severity}
		s.checks[check] = t
	}
	if severity.WorseThan(t.severity) {
		t.severity = severity
	}
	return t
}

// rank puts the issues into the order in which they are worth mending, and takes the first addresses of each. A check of pages weighs by its
// severity and by the share of pages that it fails on; one across pages by what it takes from the score of the site.
func (s *Site) rank() error {
	lost := map[string]float64{}
	for _, c := range s.findings.Counts() {
		lost[c.Check] = c.Lost
	}
	for _, check := range slices.Sorted(maps.Keys(s.checks)) {
		t := s.checks[check]
		issue := Issue{Check: check, Severity: t.severity, Pages: len(t.orders), orders: t.orders}
		issue.weight, issue.Across = lost[check]
		if !issue.Across {
			issue.weight = t.severity.Weight() * float64(len(t.orders)) / float64(max(1, s.Summary.Pages))
		}
		s.Issues = append(s.Issues, issue)
	}
	slices.SortStableFunc(s.Issues, func(a, b Issue) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.Pages, a.Pages)) })
	return s.showFirst()
}

// showFirst gives each issue its first addresses.
func (s *Site) showFirst() error {
	wanted := map[int][]*Issue{} // by the order of an address: the issues that may show it
	for i := range s.Issues {
		for _, order := range s.Issues[i].orders {
			wanted[int(order)] = append(wanted[int(order)], &s.Issues[i])
		}
	}
	for row, k := range s.addresses() {
		open := slices.DeleteFunc(slices.Clone(wanted[k.order]), func(i *Issue) bool { return len(i.First) == shownFirst })
		if len(open) == 0 {
			continue
		}
		a, err := s.page(row, k)
		if err != nil {
			return err
		}
		for _, issue := range open {
			issue.show(a)
		}
	}
	return nil
}

// show adds an address to those that the issue shows.
func (i *Issue) show(a Page) {
	for _, o := range a.Report.Checks {
		if o.ID != i.Check {
			continue
		}
		i.First = append(i.First, Where{a.URL, o})
		if i.Title == "" {
			i.Title, i.Advice = o.Title, o.Advice
		}
		return
	}
}

// states counts the addresses of an issue that a build should hear of: all but those that the baseline knows and no condition forbids.
type states struct{ alarming, fresh int }

// states returns the states of all issues, by check.
func (r Run) states() map[string]states {
	all := map[string]states{}
	for _, p := range r.Comparison.Pages {
		for _, f := range p.Found {
			state := r.State(gate.Key{Path: p.URL.Target(), Check: f.Check})
			n := all[f.Check]
			if state != gate.Known || r.Conditions.Forbids(f.Severity) {
				n.alarming++
			}
			if state == gate.New {
				n.fresh++
			}
			all[f.Check] = n
		}
	}
	return all
}

// CompareSite compares what came of a crawl with a baseline, which is nil for none.
func CompareSite(s *Site, baseline gate.Counts, c gate.Conditions) Run {
	r := Run{Site: s, Comparison: gate.Compare(s.gated, baseline), Conditions: c}
	r.Comparison.Site = s.Summary.Score
	return r
}
