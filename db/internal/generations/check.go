package generations

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/past"
	"sitegrade/db/internal/record"
)

// Check reads everything, and calls differ for each thing that does not fit: chunks that cannot be read, numbers with gaps, a newest success that
// is none, lists that are missing, findings of generations that do not exist. indexed returns a report, or nil if there is none that may have
// generations.
func (s Store) Check(indexed func(report uuid.UUID) *record.Record, differ func(format string, args ...any)) error {
	if err := s.checkChunks(indexed, differ); err != nil {
		return err
	}
	return s.checkFindings(indexed, differ)
}

func (s Store) checkChunks(indexed func(uuid.UUID) *record.Record, differ func(string, ...any)) error {
	type stored struct {
		report uuid.UUID
		first  int
		chunk  []byte
	}
	var chunks []stored // of one report: looking a list up while chunks are read would be a second question within the first
	lists := s.knownLists()
	check := func() {
		var newer past.Head // the chunk that comes behind the present one in time
		for _, c := range chunks {
			chunk, err := chunkOf(c.report, c.first, c.chunk)
			if err == nil {
				err = checkChunk(chunk, newer, lists)
			}
			if err != nil {
				differ("generations of %s: %v", c.report, err)
			}
			newer = chunk.Head
		}
		if len(chunks) > 0 {
			endOfReport(chunks[0].report, newer, differ)
			if indexed(chunks[0].report) == nil {
				differ("generations has %s too much", chunks[0].report)
			}
		}
		chunks = chunks[:0]
	}
	err := s.EachChunk(func(report uuid.UUID, first int, chunk []byte) {
		if len(chunks) > 0 && chunks[0].report != report {
			check()
		}
		chunks = append(chunks, stored{report, first, chunk})
	})
	check()
	return err
}

func endOfReport(report uuid.UUID, oldest past.Head, differ func(string, ...any)) {
	if oldest.Count > 0 && oldest.First != 1 {
		differ("generations of %s begin with %d", report, oldest.First)
	}
}

// knownLists is List that reads each list once.
func (s Store) knownLists() past.Lists {
	lists := map[uint64]*past.List{}
	return func(key uint64) (*past.List, error) {
		if l := lists[key]; l != nil {
			return l, nil
		}
		l, err := s.list(key)
		if err == nil && l.Key() != key {
			err = fmt.Errorf("the list of checks %016x is another one", key)
		}
		lists[key] = l
		return l, err
	}
}

// checkChunk reads a chunk and compares its head with what follows, and with the chunk behind it.
func checkChunk(c Chunk, newer past.Head, lists past.Lists) error {
	if c.Count == 0 || newer.Count > 0 && c.Newest()+1 != newer.First {
		return fmt.Errorf("the chunk from %d has %d generations, and the next begins with %d", c.First, c.Count, newer.First)
	}
	success, at := 0, int64(0)
	if err := past.Read(c.Bytes, c.Head, lists, func(g *db.Generation) bool {
		if g.Failure == nil {
			success, at = g.Number, g.GeneratedAt.UnixMilli()
		}
		return true
	}); err != nil {
		return err
	}
	if success > 0 && (success != c.Success || max(0, at) != c.SuccessAt) || success == 0 && c.Success >= c.First {
		return fmt.Errorf("the newest success of the chunk from %d is %d, not %d", c.First, success, c.Success)
	}
	return nil
}

func (s Store) checkFindings(indexed func(uuid.UUID) *record.Record, differ func(string, ...any)) error {
	var broken error
	err := s.EachBefore(func(report uuid.UUID, number int) {
		r := indexed(report)
		if r == nil {
			differ("found_before has %s too much", report)
			return
		}
		standing, _, err := s.Standing(r)
		if err != nil {
			broken = err
		} else if number < 1 || number >= standing.Current {
			differ("found_before has generation %d of %s too much", number, report)
		}
	})
	return errors.Join(err, broken)
}
