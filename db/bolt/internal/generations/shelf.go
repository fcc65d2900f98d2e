// Package generations has where the generations of an account's reports stand in its buckets.
package generations

import (
	"bytes"
	"encoding/binary"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"
)

// Shelf is the buckets of one account, in a transaction.
//
// The key of a chunk is the report's id and the number of its first generation, the latter with all bits turned around: so the chunk that has
// a number is the first one whose key is not smaller than that of the number, and the newest chunk comes first.
type Shelf struct {
	Chunks  *bbolt.Bucket // report|number of the first generation, turned around -> chunk
	Lists   *bbolt.Bucket // key of a list -> list of checks
	Newest  *bbolt.Bucket // report -> what its newest successful generation found
	Earlier *bbolt.Bucket // report|number -> what a successful generation before that found
}

const keySize = 16 + 4

func chunkKey(report uuid.UUID, first int) []byte {
	return binary.BigEndian.AppendUint32(report[:], ^uint32(first))
}

func findingsKey(report uuid.UUID, number int) []byte {
	return binary.BigEndian.AppendUint32(report[:], uint32(number))
}

func listKey(key uint64) []byte { return binary.BigEndian.AppendUint64(nil, key) }

func firstOf(key []byte) int { return int(^binary.BigEndian.Uint32(key[16:])) }

// Back is documented in generations.Shelf.
func (s *Shelf) Back(report uuid.UUID, from int, visit func(first int, chunk []byte) bool) error {
	c := s.Chunks.Cursor()
	for key, stored := c.Seek(chunkKey(report, from)); len(key) == keySize && bytes.HasPrefix(key, report[:]); key, stored = c.Next() {
		if !visit(firstOf(key), stored) {
			break
		}
	}
	return nil
}

// PutChunk is documented in generations.Shelf.
func (s *Shelf) PutChunk(report uuid.UUID, first int, chunk []byte) error {
	return s.Chunks.Put(chunkKey(report, first), chunk)
}

// List is documented in generations.Shelf.
func (s *Shelf) List(key uint64) ([]byte, error) { return s.Lists.Get(listKey(key)), nil }

// PutList is documented in generations.Shelf.
func (s *Shelf) PutList(key uint64, packed []byte) error { return s.Lists.Put(listKey(key), packed) }

// Found is documented in generations.Shelf.
func (s *Shelf) Found(report uuid.UUID) ([]byte, error) { return s.Newest.Get(report[:]), nil }

// Before is documented in generations.Shelf.
func (s *Shelf) Before(report uuid.UUID, number int) ([]byte, error) {
	return s.Earlier.Get(findingsKey(report, number)), nil
}

// PutBefore is documented in generations.Shelf.
func (s *Shelf) PutBefore(report uuid.UUID, number int, packed []byte) error {
	return s.Earlier.Put(findingsKey(report, number), bytes.Clone(packed))
}

// DropBefore is documented in generations.Shelf.
func (s *Shelf) DropBefore(report uuid.UUID, number int) error {
	return removeRange(s.Earlier, findingsKey(report, 0), findingsKey(report, number))
}

// Remove removes all that there is of a report.
func (s *Shelf) Remove(report uuid.UUID) error {
	first, last := binary.BigEndian.AppendUint32(report[:], 0), binary.BigEndian.AppendUint32(report[:], 1<<32-1)
	if err := removeRange(s.Chunks, first, last); err != nil {
		return err
	}
	return removeRange(s.Earlier, first, last)
}

// removeRange removes the entries from one key to another, both included.
func removeRange(b *bbolt.Bucket, first, last []byte) error {
	var keys [][]byte
	c := b.Cursor()
	for k, _ := c.Seek(first); k != nil && bytes.Compare(k, last) <= 0; k, _ = c.Next() {
		keys = append(keys, bytes.Clone(k)) // deleting moves a cursor
	}
	for _, key := range keys {
		if err := b.Delete(key); err != nil {
			return err
		}
	}
	return nil
}

// EachChunk is documented in generations.Shelf.
func (s *Shelf) EachChunk(visit func(report uuid.UUID, first int, chunk []byte)) error {
	return each(s.Chunks, func(key, stored []byte) { visit(uuid.UUID(key[:16]), firstOf(key), stored) })
}

// EachBefore is documented in generations.Shelf.
func (s *Shelf) EachBefore(visit func(report uuid.UUID, number int)) error {
	return each(s.Earlier, func(key, _ []byte) { visit(uuid.UUID(key[:16]), int(binary.BigEndian.Uint32(key[16:]))) })
}

// each calls visit for each entry. A key of another length is damage, and given as one of no report.
func each(b *bbolt.Bucket, visit func(key, stored []byte)) error {
	c := b.Cursor()
	for key, stored := c.First(); key != nil; key, stored = c.Next() {
		if len(key) != keySize {
			key = make([]byte, keySize)
		}
		visit(key, stored)
	}
	return nil
}
