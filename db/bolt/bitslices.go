package bolt

import (
	"bytes"

	"go.etcd.io/bbolt"

	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
)

// eachCandidate calls visit for every block that may have a match, in the order of ids or against it.
func (a *accountTx) eachCandidate(n *search.Needle, descending bool, visit func(stored []byte)) {
	if descending {
		a.eachTailCandidate(n, true, visit)
	}
	blocks, slices := a.bucket(searchBucket).Cursor(), a.bucket(slicesBucket).Cursor()
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
		a.eachTailCandidate(n, false, visit)
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
func (a *accountTx) eachTailCandidate(n *search.Needle, descending bool, visit func(stored []byte)) {
	tail := a.tailStart()
	if tail == nil {
		return
	}
	c := a.bucket(searchBucket).Cursor()
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

// tailStart returns the key of the first block that no slice covers; nil when all are covered.
func (a *accountTx) tailStart() []byte {
	last, slice := order.LastEntry(a.bucket(slicesBucket).Cursor())
	return a.behindSlice(last, slice)
}

// behindSlice returns the key of the first block behind a slice, or of the very first one where there is no slice; nil if there is no such block.
func (a *accountTx) behindSlice(first, slice []byte) []byte {
	c := a.bucket(searchBucket).Cursor()
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

// gap is a part of the blocks whose slice was dropped: from there to the next slice, or to the end.
type gap struct{ from, to []byte }

func (g *gap) holds(block []byte) bool { return g.to == nil || bytes.Compare(block, g.to) < 0 }

// sliceOf returns the key of the slice that covers a block, and whether there is one.
func (a *accountTx) sliceOf(block []byte) (key []byte, covered bool) {
	if tail := a.tailStart(); tail != nil && bytes.Compare(block, tail) >= 0 {
		return nil, false
	}
	key, _ = order.EntryAtOrBefore(a.bucket(slicesBucket).Cursor(), block)
	return key, key != nil
}

// dropSlice removes a slice and returns the gap that it leaves.
func (a *accountTx) dropSlice(key []byte) (*gap, error) {
	slices := a.bucket(slicesBucket)
	g := &gap{from: bytes.Clone(key)}
	c := slices.Cursor()
	c.Seek(key)
	next, _ := c.Next()
	g.to = bytes.Clone(next)
	return g, slices.Delete(g.from)
}

// coverGap makes slices for the blocks of a gap, which may have got other keys since.
func (a *accountTx) coverGap(g *gap) error {
	c := a.bucket(slicesBucket).Cursor()
	previous, slice := order.EntryAtOrBefore(c, g.from)
	return a.coverBlocks(bytes.Clone(a.behindSlice(previous, slice)))
}

// coverBlocks makes slices for the blocks between from and the next slice, evenly, or, behind the last slice, for as many full groups as
// there are beside the block that is being filled.
func (a *accountTx) coverBlocks(from []byte) error {
	if from == nil {
		return nil
	}
	slices := a.bucket(slicesBucket)
	next, _ := slices.Cursor().Seek(from)
	next = bytes.Clone(next)
	var keys, blocks [][]byte
	c := a.bucket(searchBucket).Cursor()
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
