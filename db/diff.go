package db

import (
	"cmp"
	"fmt"
	"slices"

	"sitegrade/audit"
	"sitegrade/locale"
)

// Diff is what differs between two generations of a report. A check stands in one class at most, and the classes speak of failures alone: a
// check that neither failed in one of the two nor is NotComparable stands in none. Each class is in the order of the report.
type Diff struct {
	From, To      int
	Scores        [2]int  // of the two; NoScore for none
	Delta         *int    // of the score; nil where one of the two has none
	Regressed     []Entry // fails now, and did not then
	Fixed         []Entry // failed then, and does not now
	Returned      []Entry // fails now and did not then, but had failed before, and was fixed since
	Still         []Entry // failed then, and fails now
	NotComparable []Entry // was not looked at by both
	Omitted       int     // entries that Shortened left out
}

// Entry is a check in a Diff.
type Entry struct {
	ID       string
	Category string
	Severity audit.Severity
	Title    string       // one sentence: what is right or wrong in the later generation; of one that warns there or is not comparable, what is looked at
	From, To audit.Status // "" where a generation does not have the check
	Reason   Reason       // "" unless not comparable
}

// Reason says why an outcome cannot be compared: one of those below, or why not all of it was seen (audit.Unseen).
type Reason string

// The reasons beside those of audit.Unseen.
const (
	AuditFailed   Reason = "audit_failed"   // one of the two audits failed
	OtherGrader   Reason = "grader_version" // the two were made by different versions of the checks
	AfterError    Reason = "error_page"     // one of the two looked at an error page, of which only the status counts
	NotChecked    Reason = "not_checked"    // one of the two does not have the check
	errorStatus          = 400
	statusCheckID        = "http-status"
)

// Compare returns what differs between two generations. Checks that fail again stand among the regressed until Recall has looked at
// the generations before.
func Compare(from, to *Generation) Diff {
	d := Diff{From: from.Number, To: to.Number, Scores: [2]int{from.Score, to.Score}}
	if from.Score != NoScore && to.Score != NoScore {
		delta := to.Score - from.Score
		d.Delta = &delta
	}
	before := outcomesByID(from)
	for i := range to.Outcomes {
		now := &to.Outcomes[i]
		d.add(from, to, before[now.ID], now)
		delete(before, now.ID)
	}
	for i := range from.Outcomes {
		if then := &from.Outcomes[i]; before[then.ID] != nil {
			d.add(from, to, then, nil)
		}
	}
	return d
}

func outcomesByID(g *Generation) map[string]*KeptOutcome {
	byID := make(map[string]*KeptOutcome, len(g.Outcomes))
	for i := range g.Outcomes {
		byID[g.Outcomes[i].ID] = &g.Outcomes[i]
	}
	return byID
}

// add puts a check into its class. One of the two outcomes may be nil.
func (d *Diff) add(from, to *Generation, then, now *KeptOutcome) {
	shown := cmp.Or(now, then)
	e := Entry{ID: shown.ID, Category: shown.Category, Severity: shown.Severity}
	if then != nil {
		e.From = then.Status
	}
	if now != nil {
		e.To = now.Status
	}
	if e.From == audit.Failed && e.To != audit.Failed {
		e.Severity = then.Severity // what the failure weighed
	}
	if e.Reason = notComparable(from, to, then, now); e.Reason != "" {
		e.word(locale.English)
		d.NotComparable = append(d.NotComparable, e)
		return
	}
	e.word(locale.English)
	switch was, is := e.From == audit.Failed, e.To == audit.Failed; {
	case was && is:
		d.Still = append(d.Still, e)
	case was:
		d.Fixed = append(d.Fixed, e)
	case is:
		d.Regressed = append(d.Regressed, e)
	}
}

// word heads the entry in a language.
func (e *Entry) word(l locale.Language) {
	heading := e.To
	if e.Reason != "" || heading == audit.Warning {
		heading = audit.NotApplicable // what was fixed should not sound wrong
	}
	e.Title = cmp.Or(audit.TitleIn(l, e.ID, heading), e.ID)
}

// In returns the diff with its entries headed in a language. The diff itself is not changed.
func (d Diff) In(l locale.Language) Diff {
	for _, class := range []*[]Entry{&d.Regressed, &d.Fixed, &d.Returned, &d.Still, &d.NotComparable} {
		*class = slices.Clone(*class)
		for i := range *class {
			(*class)[i].word(l)
		}
	}
	return d
}

