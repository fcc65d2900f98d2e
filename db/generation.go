package db

import (
	"cmp"
	"slices"
	"time"

	"sitegrade/audit"
)

// DefaultKeepFindings is of how many generations of a report the whole findings are kept, the newest ones.
const DefaultKeepFindings = 10

// Generation is one finished audit of a report, as all that is kept of it for good. Without Failure it is what a successful audit found.
type Generation struct {
	Number      int       // from 1, without gaps
	GeneratedAt time.Time // when its results were made, or when the audit failed
	Failure     *audit.Failure
	Result      audit.Result // Unrated of a failed one
	Score       int          // 0 to 100; NoScore of a failed one, and of one that was imported without a score
	Grader      int          // the version of the checks; 0 when it is not known
	HTTPStatus  int          // of the page; 0 when it is not known
	Sample      string       // see audit.Report
	Categories  []CategoryScore
	Outcomes    []KeptOutcome
}

// CategoryScore is the score of one category, nil when nothing in it applies.
type CategoryScore struct {
	ID    string
	Score *int
}

// KeptOutcome is what is kept for good of an outcome.
type KeptOutcome struct {
	ID       string
	Category string
	Severity audit.Severity
	Status   audit.Status
	Unseen   audit.Unseen
}

// Status returns Done or Failed.
func (g *Generation) Status() Status {
	if g.Failure != nil {
		return Failed
	}
	return Done
}

// Summary counts the outcomes.
func (g *Generation) Summary() audit.Summary {
	outcomes := make([]audit.Outcome, len(g.Outcomes))
	for i, o := range g.Outcomes {
		outcomes[i] = audit.Outcome{Severity: o.Severity, Status: o.Status}
	}
	return audit.Summarise(outcomes)
}

// GenerationOf returns what is kept of a successful audit, without its number.
func GenerationOf(found *audit.Report) Generation {
	g := Generation{
		GeneratedAt: found.GeneratedAt, Result: found.Result, Score: found.Score, Grader: found.Grader, HTTPStatus: found.HTTPStatus, Sample: found.Sample,
		Categories: make([]CategoryScore, 0, len(found.Categories)), Outcomes: make([]KeptOutcome, 0, len(found.Checks)),
	}
	for _, c := range found.Categories {
		g.Categories = append(g.Categories, CategoryScore{c.ID, c.Score})
	}
	for _, o := range found.Checks {
		g.Outcomes = append(g.Outcomes, KeptOutcome{o.ID, o.Category, o.Severity, o.Status, o.Unseen})
	}
	return g
}

// FailedGeneration returns what is kept of an audit that failed at a moment, without its number.
func FailedGeneration(failure *audit.Failure, at time.Time) Generation {
	return Generation{GeneratedAt: at, Failure: failure, Score: NoScore}
}

// Found returns the generation as what an audit found, of which only outcomes and ratings are known: checks have their id, category, severity,
// status and title, and what else a report has is empty. It is nil for a failed generation.
func (g *Generation) Found() *audit.Report {
	if g.Failure != nil {
		return nil
	}
	found := &audit.Report{
		HTTPStatus: g.HTTPStatus, Redirects: []string{}, Grader: g.Grader, GeneratedAt: g.GeneratedAt, Result: g.Result, Score: max(0, g.Score),
		Sample: g.Sample, Checks: make([]audit.Outcome, 0, len(g.Outcomes)),
	}
	for _, o := range g.Outcomes {
		found.Checks = append(found.Checks, audit.Outcome{ID: o.ID, Category: o.Category, Severity: o.Severity, Status: o.Status, Title: cmp.Or(audit.TitleFor(o.ID, o.Status), o.ID), Unseen: o.Unseen, Evidence: []audit.Evidence{}})
	}
	found.Summary = audit.Summarise(found.Checks)
	found.Categories = make([]audit.Category, 0, len(g.Categories))
	for _, c := range g.Categories {
		own := audit.Summarise(slices.DeleteFunc(slices.Clone(found.Checks), func(o audit.Outcome) bool { return o.Category != c.ID }))
		found.Categories = append(found.Categories, audit.Category{
			ID: c.ID, Title: audit.CategoryTitle(c.ID), Score: c.Score,
			Passed: own.Passed, Failed: own.Failed, Warnings: own.Warnings, NotApplicable: own.NotApplicable,
		})
	}
	return found
}
