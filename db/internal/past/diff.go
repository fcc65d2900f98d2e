package past

import (
	"slices"

	"sitegrade/db"
)

// Standing is how many generations a report has, and which of them it shows.
type Standing struct {
	Newest  int // 0 when there are none
	Current int // the newest successful one, whose findings are the report's own; 0 when there is none
}

// Span returns the generations of a report from one number to another, as many of them as exist, the oldest first. Whoever asks for many asks
// several times, so that no transaction lasts long.
type Span func(from, to int) ([]db.Generation, error)

// Diff does what Diff of db.Store does for a report.
func Diff(s Standing, span Span, from, to int) (db.Diff, error) {
	from, to, err := chosen(s, span, from, to)
	if err != nil {
		return db.Diff{}, err
	}
	before, err := one(span, from)
	if err != nil {
		return db.Diff{}, err
	}
	after, err := one(span, to)
	if err != nil {
		return db.Diff{}, err
	}
	diff := db.Compare(&before, &after)
	return diff, span.back(to, diff.Recall(&after).Look)
}

// chosen returns the numbers of the generations that a Diff is of, where 0 stands for the newest successful ones.
func chosen(s Standing, span Span, from, to int) (int, int, error) {
	if to == 0 {
		to = s.Current
	}
	if from == 0 && to >= 1 && to <= s.Newest {
		if err := span.back(to, func(g *db.Generation) bool {
			if g.Failure == nil {
				from = g.Number
			}
			return from == 0
		}); err != nil {
			return 0, 0, err
		}
	}
	return from, to, db.ValidateCompared(from, to, s.Newest)
}

// one returns a generation.
func one(span Span, number int) (db.Generation, error) {
	read, err := span(number, number)
	if err == nil && len(read) == 0 {
		err = db.ErrNotFound // the report was deleted and made again meanwhile
	}
	if err != nil {
		return db.Generation{}, err
	}
	return read[0], nil
}

// backStep is how many generations are read at a time at most. The first time they are fewer, since most looks end soon.
const firstStep, backStep = 20, 500

// back calls look for the generations before a number, the newest first, while it wants more.
func (span Span) back(number int, look func(*db.Generation) bool) error {
	step := firstStep
	for to := number - 1; to >= 1; to, step = to-step, backStep {
		read, err := span(max(1, to-step+1), to)
		if err != nil {
			return err
		}
		for i := range slices.Backward(read) {
			if !look(&read[i]) {
				return nil
			}
		}
	}
	return nil
}
