package db

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
//	number of rows (2) | signature | a column for each row | end of each row's text (4 each) | texts, each with a 0 behind it
//
// The signature has a bit set for every trigram of the texts, so that a block without one of the needle's is passed over. Texts are
// folded urls, which have no 0, so that one search over all of them finds no match across two rows.
const (
	blockRows      = 64
	signatureSize  = 1024
	blockHeader    = 2 + signatureSize
	columnSize     = 16 + 1 + 4 + 8 // id, result, project, generated
	blockRowHeader = columnSize + 4
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

// trigramBit gives the bit of a signature that stands for a trigram.
func trigramBit(a, b, c byte) uint32 {
	h := (uint32(a) | uint32(b)<<8 | uint32(c)<<16) * 0x9E3779B1 // Fibonacci hashing: the high bits are well mixed
	return h >> (32 - 13)                                        // 2^13 = 8 * signatureSize
}

// encodeBlock gives the stored form of up to blockRows rows, which are in the order of their ids.
func encodeBlock(rows []searchRow) []byte {
	size := blockHeader + len(rows)*blockRowHeader
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
		b = append(b, r.id[:]...)
		b = append(b, byte(r.result))
		b = binary.BigEndian.AppendUint32(b, r.project)
		b = binary.BigEndian.AppendUint64(b, uint64(r.generated))
	}
	end := 0
	for _, r := range rows {
		end += len(r.text) + 1
		b = binary.BigEndian.AppendUint32(b, uint32(end))
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
	ends    []byte
	texts   []byte
}

// openBlock gives the parts of a stored block; one that is damaged has no rows.
func openBlock(stored []byte) block {
	if len(stored) < blockHeader {
		return block{}
	}
	n := int(binary.BigEndian.Uint16(stored))
	if len(stored) < blockHeader+n*blockRowHeader {
		return block{}
	}
	rest := stored[blockHeader:]
	return block{n, rest[:n*columnSize], rest[n*columnSize : n*blockRowHeader], rest[n*blockRowHeader:]}
}

func (b block) column(i int) []byte       { return b.columns[i*columnSize:] }
func (b block) id(i int) uuid.UUID        { return uuid.UUID(b.column(i)[:16]) }
func (b block) result(i int) audit.Result { return audit.Result(b.column(i)[16]) }
func (b block) project(i int) uint32      { return binary.BigEndian.Uint32(b.column(i)[17:]) }
func (b block) generatedKey(i int) []byte { return b.column(i)[21:29] }
func (b block) end(i int) int             { return int(binary.BigEndian.Uint32(b.ends[4*i:])) }

// text gives the folded url of row i.
func (b block) text(i int) []byte {
	start := 0
	if i > 0 {
		start = b.end(i - 1)
	}
	return b.texts[start : b.end(i)-1]
}

// rowAt gives the row that a place in texts belongs to.
func (b block) rowAt(at, from int) int {
	return from + sort.Search(b.rows-from-1, func(i int) bool { return b.end(from+i) > at })
}

// decode gives the rows of a block, in memory of their own.
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

// applyRows changes rows of the search blocks; each block that is touched is written once.
func (a *accountTx) applyRows(changes []rowChange) error {
	slices.SortFunc(changes, func(x, y rowChange) int { return bytes.Compare(x.row.id[:], y.row.id[:]) })
	blocks := a.bucket(searchBucket)
	for len(changes) > 0 {
		key, next, rows := blockFor(blocks, changes[0].row.id)
		n := sort.Search(len(changes), func(i int) bool { return next != nil && bytes.Compare(changes[i].row.id[:], next) >= 0 })
		if err := replaceBlock(blocks, key, mergeRows(rows, changes[:n]), next == nil); err != nil {
			return err
		}
		changes = changes[n:]
	}
	return nil
}

// blockFor gives the block that a row with this id belongs to: its key (nil where there is no block yet), the next block's
// key (nil for the last block) and its rows.
func blockFor(blocks *bbolt.Bucket, id uuid.UUID) (key, next []byte, rows []searchRow) {
	c := blocks.Cursor()
	k, v := seekAtOrBefore(c, id[:])
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

// mergeRows gives rows with the changes made. Both are in the order of their ids.
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

// needle is what a search looks for, folded, with the bits that a block's signature must have.
type needle struct {
	text []byte
	bits []uint32
}

func newNeedle(folded string) needle {
	n := needle{text: []byte(folded)}
	for i := 2; i < len(n.text); i++ {
		n.bits = append(n.bits, trigramBit(n.text[i-2], n.text[i-1], n.text[i]))
	}
	slices.Sort(n.bits)
	n.bits = slices.Compact(n.bits)
	return n
}

// mayBeIn says whether a stored block may have a match.
func (n needle) mayBeIn(stored []byte) bool {
	if len(stored) < blockHeader {
		return false
	}
	signature := stored[2:blockHeader]
	for _, bit := range n.bits {
		if signature[bit/8]&(1<<(bit%8)) == 0 {
			return false
		}
	}
	return true
}

// matches calls visit for each row of a block that has the needle, in order.
func (n needle) matches(b block, visit func(row int)) {
	for at, row := 0, 0; row < b.rows; row++ {
		i := bytes.Index(b.texts[at:], n.text)
		if i < 0 {
			return
		}
		row = b.rowAt(at+i, row)
		visit(row)
		at = b.end(row)
	}
}
