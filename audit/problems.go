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
	slices.SortStableFunc(problems, ByAttention)
	return problems
}

// ByAttention compares two problems as Problems orders those that are not alike in severity and status: it is negative where a comes first.
func ByAttention(a, b Outcome) int {
	return cmp.Or(cmp.Compare(a.Severity.rank(), b.Severity.rank()), cmp.Compare(a.Status.rank(), b.Status.rank()))
}

// isProblem reports whether the outcome asks for something.
func (o Outcome) isProblem() bool { return o.Status == Failed || o.Status == Warning }

// rank orders severities, the most severe first.
func (s Severity) rank() int { return slices.Index(severities, s) }

// rank orders the outcomes that ask for something, failures first.
func (s Status) rank() int { return slices.Index([]Status{Failed, Warning}, s) }

// timings are the checks that fail by how fast network and machines were just then.
var timings = []string{"ttfb", "load-time"}

// MayFailBuild reports whether the outcome may fail a build: the check failed, counts for the score, and would find the same again of an
// unchanged page.
func (o Outcome) MayFailBuild() bool {
	return o.Status == Failed && o.Severity != Info && !slices.Contains(timings, o.ID)
}

// WorseThan reports whether a check of this severity counts more than one of the other.
func (s Severity) WorseThan(other Severity) bool { return s.rank() < other.rank() }
