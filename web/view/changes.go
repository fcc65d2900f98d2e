package view

import (
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// Changes are what differs between two generations of a report, as its page tells it.
type Changes struct {
	From, To int
	Summary  string
	Classes  []ChangeClass // without those that are empty
	Still    []db.Entry
	Unknown  []UnknownEntry
}

// ChangeClass is what changed in one way, the worst first.
type ChangeClass struct {
	Title   string
	Class   string // the colour: "good" or "bad"
	Entries []db.Entry
}

// UnknownEntry is a check that cannot be compared, and why in words.
type UnknownEntry struct {
	db.Entry
	Why string
}

// NewChanges returns what a comparison found, the worst first. What cannot be compared is left out where it failed in neither.
func NewChanges(words *locale.Catalogue, d db.Diff) *Changes {
	d = d.In(words.Language())
	c := &Changes{From: d.From, To: d.To, Summary: summary(words, d), Still: worstFirst(d.Still)}
	for _, class := range []ChangeClass{{"new", "bad", d.Regressed}, {"back", "bad", d.Returned}, {"fixed", "good", d.Fixed}} {
		if len(class.Entries) > 0 {
			class.Title, class.Entries = templates.Say(words, "history."+class.Title), worstFirst(class.Entries)
			c.Classes = append(c.Classes, class)
		}
	}
	for _, e := range d.NotComparable {
		if e.From == audit.Failed || e.To == audit.Failed { // the others would only be many
			c.Unknown = append(c.Unknown, UnknownEntry{e, templates.Say(words, "reasons."+strings.ReplaceAll(string(e.Reason), "_", "-"))})
		}
	}
	return c
}

// summary says in a few words what changed: "63 to 75: 4 fixed, 1 new".
func summary(words *locale.Catalogue, d db.Diff) string {
	var changed []string
	for _, class := range []struct {
		id      string
		entries []db.Entry
	}{{"history.n-fixed", d.Fixed}, {"history.n-new", d.Regressed}, {"history.n-back", d.Returned}} {
		if n := len(class.entries); n > 0 {
			changed = append(changed, templates.Say(words, class.id, n))
		}
	}
	switch {
	case d.Delta == nil && changed == nil:
		return templates.Say(words, "history.nothing-to-compare")
	case d.Delta == nil:
		return strings.Join(changed, ", ")
	case changed == nil:
		return templates.Say(words, "history.unchanged", d.Scores[0], d.Scores[1])
	}
	return templates.Say(words, "history.changed", d.Scores[0], d.Scores[1], changed)
}

// worstFirst returns entries by severity, equals in the order of the report.
func worstFirst(entries []db.Entry) []db.Entry {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(x, y db.Entry) int {
		switch {
		case x.Severity.WorseThan(y.Severity):
			return -1
		case y.Severity.WorseThan(x.Severity):
			return 1
		}
		return 0
	})
	return sorted
}
