// Package sliced keeps the second level of the search: slices, which tell of up to 64 blocks at once whether a trigram may be in them.
package sliced

import (
	"bytes"

	"go.etcd.io/bbolt"

	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
)

// Store is the buckets of one account, in a transaction.
type Store struct {
	Blocks *bbolt.Bucket // id of its first row -> block
	Slices *bbolt.Bucket // id of its first block -> slice
}

// EachCandidate calls visit for every block that may have a match, in the order of ids or against it.
func (s Store) EachCandidate(n *search.Needle, descending bool, visit func(stored []byte)) {
	if descending {
		s.eachTailCandidate(n, true, visit)
	}
	blocks, slices := s.Blocks.Cursor(), s.Slices.Cursor()
	start, step := slices.First, slices.Next
	if descending {
		start, step = func() ([]byte, []byte) { return order.LastEntry(slices) }, slices.Prev
	}
	for key, slice := start(); key != nil; key, slice = step() {
		if mask := n.Candidates(slice); mask != 0 {
			eachMasked(blocks, key, mask, descending, visit)
		}
	}
	if !descending {
		s.eachTailCandidate(n, false, visit)
	}
}

// eachMasked calls visit for those of the blocks from first on that mask has a bit for.
func eachMasked(blocks *bbolt.Cursor, first []byte, mask uint64, descending bool, visit func(stored []byte)) {
	var wanted [search.SliceBlocks][]byte
	count := 0
	for key, stored := blocks.Seek(first); key != nil && mask != 0; key, stored = blocks.Next() {
		if mask&1 != 0 {
			wanted[count] = stored
			count++
		}
		mask >>= 1
	}
	for i := range count {
		if descending {
			i = count - 1 - i
		}
		visit(wanted[i])
	}
}

// eachTailCandidate looks at the blocks that no slice covers.
func (s Store) eachTailCandidate(n *search.Needle, descending bool, visit func(stored []byte)) {
	tail := s.TailStart()
	if tail == nil {
		return
	}
	c := s.Blocks.Cursor()
	key, stored := c.Seek(tail)
	step := c.Next
	if descending {
		key, stored = order.LastEntry(c)
		step = c.Prev
	}
	for ; key != nil && bytes.Compare(key, tail) >= 0; key, stored = step() {
		if n.MayBeIn(stored) {
			visit(stored)
		}
	}
}

// TailStart returns the key of the first block that no slice covers; nil when all are covered.
func (s Store) TailStart() []byte {
	last, slice := order.LastEntry(s.Slices.Cursor())
	return s.behindSlice(last, slice)
}

// behindSlice returns the key of the first block behind a slice, or of the very first one where there is no slice; nil if there is no such block.
func (s Store) behindSlice(first, slice []byte) []byte {
	c := s.Blocks.Cursor()
	if first == nil {
		key, _ := c.First()
		return key
	}
	key, _ := c.Seek(first)
	for range slice[0] {
		key, _ = c.Next()
	}
	return key
}

// Gap is a part of the blocks whose slice was dropped: from there to the next slice, or to the end.
type Gap struct{ from, to []byte }

// Holds reports whether a block belongs to the gap, or to what follows the one behind the last slice.
func (g *Gap) Holds(block []byte) bool { return g.to == nil || bytes.Compare(block, g.to) < 0 }

// SliceOf returns the key of the slice that covers a block, and whether there is one.
func (s Store) SliceOf(block []byte) (key []byte, covered bool) {
	if tail := s.TailStart(); tail != nil && bytes.Compare(block, tail) >= 0 {
		return nil, false
	}
	key, _ = order.EntryAtOrBefore(s.Slices.Cursor(), block)
	return key, key != nil
}

// DropSlice removes a slice and returns the gap that it leaves.
func (s Store) DropSlice(key []byte) (*Gap, error) {
	slices := s.Slices
	g := &Gap{from: bytes.Clone(key)}
	c := slices.Cursor()
	c.Seek(key)
	next, _ := c.Next()
	g.to = bytes.Clone(next)
	return g, slices.Delete(g.from)
}

// CoverGap makes slices for the blocks of a gap, which may have got other keys since.
func (s Store) CoverGap(g *Gap) error {
	c := s.Slices.Cursor()
	previous, slice := order.EntryAtOrBefore(c, g.from)
	return s.CoverBlocks(bytes.Clone(s.behindSlice(previous, slice)))
}

// CoverBlocks makes slices for the blocks between from and the next slice, evenly, or, behind the last slice, for as many full groups as
// there are beside the block that is being filled.
func (s Store) CoverBlocks(from []byte) error {
	if from == nil {
		return nil
	}
	slices := s.Slices
	next, _ := slices.Cursor().Seek(from)
	next = bytes.Clone(next)
	var keys, blocks [][]byte
	c := s.Blocks.Cursor()
	for key, stored := c.Seek(from); key != nil && (next == nil || bytes.Compare(key, next) < 0); key, stored = c.Next() {
		keys, blocks = append(keys, bytes.Clone(key)), append(blocks, bytes.Clone(stored[:search.BlockHeader]))
	}
	size := search.SliceBlocks
	if next != nil {
		parts := (len(keys) + search.SliceBlocks - 1) / search.SliceBlocks
		size = (len(keys) + max(parts, 1) - 1) / max(parts, 1)
	}
	for len(keys) > 0 && (next != nil || len(keys) > search.SliceBlocks) {
		n := min(size, len(keys))
		if err := slices.Put(keys[0], search.EncodeSlice(blocks[:n])); err != nil {
			return err
		}
		keys, blocks = keys[n:], blocks[n:]
	}
	return nil
}
