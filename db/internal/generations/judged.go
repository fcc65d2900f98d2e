package generations

import (
	"slices"

	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// judgedStep is how many generations are read at a time to find a successful one: most often the first is.
const judgedStep = 20

// Judged returns what a budget looks at of a report: its newest successful generation and the score of the one before.
func (s Store) Judged(r *record.Record) (db.Standing, error) {
	standing, _, err := s.Standing(r)
	if err != nil || standing.Current == 0 {
		return db.Standing{Score: db.NoScore}, err
	}
	read, err := s.Span(r, standing.Current, standing.Current)
	if err != nil || len(read) == 0 {
		return db.Standing{Score: db.NoScore}, err
	}
	now := &read[0]
	for to := standing.Current - 1; to >= 1; to -= judgedStep {
		earlier, err := s.Span(r, max(1, to-judgedStep+1), to)
		if err != nil {
			return db.Standing{}, err
		}
		for _, before := range slices.Backward(earlier) {
			if before.Failure == nil {
				return db.StandingOf(now, before.Score), nil
			}
		}
	}
	return db.StandingOf(now, db.NoScore), nil
}
