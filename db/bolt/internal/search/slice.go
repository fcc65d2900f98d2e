package search

import (
	"encoding/binary"
	"math/bits"
)

// A slice is the signatures of up to SliceBlocks search blocks that follow each other, turned around: for each trigram bit a word that
// has a bit for each block. A search for a rare word reads a few words of a slice and knows which of its blocks to look at, where it
// would read something of every block. Stored under the key of its first block:
//
//	number of blocks (1) | 8 * signatureSize words (8 each, little endian)
//
// Slices cover all blocks from the first on, without gaps, but for the last ones: those are still being filled, and are looked at one by
// one. A word may have bits too many after a row was removed, never too few.
const (
	SliceBlocks = 64
	SliceSize   = 1 + 8*8*signatureSize
)

// EncodeSlice returns the stored form of a slice over stored blocks, of which BlockHeader bytes are enough.
func EncodeSlice(blocks [][]byte) []byte {
	b := make([]byte, SliceSize)
	b[0] = byte(len(blocks))
	for i, stored := range blocks {
		for at, c := range stored[2:BlockHeader] {
			for ; c != 0; c &= c - 1 {
				bit := 8*at + bits.TrailingZeros8(c)
				b[1+8*bit+i/8] |= 1 << (i % 8)
			}
		}
	}
	return b
}

// SameSlice reports whether a slice over a block with these rows still holds when it has those others: it begins with the same row, and
// has no new text.
func SameSlice(old, new []Row) bool {
	if len(old) == 0 || len(new) == 0 || old[0].ID != new[0].ID {
		return false
	}
	for _, r := range new {
		for len(old) > 0 && old[0].ID != r.ID {
			old = old[1:]
		}
		if len(old) == 0 || old[0].Text != r.Text {
			return false
		}
	}
	return true
}

// Candidates returns a bit for each block of a stored slice that may have a match.
func (n *Needle) Candidates(slice []byte) uint64 {
	mask := ^uint64(0) >> (64 - slice[0])
	for _, bit := range n.bits {
		if mask &= binary.LittleEndian.Uint64(slice[1+8*bit:]); mask == 0 {
			break
		}
	}
	return mask
}
