// Package gate decides whether audited pages are good enough for a build to go on: it knows what a finding is, compares findings with
// those of a baseline, and judges them by conditions.
//
// A finding is a check that fails on a path with its query. Scheme and host do not matter, so that a baseline of the live site serves
// for a preview of it, and neither does where in the page the check fails, so that lines may move.
package gate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"sitegrade/audit"
	"sitegrade/weburl"
)

// Key says which finding it is.
type Key struct {
	Path  string // path and query, as requests name them
	Check string // the id of the check
}

// KeyOf returns the key of what a check found on the page that was asked for at a URL.
func KeyOf(u *weburl.URL, o audit.Outcome) Key { return Key{u.Target(), o.ID} }

// Fingerprint returns 32 hexadecimal digits that stay the same as long as the finding does.
func (k Key) Fingerprint() string {
	sum := sha256.Sum256([]byte(k.Path + "\n" + k.Check))
	return hex.EncodeToString(sum[:16])
}

// compare orders keys by path, then by check.
func (k Key) compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Path, other.Path), cmp.Compare(k.Check, other.Check))
}

// Finding is a check that fails on a page.
type Finding struct {
	Check    string
	Severity audit.Severity
	Places   int // of the page, in which it fails
}

// NoScore is the score of an address that has findings and is no page.
const NoScore = -1

// Page is one that was audited, or an address that a check across pages names.
type Page struct {
	URL   *weburl.URL // what was asked for
	Score int         // 0..100, or NoScore
	Found []Finding
}

// NewPage returns a page with what its report says.
func NewPage(u *weburl.URL, r *audit.Report) Page {
	p := Page{URL: u, Score: r.Score}
	for _, o := range Findings(r) {
		p.Found = append(p.Found, Finding{o.ID, o.Severity, o.Occurrences()})
	}
	return p
}

// Findings returns the outcomes of a report that may fail a build, in its order.
func Findings(r *audit.Report) []audit.Outcome {
	var found []audit.Outcome
	for _, o := range r.Checks {
		if o.MayFailBuild() {
			found = append(found, o)
		}
	}
	return found
}

// Counts has how often each finding occurs: in so many places of the page, or of all pages that have the path.
type Counts map[Key]int

// Count counts the findings of some pages. A URL that stands there twice is one page.
func Count(pages []Page) Counts {
	counts := Counts{}
	seen := map[string]bool{}
	for _, p := range pages {
		if seen[p.URL.String()] {
			continue
		}
		seen[p.URL.String()] = true
		path := p.URL.Target()
		for _, f := range p.Found {
			counts[Key{path, f.Check}] += f.Places
		}
	}
	return counts
}

// keys returns the keys in their order.
func (c Counts) keys() []Key { return slices.SortedFunc(maps.Keys(c), Key.compare) }

// State is how a finding of a run stands to a baseline.
type State uint8

// The states. NoBaseline is that of every finding where there is nothing to compare with.
const (
	NoBaseline State = iota
	New              // the baseline lacks it, or has it in fewer places
	Known            // the baseline has it, in as many places or in more
)

// Comparison is a run beside a baseline.
type Comparison struct {
	Pages    []Page
	Baseline Counts // nil for none
	// Site is the score of the site that the pages make up; nil where they do not.
	Site *int

	counts Counts
}

// Compare returns the comparison of some pages with a baseline, which is nil for none.
func Compare(pages []Page, baseline Counts) *Comparison {
	return &Comparison{Pages: pages, Baseline: baseline}
}

// Counts returns the findings of the run. They are counted when they are first asked for, since those of a large site take much room.
func (c *Comparison) Counts() Counts {
	if c.counts == nil {
		c.counts = Count(c.Pages)
	}
	return c.counts
}

// State returns how a finding of the run stands to the baseline.
func (c *Comparison) State(k Key) State {
	switch {
	case c.Baseline == nil:
		return NoBaseline
	case c.Counts()[k] > c.Baseline[k]:
		return New
	}
	return Known
}

// New returns the findings that are new, in their order.
func (c *Comparison) New() []Key {
	return slices.DeleteFunc(c.Counts().keys(), func(k Key) bool { return c.State(k) != New })
}

// Absent returns the findings of the baseline that pages of the run no longer have, in their order. Of pages that were not audited
// nothing is known.
func (c *Comparison) Absent() []Key {
	audited := map[string]bool{}
	for _, p := range c.Pages {
		audited[p.URL.Target()] = true
	}
	return slices.DeleteFunc(c.Baseline.keys(), func(k Key) bool { return !audited[k.Path] || c.Counts()[k] > 0 })
}
