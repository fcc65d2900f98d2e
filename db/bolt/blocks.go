package bolt

import (
	"bytes"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
)

// A search block holds up to blockRows reports in the order of their ids:
//
//	number of rows (2) | signature | results (1 each) | ends of the texts (4) | projects (4) | generated (8) | ids (16) | texts, each with a 0 behind it
//
// The signature has a bit set for every trigram of the texts, so that a block without one of the needle's is passed over. Texts are
// folded urls, which have no 0, so that one search over all of them finds no match across two rows. What a search looks at most stands
// together and first: a search for a common word reads most blocks, and memory is what it waits for.
const (
	blockRows     = 64
	signatureSize = 1024
	blockHeader   = 2 + signatureSize
	resultAt      = 0 // these, times the number of rows, are where the columns begin
	endAt         = resultAt + 1
	projectAt     = endAt + 4
	generatedAt   = projectAt + 4
	idAt          = generatedAt + 8
	textAt        = idAt + 16
)

// searchRow is a report as search blocks have it.
type searchRow struct {
	id        uuid.UUID
	result    audit.Result
	project   uint32
	generated int64
	text      string
}

// rowChange puts a row, in the place of an earlier one with its id, or removes it.
type rowChange struct {
	row    searchRow
	remove bool
}

// trigramBit returns the bit of a signature that stands for a trigram.
func trigramBit(a, b, c byte) uint32 {
	h := (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1 // Fibonacci hashing: the high bits are well mixed
	return h >> (32 - 13)                                        // 2^13 = 8 * signatureSize
}

// encodeBlock returns the stored form of up to blockRows rows, which are in the order of their ids.
func encodeBlock(rows []searchRow) []byte {
	size := blockHeader + len(rows)*textAt
	for _, r := range rows {
		size += len(r.text) + 1
	}
	b := make([]byte, blockHeader, size)
	binary.BigEndian.PutUint16(b, uint16(len(rows)))
	signature := b[2:blockHeader]
	for _, r := range rows {
		for i := 2; i < len(r.text); i++ {
			bit := trigramBit(r.text[i-2], r.text[i-1], r.text[i])
			signature[bit/8] |= 1 << (bit % 8)
		}
	}
	for _, r := range rows {
		b = append(b, byte(r.result))
	}
	end := 0
	for _, r := range rows {
		end += len(r.text) + 1
		b = binary.BigEndian.AppendUint32(b, uint32(end))
	}
	for _, r := range rows {
		b = binary.BigEndian.AppendUint32(b, r.project)
	}
	for _, r := range rows {
		b = binary.BigEndian.AppendUint64(b, uint64(r.generated))
	}
	for _, r := range rows {
		b = append(b, r.id[:]...)
	}
	for _, r := range rows {
		b = append(append(b, r.text...), 0)
	}
	return b
}

// block is a stored search block. Its parts are valid inside the transaction only.
type block struct {
	rows    int
	columns []byte
	texts   []byte
}

// openBlock returns the parts of a stored block; one that is damaged has no rows.
func openBlock(stored []byte) block {
	if len(stored) < blockHeader {
		return block{}
	}
	n := int(binary.BigEndian.Uint16(stored))
	if len(stored) < blockHeader+n*textAt {
		return block{}
	}
	rest := stored[blockHeader:]
	b := block{n, rest[:n*textAt], rest[n*textAt:]}
	if n > 0 && b.end(n-1) != len(b.texts) {
		return block{}
	}
	return b
}

// blockTexts returns the texts of a stored block alone. What stands before them is not looked at, so that memory is not waited for.
func blockTexts(stored []byte) []byte {
	if len(stored) < blockHeader {
		return nil
	}
	return stored[min(len(stored), blockHeader+int(binary.BigEndian.Uint16(stored))*textAt):]
}

func (b block) result(i int) audit.Result { return audit.Result(b.columns[resultAt*b.rows+i]) }
func (b block) resultKey(i int) []byte    { return b.columns[resultAt*b.rows+i:][:1] }
func (b block) end(i int) int             { return int(binary.BigEndian.Uint32(b.columns[endAt*b.rows+4*i:])) }
func (b block) project(i int) uint32 {
	return binary.BigEndian.Uint32(b.columns[projectAt*b.rows+4*i:])
}
func (b block) generatedKey(i int) []byte { return b.columns[generatedAt*b.rows+8*i:][:8] }
func (b block) idKey(i int) []byte        { return b.columns[idAt*b.rows+16*i:][:16] }
func (b block) id(i int) uuid.UUID        { return uuid.UUID(b.idKey(i)) }

// text returns the folded url of row i.
func (b block) text(i int) []byte {
	start := 0
	if i > 0 {
		start = b.end(i - 1)
	}
	return b.texts[start : b.end(i)-1]
}

// decode returns the rows of a block, in memory of their own.
func (b block) decode() []searchRow {
	rows := make([]searchRow, b.rows)
	for i := range rows {
		rows[i] = searchRow{
			id: b.id(i), result: b.result(i), project: b.project(i),
			generated: int64(binary.BigEndian.Uint64(b.generatedKey(i))), text: string(b.text(i)),
		}
	}
	return rows
}

// applyRows changes rows of the search blocks; each block that is touched is written once. Slices whose blocks get other texts or
// another number are made again.
func (a *accountTx) applyRows(changes []rowChange) error {
	slices.SortFunc(changes, func(x, y rowChange) int { return bytes.Compare(x.row.id[:], y.row.id[:]) })
	blocks := a.bucket(searchBucket)
	var gaps []*gap // in order; the last one may hold the next block too
	for len(changes) > 0 {
		key, next, rows := blockFor(blocks, changes[0].row.id)
		n := sort.Search(len(changes), func(i int) bool { return next != nil && bytes.Compare(changes[i].row.id[:], next) >= 0 })
		merged := mergeRows(rows, changes[:n])
		if key != nil && !sameSlice(rows, merged) && (len(gaps) == 0 || !gaps[len(gaps)-1].holds(key)) {
			g, err := a.dropSlice(key)
			if err != nil {
				return err
			}
			if g != nil {
				gaps = append(gaps, g)
			}
		}
		if err := replaceBlock(blocks, key, merged, next == nil); err != nil {
			return err
		}
		changes = changes[n:]
	}
	for _, g := range gaps {
		if err := a.coverGap(g); err != nil {
			return err
		}
	}
	return a.coverBlocks(bytes.Clone(a.tailStart()))
}

// sameSlice reports whether a slice over a block with these rows still holds when it has those others: it begins with the same row, and
// has no new text.
func sameSlice(old, new []searchRow) bool {
	if len(old) == 0 || len(new) == 0 || old[0].id != new[0].id {
		return false
	}
	for _, r := range new {
		for len(old) > 0 && old[0].id != r.id {
			old = old[1:]
		}
		if len(old) == 0 || old[0].text != r.text {
			return false
		}
	}
	return true
}

// blockFor returns the block that a row with this id belongs to: its key (nil where there is no block yet), the next block's
// key (nil for the last block) and its rows.
func blockFor(blocks *bbolt.Bucket, id uuid.UUID) (key, next []byte, rows []searchRow) {
	c := blocks.Cursor()
	k, v := entryAtOrBefore(c, id[:])
	if k == nil { // before all blocks: the first one takes it
		k, v = c.First()
	}
	if k == nil {
		return nil, nil, nil
	}
	key, rows = bytes.Clone(k), openBlock(v).decode()
	k, _ = c.Next()
	return key, bytes.Clone(k), rows
}

// mergeRows returns rows with the changes made. Both are in the order of their ids.
func mergeRows(rows []searchRow, changes []rowChange) []searchRow {
	merged := make([]searchRow, 0, len(rows)+len(changes))
	for _, c := range changes {
		for len(rows) > 0 && bytes.Compare(rows[0].id[:], c.row.id[:]) < 0 {
			merged, rows = append(merged, rows[0]), rows[1:]
		}
		if len(rows) > 0 && rows[0].id == c.row.id {
			rows = rows[1:]
		}
		if !c.remove {
			merged = append(merged, c.row)
		}
	}
	return append(merged, rows...)
}

// replaceBlock stores rows in the place of the block at key. More than a block holds are divided: at the end of all rows into full
// blocks, since the next rows come behind them, and elsewhere evenly.
func replaceBlock(blocks *bbolt.Bucket, key []byte, rows []searchRow, last bool) error {
	if key != nil && (len(rows) == 0 || !bytes.Equal(key, rows[0].id[:])) {
		if err := blocks.Delete(key); err != nil {
			return err
		}
	}
	size := blockRows
	if !last {
		parts := (len(rows) + blockRows - 1) / blockRows
		size = (len(rows) + max(parts, 1) - 1) / max(parts, 1)
	}
	for part := range slices.Chunk(rows, max(size, 1)) {
		if err := blocks.Put(bytes.Clone(part[0].id[:]), encodeBlock(part)); err != nil {
			return err
		}
	}
	return nil
}
