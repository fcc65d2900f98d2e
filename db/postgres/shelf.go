package postgres

import (
	"errors"
	"fmt"
	"math"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/generations"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
)

// shelf is where an account's generations stand. It is a generations.Shelf.
type shelf struct {
	*pg.Account
	read *shelfRead // nil for nothing
}

// shelfRead is what was read of generations ahead, of some reports.
type shelfRead struct {
	newest map[uuid.UUID]chunk // of all of these reports
	found  map[uuid.UUID][]byte
	lists  map[uint64][]byte
}

// chunk is a chunk with the number of its first generation; the zero chunk is none.
type chunk struct {
	first int
	bytes []byte
}

// generationsOf returns the generations of an account.
func generationsOf(a *pg.Account) generations.Store {
	return generations.Store{Shelf: shelf{Account: a}}
}

// readGenerations reads what the next generations of reports need.
func readGenerations(a *pg.Account, reports []uuid.UUID) (*shelfRead, error) {
	read := &shelfRead{map[uuid.UUID]chunk{}, map[uuid.UUID][]byte{}, map[uint64][]byte{}}
	if len(reports) == 0 {
		return read, nil
	}
	for _, id := range reports {
		read.newest[id] = chunk{}
	}
	err := a.Each(`SELECT w.r, coalesce(g.first, 0), g.chunk, f.packed FROM unnest($2::uuid[]) w(r)
		LEFT JOIN LATERAL (SELECT first, chunk FROM generations WHERE account = $1 AND report = w.r ORDER BY first DESC LIMIT 1) g ON true
		LEFT JOIN found f ON f.account = $1 AND f.id = w.r`, []any{a.Number, reports}, func(rows pgx.Rows) error {
		var id uuid.UUID
		var newest chunk
		var found []byte
		err := rows.Scan(&id, &newest.first, &newest.bytes, &found)
		read.newest[id], read.found[id] = newest, found
		return err
	})
	return read, err
}

// Back is documented in generations.Shelf. Most often the first chunk is all that is wanted.
func (s shelf) Back(report uuid.UUID, from int, visit func(first int, chunk []byte) bool) error {
	more := true
	if s.read != nil {
		if newest, known := s.read.newest[report]; known && newest.first <= from {
			more = newest.bytes != nil && visit(newest.first, newest.bytes)
			from = newest.first - 1
		}
	}
	for more {
		var first int
		var chunk []byte
		err := s.Row("SELECT first, chunk FROM generations WHERE account = $1 AND report = $2 AND first <= $3 ORDER BY first DESC LIMIT 1",
			[]any{s.Number, report, min(from, math.MaxInt32)}, &first, &chunk)
		if errors.Is(err, db.ErrNotFound) {
			return nil
		} else if err != nil {
			return err
		}
		more = visit(first, chunk)
		from = first - 1
	}
	return nil
}

// later has a statement run with what comes next.
func (s shelf) later(sql string, args ...any) error {
	var b pgx.Batch
	b.Queue(sql, args...)
	s.Later(&b)
	return nil
}

// PutChunk is documented in generations.Shelf.
func (s shelf) PutChunk(report uuid.UUID, first int, bytes []byte) error {
	if s.read != nil {
		s.read.newest[report] = chunk{first, bytes}
	}
	return s.later("INSERT INTO generations (account, report, first, chunk) VALUES ($1, $2, $3, $4) ON CONFLICT (account, report, first) DO UPDATE SET chunk = EXCLUDED.chunk",
		s.Number, report, first, bytes)
}

// bytes returns the only value of a query, or nil where there is none.
func (s shelf) bytes(sql string, args ...any) (value []byte, err error) {
	if err = s.Row(sql, args, &value); errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return value, err
}

// List is documented in generations.Shelf.
func (s shelf) List(key uint64) ([]byte, error) {
	if s.read != nil && s.read.lists[key] != nil {
		return s.read.lists[key], nil
	}
	packed, err := s.bytes("SELECT packed FROM check_lists WHERE account = $1 AND key = $2", s.Number, int64(key))
	if s.read != nil {
		s.read.lists[key] = packed
	}
	return packed, err
}

