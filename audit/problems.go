package audit

import (
	"cmp"
	"slices"
)

// severities are all of them, the most severe first.
var severities = []Severity{High, Medium, Low, Info}

// Problems returns the checks that failed or warn in the order in which they are worth attention: the most severe first, failures
// before warnings, then as in the table.
func (r *Report) Problems() []Outcome {
	var problems []Outcome
	for _, o := range r.Checks {
		if o.isProblem() {
			problems = append(problems, o)
		}
	}
	slices.SortStableFunc(problems, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(a.Status.rank(), b.Status.rank()))
	})
	return problems
}

// isProblem reports whether the outcome asks for something.
func (o Outcome) isProblem() bool { return o.Status == Failed || o.Status == Warning }

// rank orders severities, the most severe first.
func (s Severity) rank() int { return slices.Index(severities, s) }

// rank orders the outcomes that ask for something, failures first.
func (s Status) rank() int { return slices.Index([]Status{Failed, Warning}, s) }
