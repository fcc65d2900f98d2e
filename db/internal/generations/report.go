package generations

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/past"
	"sitegrade/db/internal/record"
)

// Standing returns how a report stands, and whether its newest generation is implied: it stands nowhere but in the report itself. So it is while
// there is only one, and while an import has brought only those before it.
func (s Store) Standing(r *record.Record) (standing past.Standing, implied bool, err error) {
	chunk, err := s.Newest(r.ID)
	if err != nil {
		return standing, false, err
	}
	standing = past.Standing{Newest: chunk.Newest(), Current: chunk.Success}
	if implied = r.Result != audit.Unrated && (chunk.Success == 0 || chunk.SuccessAt != r.Generated); implied {
		standing.Newest++
		standing.Current = standing.Newest
	}
	return standing, implied, nil
}

// Add stores the generation that follows in a report, which is still as it was before. The first one needs no more than the report when it is
// successful. Of the newest keepFindings generations the findings are kept.
func (s Store) Add(r *record.Record, next *db.Generation, keepFindings int) error {
	standing, implied, err := s.Standing(r)
	if err != nil || standing.Newest == 0 && next.Failure == nil {
		return err
	}
	if implied {
		shown, err := s.shown(r, standing.Current)
		if err != nil {
			return err
		}
		if err := s.append(r.ID, &shown); err != nil {
			return err
		}
	}
	if err := s.append(r.ID, next); err != nil {
		return err
	}
	if next.Failure == nil {
		if err := s.keepBefore(r.ID, standing.Current); err != nil {
			return err
		}
	}
	return s.dropFindings(r.ID, standing.Newest+1-keepFindings)
}

// keepBefore keeps what the newest successful generation found, which has that number, when another takes its place.
func (s Store) keepBefore(report uuid.UUID, number int) error {
	packed, err := s.Found(report)
	if err != nil || packed == nil {
		return err
	}
	return s.PutBefore(report, number, packed)
}

// shown returns the generation that stands in the report itself.
func (s Store) shown(r *record.Record, number int) (db.Generation, error) {
	packed, err := s.Found(r.ID)
	if err != nil {
		return db.Generation{}, err
	}
	found, err := record.UnpackFound(r.ID, packed)
	if err != nil {
		return db.Generation{}, err
	}
	g := r.Shown(found)
	g.Number = number
	return g, nil
}

// Span returns the generations of a report from one number to another, as many of them as exist, the oldest first.
func (s Store) Span(r *record.Record, from, to int) ([]db.Generation, error) {
	standing, implied, err := s.Standing(r)
	if err != nil || from > standing.Newest || to < max(1, from) {
		return nil, err
	}
	stored := standing.Newest
	if implied {
		stored--
	}
	var read []db.Generation
	if from <= stored {
		if read, err = s.span(r.ID, from, min(to, stored)); err != nil {
			return nil, err
		}
	}
	if to > stored && implied {
		shown, err := s.shown(r, standing.Newest)
		return append(read, shown), err
	}
	return read, nil
}

// span reads stored generations.
func (s Store) span(report uuid.UUID, from, to int) (read []db.Generation, err error) {
	var chunks []Chunk
	if err := s.back(report, to, func(c Chunk) bool {
		chunks = append(chunks, c)
		return c.First > from
	}); err != nil {
		return nil, err
	}
	for _, c := range slices.Backward(chunks) {
		if err := past.Read(c.Bytes, c.Head, s.list, func(g *db.Generation) bool {
			if g.Number >= from && g.Number <= to {
				kept := *g
				kept.Categories, kept.Outcomes = slices.Clone(g.Categories), slices.Clone(g.Outcomes)
				read = append(read, kept)
			}
			return g.Number < to
		}); err != nil {
			return nil, fmt.Errorf("report %s: %w", report, err)
		}
	}
	return read, nil
}

// FindingsOf returns what a generation of a report found, as it was packed; nil where that is no longer kept.
func (s Store) FindingsOf(r *record.Record, number int) ([]byte, error) {
	standing, _, err := s.Standing(r)
	if err == nil && number == standing.Current {
		return s.Found(r.ID)
	} else if err != nil {
		return nil, err
	}
	return s.Before(r.ID, number)
}

// Export writes the lines of a report's stored generations, the oldest first, and returns how many there are.
func (s Store) Export(account string, r *record.Record, out *json.Encoder) (lines int, err error) {
	of := db.Report{ID: r.ID, URL: r.URL}
	newest, err := s.Newest(r.ID)
	for first := 1; err == nil && first <= newest.Newest(); {
		var chunk Chunk
		if err := s.back(r.ID, first, func(c Chunk) bool { chunk = c; return false }); err != nil {
			return lines, err
		}
		readErr := past.Read(chunk.Bytes, chunk.Head, s.list, func(g *db.Generation) bool {
			var packed []byte
			var found *audit.Report
			if packed, err = s.Before(r.ID, g.Number); err == nil {
				found, err = record.UnpackFound(r.ID, packed)
			}
			if err == nil {
				err = out.Encode(db.LineOfGeneration(account, of, *g, found))
			}
			lines++
			return err == nil
		})
		if err == nil {
			err = readErr
		}
		first = chunk.Newest() + 1
	}
	return lines, err
}

// Import stores a generation behind those that a report has, with its findings where packed is not nil. It reports whether it did: those that
// are there already are skipped.
func (s Store) Import(r *record.Record, g *db.Generation, packed []byte) (stored bool, err error) {
	newest, err := s.Newest(r.ID)
	if err != nil {
		return false, err
	}
	next := newest.Newest() + 1
	if g.Number > next {
		return false, fmt.Errorf("number: of the report %s the generation %d is the next, not %d", r.ID, next, g.Number)
	}
	if g.Number < next {
		return false, nil
	}
	if err := s.append(r.ID, g); err != nil || packed == nil {
		return true, err
	}
	if standing, _, err := s.Standing(r); err != nil || g.Number >= standing.Current {
		return true, err
	}
	return true, s.PutBefore(r.ID, g.Number, packed)
}