// PutList is documented in generations.Shelf.
func (s shelf) PutList(key uint64, packed []byte) error {
	if s.read != nil {
		s.read.lists[key] = packed
	}
	return s.later("INSERT INTO check_lists (account, key, packed) VALUES ($1, $2, $3)", s.Number, int64(key), packed)
}

// Found is documented in generations.Shelf.
func (s shelf) Found(report uuid.UUID) ([]byte, error) {
	if s.read != nil {
		if packed, known := s.read.found[report]; known {
			return packed, nil
		}
	}
	return s.bytes("SELECT packed FROM found WHERE account = $1 AND id = $2", s.Number, report)
}

// Before is documented in generations.Shelf.
func (s shelf) Before(report uuid.UUID, number int) ([]byte, error) {
	return s.bytes("SELECT packed FROM found_before WHERE account = $1 AND report = $2 AND number = $3", s.Number, report, number)
}

// PutBefore is documented in generations.Shelf.
func (s shelf) PutBefore(report uuid.UUID, number int, packed []byte) error {
	return s.later("INSERT INTO found_before (account, report, number, packed) VALUES ($1, $2, $3, $4) ON CONFLICT (account, report, number) DO UPDATE SET packed = EXCLUDED.packed",
		s.Number, report, number, packed)
}

// DropBefore is documented in generations.Shelf.
func (s shelf) DropBefore(report uuid.UUID, number int) error {
	return s.later("DELETE FROM found_before WHERE account = $1 AND report = $2 AND number <= $3", s.Number, report, number)
}

// removeGenerations has b remove all generations of reports.
func removeGenerations(b *pgx.Batch, account int32, reports []uuid.UUID) {
	b.Queue("DELETE FROM generations WHERE account = $1 AND report = ANY($2)", account, reports)
	b.Queue("DELETE FROM found_before WHERE account = $1 AND report = ANY($2)", account, reports)
}

// EachChunk is documented in generations.Shelf.
func (s shelf) EachChunk(visit func(report uuid.UUID, first int, chunk []byte)) error {
	type stored struct {
		report uuid.UUID
		first  int
		chunk  []byte
	}
	const some = 1000
	last := stored{first: math.MaxInt32}
	for more := true; more; {
		all, err := pg.All(s.Tx, `SELECT report, first, chunk FROM generations WHERE account = $1 AND (report = $2 AND first < $3 OR report > $2)
			ORDER BY report, first DESC LIMIT $4`, []any{s.Number, last.report, last.first, some}, func(rows pgx.Rows) (c stored, err error) {
			err = rows.Scan(&c.report, &c.first, &c.chunk)
			return c, err
		})
		if err != nil {
			return err
		}
		for _, c := range all {
			visit(c.report, c.first, c.chunk)
			last = c
		}
		more = len(all) == some
	}
	return nil
}

// EachBefore is documented in generations.Shelf.
func (s shelf) EachBefore(visit func(report uuid.UUID, number int)) error {
	type key struct {
		report uuid.UUID
		number int
	}
	all, err := pg.All(s.Tx, "SELECT report, number FROM found_before WHERE account = $1 ORDER BY report, number", []any{s.Number}, func(rows pgx.Rows) (k key, err error) {
		err = rows.Scan(&k.report, &k.number)
		return k, err
	})
	for _, k := range all {
		visit(k.report, k.number)
	}
	return err
}

// checkGenerations compares what is kept of generations with the reports.
func checkGenerations(a *pg.Account, c *checker) error {
	known := map[uuid.UUID]*record.Record{}
	if err := a.Each("SELECT "+reportColumns+" FROM reports r WHERE account = $1 AND settled AND EXISTS (SELECT FROM generations g WHERE g.account = $1 AND g.report = r.id)", []any{a.Number}, func(rows pgx.Rows) error {
		r, err := scanRecord(rows)
		known[r.ID] = r
		return err
	}); err != nil {
		return err
	}
	return generationsOf(a).Check(func(id uuid.UUID) *record.Record { return known[id] }, func(format string, args ...any) {
		c.differ("account %q: %s", a.Name, fmt.Sprintf(format, args...))
	})
}
