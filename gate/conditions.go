package gate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sitegrade/audit"
)

// Conditions say what a build fails on: any of them is enough. The zero value lets everything pass.
type Conditions struct {
	New      bool           // a finding that the baseline lacks
	Severity audit.Severity // a finding of this severity or a worse one; "" for no such condition
	Score    int            // a page with a lower score
}

// ParseConditions reads terms with commas between them: "new", "high", "medium", "low", "score<80". The error says what is wrong.
func ParseConditions(terms string) (Conditions, error) {
	var c Conditions
	for term := range strings.SplitSeq(terms, ",") {
		one, err := parseTerm(strings.TrimSpace(term))
		if err != nil {
			return Conditions{}, err
		}
		c = c.Or(one)
	}
	return c, nil
}

// Or returns the conditions of both.
func (c Conditions) Or(other Conditions) Conditions {
	c.New = c.New || other.New
	c.Score = max(c.Score, other.Score)
	if c.Severity == "" || other.Severity != "" && c.Severity.WorseThan(other.Severity) {
		c.Severity = other.Severity
	}
	return c
}

// parseTerm returns the condition of one term.
func parseTerm(term string) (Conditions, error) {
	if score, ok := strings.CutPrefix(term, "score<"); ok {
		n, err := strconv.ParseUint(score, 10, 8)
		if err != nil || n > 100 {
			return Conditions{}, fmt.Errorf("%q is not a score from 0 to 100", score)
		}
		return Conditions{Score: int(n)}, nil
	}
	switch severity := audit.Severity(term); severity {
	case "":
		return Conditions{}, errors.New("a term is missing: new, high, medium, low or score<N")
	case "new":
		return Conditions{New: true}, nil
	case audit.High, audit.Medium, audit.Low:
		return Conditions{Severity: severity}, nil
	}
	return Conditions{}, fmt.Errorf("%q is not new, high, medium, low or score<N", term)
}

// Forbids reports whether the conditions forbid findings of a severity, whatever a baseline says.
func (c Conditions) Forbids(s audit.Severity) bool {
	return c.Severity != "" && !c.Severity.WorseThan(s)
}

// Judge returns what fails the build, a sentence without a full stop for each condition; nothing when the build may go on.
func (c Conditions) Judge(run *Comparison) []string {
	var reasons []string
	if found := run.New(); c.New && len(found) > 0 {
		reasons = append(reasons, fmt.Sprintf("%s new: %s", isOrAre(len(found), "finding"), run.list(found)))
	}
	forbidden, under, pages := 0, 0, 0
	for _, p := range run.Pages {
		if slices.ContainsFunc(p.Found, func(f Finding) bool { return c.Forbids(f.Severity) }) {
			forbidden++
		}
		if p.Score == NoScore {
			continue
		}
		pages++
		if p.Score < c.Score {
			under++
		}
	}
	if forbidden > 0 {
		failures := string(c.Severity) + " failures"
		if c.Severity != audit.High {
			failures = "failures of severity " + string(c.Severity) + " or worse"
		}
		noun := "pages"
		if pages < len(run.Pages) {
			noun = "addresses"
		}
		reasons = append(reasons, fmt.Sprintf("%d of %d %s have %s", forbidden, len(run.Pages), noun, failures))
	}
	if run.Site != nil && *run.Site < c.Score {
		reasons = append(reasons, fmt.Sprintf("the score of the site is %d, which is under %d", *run.Site, c.Score))
	}
	if under > 0 {
		reasons = append(reasons, fmt.Sprintf("%d of %d scores are under %d", under, pages, c.Score))
	}
	return reasons
}

// listed is how many findings a sentence names.
const listed = 10

// list names findings of a run: "image-alt on /about (3 places, 2 before), title-length on /".
func (c *Comparison) list(keys []Key) string {
	var names []string
	for _, k := range keys[:min(len(keys), listed)] {
		name := k.Check + " on " + k.Path
		if before := c.Baseline[k]; before > 0 {
			name += fmt.Sprintf(" (%d places, %d before)", c.Counts()[k], before)
		}
		names = append(names, name)
	}
	if more := len(keys) - listed; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// isOrAre counts things and adds the verb: "1 finding is", "2 findings are".
func isOrAre(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}
