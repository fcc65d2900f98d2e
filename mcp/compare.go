package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

type compareArgs struct {
	Report string `json:"report"`
	From   int    `json:"from"`
	To     int    `json:"to"`
}

// compareReport shows what differs between two generations of a report.
func (s *Server) compareReport(ctx context.Context, account string, in compareArgs) (answer, error) {
	id, err := reportID(in.Report)
	if err != nil {
		return answer{}, err
	}
	diff, err := s.store.Diff(ctx, account, id, in.From, in.To)
	if err != nil {
		return answer{}, err
	}
	g, r, _, err := s.store.Generation(ctx, account, id, diff.To)
	if err != nil {
		return answer{}, err
	}
	shown := standingOf(r)
	shown.GeneratedAt = timeText(g.GeneratedAt)
	shown.rate(g.Result, g.Score)
	return showDiff(shown, &diff), nil
}

// recheck audits the page of a report again and shows what differs from the audit before.
func (s *Server) recheck(ctx context.Context, account string, in reportArgs) (answer, error) {
	id, err := reportID(in.Report)
	if err != nil {
		return answer{}, err
	}
	before, err := s.newest(ctx, account, id)
	if err != nil {
		return answer{}, err
	}
	if _, _, err := s.store.UpdateReport(ctx, account, id, db.Change{Regenerate: true}, nil); err != nil {
		return answer{}, err
	}
	s.await(ctx, account, id)
	r, _, err := s.store.Report(ctx, account, id)
	if err != nil {
		return answer{}, err
	}
	var diff *db.Diff
	if after, err := s.newest(ctx, account, id); err != nil {
		return answer{}, err
	} else if before > 0 && after > before && r.Status == db.Done {
		d, err := s.store.Diff(ctx, account, id, before, after)
		if err != nil {
			return answer{}, err
		}
		diff = &d
	}
	return showDiff(standingOf(r), diff), nil
}

// newest returns the number of the newest successful generation of a report; 0 for none.
func (s *Server) newest(ctx context.Context, account string, id uuid.UUID) (int, error) {
	page, err := s.store.Generations(ctx, account, id, listQuery())
	if err != nil {
		return 0, err
	}
	for _, g := range page.Rows {
		if g.Failure == nil {
			return g.Number, nil
		}
	}
	return 0, nil
}

// shownDiff is what compare_report and recheck show.
type shownDiff struct {
	standing
	Delta         *int           `json:"delta"`
	From          int            `json:"from,omitempty"`
	To            int            `json:"to,omitempty"`
	Regressed     []shownEntry   `json:"regressed"`
	Returned      []shownEntry   `json:"returned"`
	Fixed         []shownEntry   `json:"fixed"`
	Still         []shownEntry   `json:"still"`
	NotComparable []shownEntry   `json:"not_comparable"`
	Omitted       map[string]int `json:"omitted,omitempty"`
}

type shownEntry struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	From     string `json:"from"`
	To       string `json:"to"`
	Reason   string `json:"reason,omitempty"`
}

// class is one class of a Diff, and where it is shown.
type class struct {
	name    string
	meaning string
	entries []db.Entry
	shown   *[]shownEntry
}

// classes returns the classes in the order in which they are worth attention.
func (s *shownDiff) classes(d *db.Diff) []class {
	return []class{
		{"regressed", "Fails now, and did not before", d.Regressed, &s.Regressed},
		{"returned", "Had been fixed, and fails again", d.Returned, &s.Returned},
		{"fixed", "Fixed", d.Fixed, &s.Fixed},
		{"still", "Still fails", d.Still, &s.Still},
		{"not_comparable", "Cannot be compared", d.NotComparable, &s.NotComparable},
	}
}

// showDiff returns the answer that shows a Diff; nil where there is nothing to compare.
func showDiff(r standing, d *db.Diff) answer {
	f := newFence()
	none := d == nil
	if none {
		d = &db.Diff{}
	}
	all := 0
	for _, c := range new(shownDiff).classes(d) {
		all += len(c.entries)
	}
	return fitted(all, func(n int) answer {
		shown := shownDiff{standing: r, Delta: d.Delta, From: d.From, To: d.To, Omitted: map[string]int{}}
		text := shown.heading(f)
		if none && r.Status == db.Done.String() {
			text += "There is no earlier result to compare with: get_report shows what it found.\n"
		} else if d.Delta != nil {
			text += fmt.Sprintf("%+d since generation %d\n", *d.Delta, d.From)
		}
		for _, c := range shown.classes(d) {
			entries := worstFirst(c.entries)
			part := entries[:min(n, len(entries))]
			n -= len(part)
			*c.shown = showEntries(part)
			if left := len(entries) - len(part); left > 0 {
				shown.Omitted[c.name] = left
			}
			text += c.text(*c.shown, len(entries))
		}
		return answer{shown, text}
	})
}

// worstFirst returns the entries by severity, else in their order.
func worstFirst(entries []db.Entry) []db.Entry {
	sorted := slices.Clone(entries)
	slices.SortStableFunc(sorted, func(a, b db.Entry) int {
		return audit.ByAttention(audit.Outcome{Severity: a.Severity}, audit.Outcome{Severity: b.Severity})
	})
	return sorted
}

func showEntries(entries []db.Entry) []shownEntry {
	shown := make([]shownEntry, 0, len(entries))
	for _, e := range entries {
		shown = append(shown, shownEntry{
			said(e.ID, maxID), said(e.Category, maxID), string(e.Severity), said(e.Title, maxName), string(e.From), string(e.To), string(e.Reason),
		})
	}
	return shown
}

// text returns the lines of a class, of which so many are shown; "" for an empty one.
func (c class) text(shown []shownEntry, all int) string {
	if all == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: %d\n", c.meaning, all)
	for _, e := range shown {
		fmt.Fprintf(&b, "- %s: %s (%s)", e.ID, e.Title, e.Severity)
		if e.Reason != "" {
			b.WriteString(", " + e.Reason)
		}
		b.WriteByte('\n')
	}
	if left := all - len(shown); left > 0 {
		fmt.Fprintf(&b, "- and %d more\n", left)
	}
	return b.String()
}
