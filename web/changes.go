package web

import (
	"slices"

	"sitegrade/audit"
	"sitegrade/db"
)

// changes are what differs between two generations of a report, as its page tells it.
type changes struct {
	From, To int
	Summary  string
	Classes  []changeClass // without those that are empty
	Still    []db.Entry
	Unknown  []unknownEntry
}

// changeClass is what changed in one way, the worst first.
type changeClass struct {
	Title   string
	Class   string // the colour: "good" or "bad"
	Entries []db.Entry
}

// unknownEntry is a check that cannot be compared, and why in words.
type unknownEntry struct {
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

func newChanges(d db.Diff) *changes {
	c := &changes{From: d.From, To: d.To, Summary: d.Summary(), Still: worstFirst(d.Still)}
	for _, class := range []changeClass{{"New", "bad", d.Regressed}, {"Back again", "bad", d.Returned}, {"Fixed", "good", d.Fixed}} {
		if len(class.Entries) > 0 {
			class.Entries = worstFirst(class.Entries)
			c.Classes = append(c.Classes, class)
		}
	}
	for _, e := range d.NotComparable {
		if e.From == audit.Failed || e.To == audit.Failed { // the others would only be many
			c.Unknown = append(c.Unknown, unknownEntry{e, reasons[e.Reason]})
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
