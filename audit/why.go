package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ceiling is a finding that limits the score of the whole report, whatever else is right with the page.
type ceiling struct {
	limit int    // the score cannot be higher
	why   string // what is wrong, as the end of "because the page ..."
}

// maxLosses is how many losses the sentence about a score names.
const maxLosses = 3

// explain returns the sentence that says what made a score: the gate that limits it, or the heaviest losses. earned is the score
// without gates.
func explain(earned int, strictest *ceiling, outcomes []Outcome) string {
	if strictest != nil && strictest.limit < earned {
		if strictest.limit == 0 {
			return fmt.Sprintf("The score is 0 because the page %s.", strictest.why)
		}
		return fmt.Sprintf("The score cannot be higher than %d because the page %s; without that it would be %d.", strictest.limit, strictest.why, earned)
	}
	losses := heaviestLosses(outcomes)
	if len(losses) == 0 {
		return "Nothing that counts is wrong."
	}
	named := make([]string, len(losses))
	for i, o := range losses {
		named[i] = fmt.Sprintf("%s (%s)", strings.TrimSuffix(o.Detail, "."), o.ID)
	}
	return "Most points are lost by: " + strings.Join(named, "; ") + "."
}

// heaviestLosses returns the outcomes that cost the most points, at most maxLosses, in the order of the table where they cost the same.
func heaviestLosses(outcomes []Outcome) []Outcome {
	var losses []Outcome
	for _, o := range outcomes {
		if o.lostWeight() > 0 {
			losses = append(losses, o)
		}
	}
	slices.SortStableFunc(losses, func(a, b Outcome) int { return cmp.Compare(b.lostWeight(), a.lostWeight()) })
	return losses[:min(maxLosses, len(losses))]
}

// lostWeight returns how much of its weight an outcome did not earn.
func (o Outcome) lostWeight() float64 {
	switch o.Status {
	case Failed:
		return weights[o.Severity]
	case Warning:
		return weights[o.Severity] / 2
	}
	return 0
}
