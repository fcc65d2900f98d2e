package view

import (
	"slices"

	"sitegrade/audit"
	"sitegrade/db"
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

// reasons are the words for why a check cannot be compared.
var reasons = map[db.Reason]string{
	db.AuditFailed:                 "one of the two audits failed",
	db.OtherGrader:                 "the checks have changed since",
	db.AfterError:                  "one of the two looked at an error page",
	db.NotChecked:                  "one of the two does not have this check",
	db.Reason(audit.UnseenSample):  "not all was looked at, and not the same",
	db.Reason(audit.UnseenTimeout): "something did not come in time",
	db.Reason(audit.UnseenHost):    "a host did not respond",
	db.Reason(audit.UnseenSize):    "something was too large to be read",
	db.Reason(audit.UnseenScript):  "the text is made by script",
}

// NewChanges returns what a comparison found, the worst first. What cannot be compared is left out where it failed in neither.
func NewChanges(d db.Diff) *Changes {
	c := &Changes{From: d.From, To: d.To, Summary: d.Summary(), Still: worstFirst(d.Still)}
	for _, class := range []ChangeClass{{"New", "bad", d.Regressed}, {"Back again", "bad", d.Returned}, {"Fixed", "good", d.Fixed}} {
		if len(class.Entries) > 0 {
			class.Entries = worstFirst(class.Entries)
			c.Classes = append(c.Classes, class)
		}
	}
	for _, e := range d.NotComparable {
		if e.From == audit.Failed || e.To == audit.Failed { // the others would only be many
			c.Unknown = append(c.Unknown, UnknownEntry{e, reasons[e.Reason]})
		}
	}
	return c
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
