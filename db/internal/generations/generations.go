// Package generations keeps the generations of an account's reports: chunks of packed generations, the lists of checks that they refer to, and
// the findings of those before the newest. Where these stand is the engine's affair.
package generations

import (
	"fmt"
	"math"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/past"
)

// Shelf is where an engine has what belongs to one account's generations, in a transaction. Bytes that it gives are valid inside that only.
type Shelf interface {
	// Back calls visit for the chunks of a report that have generations up to a number, the newest first, with the number of the first
	// generation of each, until it returns false.
	Back(report uuid.UUID, from int, visit func(first int, chunk []byte) bool) error
	PutChunk(report uuid.UUID, first int, chunk []byte) error
	// List returns what PutList stored under a key, or nil.
	List(key uint64) ([]byte, error)
	PutList(key uint64, packed []byte) error
	// Found returns what the newest successful generation of a report found, packed, or nil.
	Found(report uuid.UUID) ([]byte, error)
	// Before returns what a generation before that found, packed, or nil where it is not kept.
	Before(report uuid.UUID, number int) ([]byte, error)
	PutBefore(report uuid.UUID, number int, packed []byte) error
	// DropBefore removes the findings of the generations up to a number.
	DropBefore(report uuid.UUID, number int) error
	// EachChunk calls visit for all chunks, report by report, the newest of each first.
	EachChunk(visit func(report uuid.UUID, first int, chunk []byte)) error
	// EachBefore calls visit for the findings of all generations that Before returns.
	EachBefore(visit func(report uuid.UUID, number int)) error
}

// Newest is a number that no generation comes behind. It is an int on processors of 32 bits too.
const Newest = math.MaxInt32

// Store is the generations of one account, in a transaction.
type Store struct{ Shelf }

// Chunk is a chunk as it is stored. Its bytes are valid inside the transaction only.
type Chunk struct {
	past.Head
	Bytes []byte
}

// chunkOf returns a chunk of a report.
func chunkOf(report uuid.UUID, first int, stored []byte) (Chunk, error) {
	head, err := past.ReadHead(stored, first)
	if err != nil {
		return Chunk{}, fmt.Errorf("report %s: %w", report, err)
	}
	return Chunk{head, stored}, nil
}

// Newest returns the newest chunk of a report; the zero Chunk if it has none.
func (s Store) Newest(report uuid.UUID) (newest Chunk, err error) {
	err = s.back(report, Newest, func(c Chunk) bool { newest = c; return false })
	return newest, err
}

// back calls visit for the chunks of a report that have generations up to a number, the newest first, until it returns false.
func (s Store) back(report uuid.UUID, from int, visit func(Chunk) bool) error {
	var broken error
	err := s.Back(report, from, func(first int, stored []byte) bool {
		chunk, err := chunkOf(report, first, stored)
		broken = err
		return err == nil && chunk.Count > 0 && visit(chunk)
	})
	if err == nil {
		err = broken
	}
	return err
}

// list returns the list with a key.
func (s Store) list(key uint64) (*past.List, error) {
	stored, err := s.List(key)
	if err == nil && stored == nil {
		err = fmt.Errorf("the list of checks %016x is missing", key)
	}
	if err != nil {
		return nil, err
	}
	return past.ReadList(stored)
}

// append stores the next generation of a report.
func (s Store) append(report uuid.UUID, g *db.Generation) error {
	newest, err := s.Newest(report)
	if err != nil {
		return err
	}
	list, err := s.listFor(g)
	if err != nil {
		return err
	}
	if newest.Count > 0 {
		longer, err := past.Append(newest.Bytes, newest.Head, g, list, s.list)
		if err != nil {
			return fmt.Errorf("report %s: %w", report, err)
		}
		if longer != nil {
			return s.PutChunk(report, newest.First, longer)
		}
	}
	chunk, first := past.Begin(newest.Head, g, list)
	return s.PutChunk(report, first, chunk)
}

// listFor returns the stored list of a generation, and stores it if it is a new one.
func (s Store) listFor(g *db.Generation) (*past.List, error) {
	if g.Failure != nil {
		return nil, nil
	}
	list := past.ListOf(g)
	key := list.Key()
	stored, err := s.List(key)
	if err != nil {
		return nil, err
	}
	if stored != nil {
		return past.ReadList(stored)
	}
	packed, err := list.Pack()
	if err != nil {
		return nil, err
	}
	return list, s.PutList(key, packed)
}

// dropFindings removes the findings of the generations up to a number, which come before the current one.
func (s Store) dropFindings(report uuid.UUID, number int) error {
	if number < 1 {
		return nil
	}
	return s.DropBefore(report, number)
}
