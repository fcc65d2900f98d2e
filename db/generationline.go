package db

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitegrade/audit"
)

// generationLine is the line of a generation whose findings are not kept. It is read as a Line.
type generationLine struct {
	Kind           LineKind       `json:"kind"`
	Account        string         `json:"account"`
	ID             string         `json:"id"` // of the report
	Number         int            `json:"number"`
	GeneratedAt    *time.Time     `json:"generated_at"`
	Result         audit.Result   `json:"result,omitzero"`
	Score          *int           `json:"score,omitempty"`
	Error          *audit.Failure `json:"error,omitempty"`
	HTTPStatus     int            `json:"http_status,omitempty"`
	Grader         int            `json:"grader_version,omitempty"`
	Sample         string         `json:"sample,omitempty"`
	CategoryScores []string       `json:"category_scores,omitempty"` // "seo 90", or "ai" without a score
	Outcomes       []string       `json:"outcomes,omitempty"`        // "seo h1 high passed", and behind that what was not seen
}

// LineOfGeneration returns the line of a generation of a report, as JSON is made of it: with its findings, or without where they are nil.
func LineOfGeneration(account string, r Report, g Generation, found *audit.Report) any {
	var score *int
	if g.Score != NoScore {
		score = &g.Score
	}
	if found != nil {
		return Line{
			Kind: GenerationLine, Account: account, ID: r.ID.String(), URL: r.URL, Result: g.Result, Score: score, GeneratedAt: &g.GeneratedAt,
			Report: found, Number: g.Number,
		}
	}
	l := generationLine{
		Kind: GenerationLine, Account: account, ID: r.ID.String(), Number: g.Number, GeneratedAt: &g.GeneratedAt, Result: g.Result, Score: score,
		Error: g.Failure, HTTPStatus: g.HTTPStatus, Grader: g.Grader, Sample: g.Sample,
	}
	for _, c := range g.Categories {
		text := c.ID
		if c.Score != nil {
			text += " " + strconv.Itoa(*c.Score)
		}
		l.CategoryScores = append(l.CategoryScores, text)
	}
	for _, o := range g.Outcomes {
		l.Outcomes = append(l.Outcomes, strings.TrimSpace(fmt.Sprintf("%s %s %s %s %s", o.Category, o.ID, o.Severity, o.Status, o.Unseen)))
	}
	return l
}

// parseGeneration returns a generation with the findings that the line brings, nil where it brings none.
func (l *Line) parseGeneration() (Generation, *audit.Report, error) {
	g := Generation{Number: l.Number, GeneratedAt: timeOf(l.GeneratedAt), Failure: l.Error, Score: NoScore}
	id, err := l.parseID()
	switch {
	case err != nil:
		return g, nil, err
	case l.ID == "":
		return g, nil, fmt.Errorf("id: is required: that of the report")
	case id.Version() == 0:
		return g, nil, fmt.Errorf("id: must be a UUID, not %q", l.ID)
	case l.Number < 1:
		return g, nil, fmt.Errorf("number: must be 1 or more, not %d", l.Number)
	case l.GeneratedAt == nil || g.GeneratedAt.UnixMilli() < 0:
		return g, nil, fmt.Errorf("generated_at: is required, and not before 1970")
	case g.Failure != nil:
		return g, nil, nil
	case l.Result == audit.Unrated:
		return g, nil, fmt.Errorf("result: is required without an error")
	case l.Score != nil && (*l.Score < 0 || *l.Score > 100):
		return g, nil, fmt.Errorf("score: must be 0 to 100, not %d", *l.Score)
	}
	found := l.findings(&Report{URL: l.URL})
	if found != nil && len(found.Checks) == 0 {
		g.HTTPStatus, g.Grader, g.Sample = found.HTTPStatus, found.Grader, found.Sample
		found = nil
	}
	if found != nil {
		number := g.Number
		g = GenerationOf(found)
		g.Number, g.GeneratedAt = number, timeOf(l.GeneratedAt)
	} else if err := l.parseOutcomes(&g); err != nil {
		return g, nil, err
	}
	g.Result, g.Score = l.Result, NoScore
	if l.Score != nil {
		g.Score = *l.Score
	}
	return g, found, nil
}

// parseOutcomes reads what a generationLine has of categories and checks.
func (l *Line) parseOutcomes(g *Generation) error {
	for _, text := range l.CategoryScores {
		id, score, scored := strings.Cut(text, " ")
		c := CategoryScore{ID: id}
		if scored {
			n, err := strconv.Atoi(score)
			if err != nil || n < 0 || n > 100 {
				return fmt.Errorf("category_scores: must be a category and its score, as \"seo 90\", not %q", text)
			}
			c.Score = &n
		}
		g.Categories = append(g.Categories, c)
	}
	for _, text := range l.Outcomes {
		words := append(strings.Fields(text), "")
		if len(words) < 5 || len(words) > 6 || !slices.Contains([]audit.Status{audit.Passed, audit.Failed, audit.Warning, audit.NotApplicable}, audit.Status(words[3])) {
			return fmt.Errorf("outcomes: must be a category, a check, its severity and status, as \"seo h1 high passed\", not %q", text)
		}
		g.Outcomes = append(g.Outcomes, KeptOutcome{
			Category: words[0], ID: words[1], Severity: audit.Severity(words[2]), Status: audit.Status(words[3]), Unseen: audit.Unseen(words[4]),
		})
	}
	return nil
}
