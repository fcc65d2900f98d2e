package db

import (
	"fmt"
	"maps"
	"slices"

	"sitegrade/audit"
)

// Budget is what a project promises about each of its reports. A nil field promises nothing.
type Budget struct {
	MinScore  *int `json:"min_score"`  // the score is at least this
	MaxDrop   *int `json:"max_drop"`   // it is at most so much lower than that of the successful generation before
	MaxHigh   *int `json:"max_high"`   // so many checks of high severity fail at most, those not counted that somebody accepted
	MaxMedium *int `json:"max_medium"` // likewise of medium severity
}

// maxFindings is what the number of failures in a budget may be at most.
const maxFindings = 1000

type budgetTerm struct {
	name  string
	most  int
	field func(*Budget) **int
}

// budgetTerms are the fields of a budget by their names in the API, with the largest value of each.
var budgetTerms = []budgetTerm{
	{"min_score", 100, func(b *Budget) **int { return &b.MinScore }},
	{"max_drop", 100, func(b *Budget) **int { return &b.MaxDrop }},
	{"max_high", maxFindings, func(b *Budget) **int { return &b.MaxHigh }},
	{"max_medium", maxFindings, func(b *Budget) **int { return &b.MaxMedium }},
}

// BudgetTerms returns the names of the fields of a budget.
func BudgetTerms() []string {
	names := make([]string, len(budgetTerms))
	for i, t := range budgetTerms {
		names[i] = t.name
	}
	return names
}

// Term returns the field of that name; nil where it promises nothing.
func (b Budget) Term(name string) *int {
	for _, t := range budgetTerms {
		if t.name == name {
			return *t.field(&b)
		}
	}
	return nil
}

// Promises reports whether the budget promises anything.
func (b Budget) Promises() bool { return b != Budget{} }

// Equal reports whether both promise the same.
func (b Budget) Equal(other Budget) bool {
	return !slices.ContainsFunc(budgetTerms, func(t budgetTerm) bool {
		x, y := *t.field(&b), *t.field(&other)
		return (x == nil) != (y == nil) || x != nil && *x != *y
	})
}

// with returns the budget with some fields changed, which a nil value takes away. The error fields are those that are not valid.
func (b Budget) with(changes map[string]*int) (Budget, []FieldError) {
	var wrong []FieldError
	left := maps.Clone(changes)
	for _, t := range budgetTerms {
		value, given := changes[t.name]
		delete(left, t.name)
		switch {
		case !given:
		case value != nil && (*value < 0 || *value > t.most):
			wrong = append(wrong, FieldError{Field: "budget." + t.name, Detail: fmt.Sprintf("must be 0 to %d, or null for no limit", t.most)})
		default:
			*t.field(&b) = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(left)) {
		wrong = append(wrong, FieldError{Field: "budget." + name, Detail: "is no part of a budget; these are min_score, max_drop, max_high and max_medium"})
	}
	return b, wrong
}

// Standing is what a budget looks at of a report.
type Standing struct {
	Score  int      // NoScore where there is none
	Drop   int      // how much higher the score of the successful generation before was; 0 where it was not, or is not known
	High   []string // the checks of high severity that fail
	Medium []string
}

// StandingOf returns how a report stands whose newest successful generation is now. before is the score of the one before it, or NoScore.
func StandingOf(now *Generation, before int) Standing {
	s := Standing{Score: now.Score}
	if before != NoScore && now.Score != NoScore {
		s.Drop = max(0, before-now.Score)
	}
	for _, o := range now.Outcomes {
		switch {
		case o.Status != audit.Failed:
		case o.Severity == audit.High:
			s.High = append(s.High, o.ID)
		case o.Severity == audit.Medium:
			s.Medium = append(s.Medium, o.ID)
		}
	}
	return s
}

// Judge reports whether a report that stands so keeps the budget. accepted reports whether somebody accepted the failure of a check; nil: no.
// A report without a score breaks no promise about it.
func (b Budget) Judge(s Standing, accepted func(check string) bool) bool {
	failing := func(checks []string) int {
		n := len(checks)
		for _, check := range checks {
			if accepted != nil && accepted(check) {
				n--
			}
		}
		return n
	}
	within := func(value int, most *int) bool { return most == nil || value <= *most }
	scored := b.MinScore == nil || s.Score == NoScore || s.Score >= *b.MinScore
	return scored && within(s.Drop, b.MaxDrop) && within(failing(s.High), b.MaxHigh) && within(failing(s.Medium), b.MaxMedium)
}

// Regressed reports whether a report got worse, so that somebody should know: its result is worse, a check of high severity fails that did not,
// or its score dropped by more than the budget allows. What somebody accepted alarms nobody. d says what changed, nil before there are two
// successful generations, whose results are before and now.
func (b Budget) Regressed(d *Diff, before, now audit.Result, accepted func(check string) bool) bool {
	worse := before != audit.Unrated && now < before
	if d == nil {
		return worse
	}
	failing := slices.Concat(d.Regressed, d.Returned)
	unaccepted := slices.DeleteFunc(slices.Clone(failing), func(e Entry) bool { return accepted(e.ID) })
	onlyAccepted := len(failing) > 0 && len(unaccepted) == 0
	high := slices.ContainsFunc(unaccepted, func(e Entry) bool { return e.Severity == audit.High })
	dropped := b.MaxDrop != nil && d.Delta != nil && -*d.Delta > *b.MaxDrop
	return high || dropped || worse && !onlyAccepted
}
