// Package generations keeps the generations of an account's reports in its buckets: chunks of packed generations, the lists of checks that they
// refer to, and the findings of those before the newest.
package generations

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/internal/past"
)

// Store is the buckets of one account, in a transaction.
//
// The key of a chunk is the report's id and the number of its first generation, the latter with all bits turned around: so the chunk that has
// a number is the first one whose key is not smaller than that of the number, and the newest chunk comes first.
type Store struct {
	Chunks *bbolt.Bucket // report|number of the first generation, turned around -> chunk
	Lists  *bbolt.Bucket // key of a list -> list of checks
	Found  *bbolt.Bucket // report -> what its newest successful generation found
	Before *bbolt.Bucket // report|number -> what a successful generation before that found
}

const keySize = 16 + 4

func chunkKey(report uuid.UUID, first int) []byte {
	return binary.BigEndian.AppendUint32(report[:], ^uint32(first))
}

func findingsKey(report uuid.UUID, number int) []byte {
	return binary.BigEndian.AppendUint32(report[:], uint32(number))
}

func listKey(key uint64) []byte { return binary.BigEndian.AppendUint64(nil, key) }

// Chunk is a chunk as it is stored. Its bytes are valid inside the transaction only.
type Chunk struct {
	past.Head
	Bytes []byte
}

// chunkOf returns the chunk at a key; the zero Chunk where the key is not one of the report.
func chunkOf(report uuid.UUID, key, stored []byte) (Chunk, error) {
	if len(key) != keySize || !bytes.HasPrefix(key, report[:]) {
		return Chunk{}, nil
	}
	head, err := past.ReadHead(stored, int(^binary.BigEndian.Uint32(key[16:])))
	if err != nil {
		return Chunk{}, fmt.Errorf("report %s: %w", report, err)
	}
	return Chunk{head, stored}, nil
}

// Newest returns the newest chunk of a report; the zero Chunk if it has none.
func (s Store) Newest(report uuid.UUID) (Chunk, error) {
	key, stored := s.Chunks.Cursor().Seek(report[:])
	return chunkOf(report, key, stored)
}

// back calls visit for the chunks of a report that have generations up to a number, the newest first, until it returns false.
func (s Store) back(report uuid.UUID, from int, visit func(Chunk) bool) error {
	c := s.Chunks.Cursor()
	for key, stored := c.Seek(chunkKey(report, from)); ; key, stored = c.Next() {
		chunk, err := chunkOf(report, key, stored)
		if err != nil || chunk.Count == 0 || !visit(chunk) {
			return err
		}
	}
}

// list returns the list with a key.
func (s Store) list(key uint64) (*past.List, error) {
	stored := s.Lists.Get(listKey(key))
	if stored == nil {
		return nil, fmt.Errorf("the list of checks %016x is missing", key)
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
			return s.Chunks.Put(chunkKey(report, newest.First), longer)
		}
	}
	chunk, first := past.Begin(newest.Head, g, list)
	return s.Chunks.Put(chunkKey(report, first), chunk)
}

// listFor returns the stored list of a generation, and stores it if it is a new one.
func (s Store) listFor(g *db.Generation) (*past.List, error) {
	if g.Failure != nil {
		return nil, nil
	}
	list := past.ListOf(g)
	key := list.Key()
	if stored := s.Lists.Get(listKey(key)); stored != nil {
		return past.ReadList(stored)
	}
	packed, err := list.Pack()
	if err != nil {
		return nil, err
	}
	return list, s.Lists.Put(listKey(key), packed)
}

// dropFindings removes the findings of the generations up to a number, which come before the current one.
func (s Store) dropFindings(report uuid.UUID, number int) error {
	if number < 1 {
		return nil
	}
	return removeRange(s.Before, findingsKey(report, 0), findingsKey(report, number))
}

// Remove removes all that there is of a report.
func (s Store) Remove(report uuid.UUID) error {
	first, last := binary.BigEndian.AppendUint32(report[:], 0), binary.BigEndian.AppendUint32(report[:], 1<<32-1)
	if err := removeRange(s.Chunks, first, last); err != nil {
		return err
	}
	return removeRange(s.Before, first, last)
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