// notComparable says why two outcomes of a check cannot be compared, "" when they can.
func notComparable(from, to *Generation, then, now *KeptOutcome) Reason {
	switch {
	case from.Failure != nil || to.Failure != nil:
		return AuditFailed
	case from.Grader != to.Grader:
		return OtherGrader
	case (isErrorPage(from) || isErrorPage(to)) && cmp.Or(now, then).ID != statusCheckID:
		return AfterError
	case then == nil || now == nil:
		return NotChecked
	case then.Unseen == "" && now.Unseen == "":
		return ""
	case onlySampled(then.Unseen) && onlySampled(now.Unseen) && from.Sample == to.Sample && from.Sample != "":
		return "" // both left out the same
	}
	return Reason(cmp.Or(now.Unseen, then.Unseen))
}

func isErrorPage(g *Generation) bool { return g.HTTPStatus >= errorStatus }

// onlySampled reports whether nothing but the choice of samples kept a check from seeing all.
func onlySampled(u audit.Unseen) bool { return u == "" || u == audit.UnseenSample }

// Shortened returns a diff whose JSON has at most so many bytes: it leaves out what says least, first of what cannot be compared, then of what
// is as it was, then of what was fixed. Omitted counts that.
func (d Diff) Shortened(bytes int) Diff {
	for _, class := range []*[]Entry{&d.NotComparable, &d.Still, &d.Fixed, &d.Returned, &d.Regressed} {
		for len(*class) > 0 && len(d.AppendJSON(nil)) > bytes {
			kept := len(*class) / 2
			d.Omitted += len(*class) - kept
			*class = (*class)[:kept]
		}
	}
	return d
}

// Recall looks for what returned among the regressed of a Diff.
type Recall struct {
	diff *Diff
	to   *Generation
	rank map[string]int  // the order of the regressed
	open map[string]bool // those that may still be found to return, and whether a generation was met in which they did not fail
}

// Recall begins to look for what returned. to is the later generation of d.
func (d *Diff) Recall(to *Generation) *Recall {
	r := &Recall{d, to, map[string]int{}, map[string]bool{}}
	for i, e := range d.Regressed {
		r.rank[e.ID], r.open[e.ID] = i, false
	}
	return r
}

// Look looks at the generation before the last one that it was given, first of all at the one before the later generation of the Diff. What
// failed in it and was fixed since moves from Regressed to Returned. It reports whether a generation before this one may change something.
func (r *Recall) Look(g *Generation) (more bool) {
	if g.Failure != nil || g.Grader != r.to.Grader {
		return len(r.open) > 0
	}
	for i := range g.Outcomes {
		o := &g.Outcomes[i]
		fixed, open := r.open[o.ID]
		switch {
		case !open || isErrorPage(g) && o.ID != statusCheckID:
		case o.Status == audit.Failed && fixed:
			r.move(o.ID)
		case o.Status != audit.Failed && (o.Unseen == "" || onlySampled(o.Unseen) && g.Sample == r.to.Sample):
			r.open[o.ID] = true
		}
	}
	return len(r.open) > 0
}

// move makes a check that regressed one that returned.
func (r *Recall) move(id string) {
	delete(r.open, id)
	i := slices.IndexFunc(r.diff.Regressed, func(e Entry) bool { return e.ID == id })
	r.diff.Returned = append(r.diff.Returned, r.diff.Regressed[i])
	r.diff.Regressed = slices.Delete(r.diff.Regressed, i, i+1)
	slices.SortFunc(r.diff.Returned, func(x, y Entry) int { return cmp.Compare(r.rank[x.ID], r.rank[y.ID]) })
}

// ValidateCompared reports whether a Diff may be of these two generations of a report, whose newest has that number. 0 stands for a successful
// generation that was looked for and does not exist. The error is *InvalidError.
func ValidateCompared(from, to, newest int) error {
	var fields []FieldError
	exists := func(number int) bool { return number >= 1 && number <= newest }
	switch {
	case to != 0 && !exists(to):
		fields = append(fields, FieldError{Field: "to", Detail: fmt.Sprintf("must be the number of a generation, 1 to %d", newest)})
	case from == 0 || to == 0:
		fields = append(fields, FieldError{Field: "from", Detail: "there are no two successful generations to compare"})
	case !exists(from):
		fields = append(fields, FieldError{Field: "from", Detail: fmt.Sprintf("must be the number of a generation, 1 to %d", newest)})
	case from >= to:
		fields = append(fields, FieldError{Field: "from", Detail: fmt.Sprintf("must come before to, which is %d", to)})
	}
	return invalid(fields)
}
