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

// Page is one that was audited.
type Page struct {
	URL    *weburl.URL // what was asked for
	Report *audit.Report
}

// Findings returns the outcomes of the page that may fail a build, in the order of the report.
func (p Page) Findings() []audit.Outcome {
	var found []audit.Outcome
	for _, o := range p.Report.Checks {
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
		for _, o := range p.Findings() {
			counts[KeyOf(p.URL, o)] += o.Occurrences()
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
	Counts   Counts // of the run
	Baseline Counts // nil for none
}

// Compare counts the findings of some pages for a comparison with a baseline, which is nil for none.
func Compare(pages []Page, baseline Counts) *Comparison {
	return &Comparison{Pages: pages, Counts: Count(pages), Baseline: baseline}
}

// State returns how a finding of the run stands to the baseline.
func (c *Comparison) State(k Key) State {
	switch {
	case c.Baseline == nil:
		return NoBaseline
	case c.Counts[k] > c.Baseline[k]:
		return New
	}
	return Known
}

// New returns the findings that are new, in their order.
func (c *Comparison) New() []Key {
	return slices.DeleteFunc(c.Counts.keys(), func(k Key) bool { return c.State(k) != New })
}

// Absent returns the findings of the baseline that pages of the run no longer have, in their order. Of pages that were not audited
// nothing is known.
func (c *Comparison) Absent() []Key {
	audited := map[string]bool{}
	for _, p := range c.Pages {
		audited[p.URL.Target()] = true
	}
	return slices.DeleteFunc(c.Baseline.keys(), func(k Key) bool { return !audited[k.Path] || c.Counts[k] > 0 })
}
