// Package search has what a search looks through and what it looks for: blocks of rows with the trigrams of their texts, slices that tell which
// blocks to look at, needles, and selections that keep one page of what is found. All is in memory; where blocks and slices are stored, and
// which of them make a list, is for those who call.
package search

import (
	"bytes"
	"encoding/binary"

	"github.com/google/uuid"

	"sitegrade/audit"
)

// A search block holds up to BlockRows reports in the order of their ids:
//
//	number of rows (2) | signature | results (1 each) | ends of the texts (4) | projects (4) | generated (8) | ids (16) | texts, each with a 0 behind it
//
// The signature has a bit set for every trigram of the texts, so that a block without one of the needle's is passed over. Texts are
// folded urls, which have no 0, so that one search over all of them finds no match across two rows. What a search looks at most stands
// together and first: a search for a common word reads most blocks, and memory is what it waits for.
const (
	BlockRows     = 64
	signatureSize = 1024
	BlockHeader   = 2 + signatureSize // what EncodeSlice needs of a block
	resultAt      = 0                 // these, times the number of rows, are where the columns begin
	endAt         = resultAt + 1
	projectAt     = endAt + 4
	generatedAt   = projectAt + 4
	idAt          = generatedAt + 8
	textAt        = idAt + 16
)

// Row is a report as search blocks have it. Its text is what is searched: the folded url.
type Row struct {
	ID        uuid.UUID
	Result    audit.Result
	Project   uint32
	Generated int64
	Text      string
}

// RowChange puts a row, in the place of an earlier one with its id, or removes it.
type RowChange struct {
	Row    Row
	Remove bool
}

// trigramBit returns the bit of a signature that stands for a trigram.
func trigramBit(a, b, c byte) uint32 {
	h := (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1 // Fibonacci hashing: the high bits are well mixed
	return h >> (32 - 13)                                        // 2^13 = 8 * signatureSize
}

// EncodeBlock returns the stored form of up to BlockRows rows, which are in the order of their ids.
func EncodeBlock(rows []Row) []byte {
	size := BlockHeader + len(rows)*textAt
	for _, r := range rows {
		size += len(r.Text) + 1
	}
	b := make([]byte, BlockHeader, size)
	binary.BigEndian.PutUint16(b, uint16(len(rows)))
	signature := b[2:BlockHeader]
	for _, r := range rows {
		for i := 2; i < len(r.Text); i++ {
			bit := trigramBit(r.Text[i-2], r.Text[i-1], r.Text[i])
			signature[bit/8] |= 1 << (bit % 8)
		}
	}
	for _, r := range rows {
		b = append(b, byte(r.Result))
	}
	end := 0
	for _, r := range rows {
		end += len(r.Text) + 1
		b = binary.BigEndian.AppendUint32(b, uint32(end))
	}
	for _, r := range rows {
		b = binary.BigEndian.AppendUint32(b, r.Project)
	}
	for _, r := range rows {
		b = binary.BigEndian.AppendUint64(b, uint64(r.Generated))
	}
	for _, r := range rows {
		b = append(b, r.ID[:]...)
	}
	for _, r := range rows {
		b = append(append(b, r.Text...), 0)
	}
	return b
}

// Block is a stored search block. Its parts are valid as long as what it was opened from.
type Block struct {
	rows    int
	columns []byte
	texts   []byte
}

// OpenBlock returns the parts of a stored block; one that is damaged has no rows.
func OpenBlock(stored []byte) Block {
	if len(stored) < BlockHeader {
		return Block{}
	}
	n := int(binary.BigEndian.Uint16(stored))
	if len(stored) < BlockHeader+n*textAt {
		return Block{}
	}
	rest := stored[BlockHeader:]
	b := Block{n, rest[:n*textAt], rest[n*textAt:]}
	if n > 0 && b.end(n-1) != len(b.texts) {
		return Block{}
	}
	return b
}

// BlockTexts returns the texts of a stored block alone. What stands before them is not looked at, so that memory is not waited for.
func BlockTexts(stored []byte) []byte {
	if len(stored) < BlockHeader {
		return nil
	}
	return stored[min(len(stored), BlockHeader+int(binary.BigEndian.Uint16(stored))*textAt):]
}

// Result returns the result of row i.
func (b Block) Result(i int) audit.Result { return audit.Result(b.columns[resultAt*b.rows+i]) }

// ResultKey returns that as a byte that sorts as results do.
func (b Block) ResultKey(i int) []byte { return b.columns[resultAt*b.rows+i:][:1] }

// end returns where the text of row i ends, with the 0 behind it.
func (b Block) end(i int) int { return int(binary.BigEndian.Uint32(b.columns[endAt*b.rows+4*i:])) }

// Project returns the number of the project of row i.
func (b Block) Project(i int) uint32 {
	return binary.BigEndian.Uint32(b.columns[projectAt*b.rows+4*i:])
}

// GeneratedKey returns when row i was generated, in bytes that sort as times do.
func (b Block) GeneratedKey(i int) []byte { return b.columns[generatedAt*b.rows+8*i:][:8] }

// IDKey returns the id of row i as bytes.
func (b Block) IDKey(i int) []byte { return b.columns[idAt*b.rows+16*i:][:16] }

// ID returns the id of row i.
func (b Block) ID(i int) uuid.UUID { return uuid.UUID(b.IDKey(i)) }

// Text returns the folded url of row i.
func (b Block) Text(i int) []byte {
	start := 0
	if i > 0 {
		start = b.end(i - 1)
	}
	return b.texts[start : b.end(i)-1]
}

// Decode returns the rows of a block, in memory of their own.
func (b Block) Decode() []Row {
	rows := make([]Row, b.rows)
	for i := range rows {
		rows[i] = Row{
			ID: b.ID(i), Result: b.Result(i), Project: b.Project(i),
			Generated: int64(binary.BigEndian.Uint64(b.GeneratedKey(i))), Text: string(b.Text(i)),
		}
	}
	return rows
}

// MergeRows returns rows with the changes made. Both are in the order of their ids.
func MergeRows(rows []Row, changes []RowChange) []Row {
	merged := make([]Row, 0, len(rows)+len(changes))
	for _, c := range changes {
		for len(rows) > 0 && bytes.Compare(rows[0].ID[:], c.Row.ID[:]) < 0 {
			merged, rows = append(merged, rows[0]), rows[1:]
		}
		if len(rows) > 0 && rows[0].ID == c.Row.ID {
			rows = rows[1:]
		}
		if !c.Remove {
			merged = append(merged, c.Row)
		}
	}
	return append(merged, rows...)
}
