package crawled

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// A table is a list of rows of a crawl, in chunks. Beside the rows of a chunk stand its columns: what lists are filtered by, so that a filter reads
// a few bytes of each row and a page unpacks nothing but its own chunks.
//
//	crawl|kind|sub|'c'|chunk -> number of rows, 2 bytes; of each row 2 bytes of number, 1 of flags and 2 of the length of its text; the texts
//	crawl|kind|sub|'r'|chunk -> number of rows, 2 bytes; of each row the end of its JSON, 4 bytes; the JSON of all rows (zstd)
//
// sub tells the tables of one kind apart.

// chunkRows is how many rows a chunk has; the last one of a table may have fewer.
const chunkRows = 256

// rowHead is how many bytes a row has in the columns, without its text.
const rowHead = 5

const (
	columnsPart byte = 'c'
	rowsPart    byte = 'r'
)

func tablePrefix(crawl uuid.UUID, kind byte, sub uint16, part byte) []byte {
	return append(binary.BigEndian.AppendUint16(append(crawl[:], kind), sub), part)
}

// cells are what a row is filtered by.
type cells struct {
	number uint16
	flags  byte
	text   string // folded
}

// bounded returns the cells as they are stored.
func (c cells) bounded() cells {
	c.text = c.text[:min(len(c.text), 1<<16-1)]
	return c
}

// chunkWriter gathers the rows of a table.
type chunkWriter struct {
	prefix  func(part byte) []byte
	rows    int // of the whole table
	heads   []byte
	texts   []byte
	ends    []byte
	content []byte
}

func newChunkWriter(crawl uuid.UUID, kind byte, sub uint16) *chunkWriter {
	return &chunkWriter{prefix: func(part byte) []byte { return tablePrefix(crawl, kind, sub, part) }}
}

// entry is a key and its value, which are to be stored.
type entry struct{ key, value []byte }

// add adds a row, and returns what is to be stored if a chunk is full with it.
func (w *chunkWriter) add(c cells, row any) ([]entry, error) {
	text, err := json.Marshal(row)
	if err != nil {
		return nil, fmt.Errorf("storing a row: %w", err)
	}
	c = c.bounded()
	w.heads = binary.BigEndian.AppendUint16(w.heads, c.number)
	w.heads = append(w.heads, c.flags)
	w.heads = binary.BigEndian.AppendUint16(w.heads, uint16(len(c.text)))
	w.texts = append(w.texts, c.text...)
	w.content = append(w.content, text...)
	w.ends = binary.BigEndian.AppendUint32(w.ends, uint32(len(w.content)))
	if w.rows++; w.rows%chunkRows == 0 {
		return w.flush(), nil
	}
	return nil, nil
}

// flush returns the entries of the rows that were added since the chunk before; nil for no rows.
func (w *chunkWriter) flush() []entry {
	n := len(w.ends) / 4
	if n == 0 {
		return nil
	}
	number := binary.BigEndian.AppendUint32(nil, uint32((w.rows-1)/chunkRows))
	columns := append(binary.BigEndian.AppendUint16(nil, uint16(n)), w.heads...)
	entries := []entry{
		{append(w.prefix(columnsPart), number...), append(columns, w.texts...)},
		{append(w.prefix(rowsPart), number...), record.Pack(slices.Concat(columns[:2], w.ends, w.content))},
	}
	w.heads, w.texts, w.ends, w.content = w.heads[:0], w.texts[:0], w.ends[:0], w.content[:0]
	return entries
}

// eachCells calls visit for the cells of a chunk. The text is valid during the call.
func eachCells(columns []byte, visit func(row int, number uint16, flags byte, text []byte)) error {
	if len(columns) < 2 || len(columns) < 2+rowHead*int(binary.BigEndian.Uint16(columns)) {
		return fmt.Errorf("%w: the columns of a crawl", record.ErrDamaged)
	}
	n := int(binary.BigEndian.Uint16(columns))
	heads, texts := columns[2:2+rowHead*n], columns[2+rowHead*n:]
	for row := range n {
		h := heads[row*rowHead:]
		size := int(binary.BigEndian.Uint16(h[3:]))
		if size > len(texts) {
			return fmt.Errorf("%w: the columns of a crawl", record.ErrDamaged)
		}
		visit(row, binary.BigEndian.Uint16(h), h[2], texts[:size])
		texts = texts[size:]
	}
	return nil
}

// place is where a row stands.
type place struct {
	chunk uint32
	row   int
}

// table is a stored table of rows of a type.
type table[Row any] struct {
	a     tenant.Account
	crawl uuid.UUID
	kind  byte
	sub   uint16
}

// columns returns the columns of the chunks, the first one first.
func (t table[Row]) columns() iter.Seq2[uint32, []byte] {
	return func(yield func(uint32, []byte) bool) {
		prefix := tablePrefix(t.crawl, t.kind, t.sub, columnsPart)
		c := t.a.Bucket(Data).Cursor()
		for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
			if !yield(binary.BigEndian.Uint32(k[len(prefix):]), v) {
				return
			}
		}
	}
}

// page returns a page of the rows that are wanted by number and flags and whose text has the search of q; all of them where wanted is nil.
func (t table[Row]) page(q sortfilter.Query, wanted func(number uint16, flags byte) bool) (page db.Page[Row], err error) {
	var found []place
	var last uint32
	needle := []byte(sortfilter.Fold(q.Search))
	for chunk, columns := range t.columns() {
		if err := eachCells(columns, func(row int, number uint16, flags byte, text []byte) {
			if (wanted == nil || wanted(number, flags)) && (len(needle) == 0 || bytes.Contains(text, needle)) {
				found = append(found, place{chunk, row})
			}
		}); err != nil {
			return page, err
		}
	}
	page.Total = len(found)
	from := min(q.Offset(), len(found))
	var chunk []byte // that of the row before
	for i := from; i < min(from+q.PerPage, len(found)); i++ {
		p := found[i]
		if !q.Ascending {
			p = found[len(found)-1-i]
		}
		if chunk == nil || p.chunk != last {
			if chunk, err = t.chunk(p.chunk); err != nil {
				return page, err
			}
			last = p.chunk
		}
		row, err := decodeRow[Row](chunk, p.row)
		if err != nil {
			return page, err
		}
		page.Rows = append(page.Rows, row)
	}
	return page, nil
}

// chunk returns the rows of a chunk, unpacked.
func (t table[Row]) chunk(number uint32) ([]byte, error) {
	key := binary.BigEndian.AppendUint32(tablePrefix(t.crawl, t.kind, t.sub, rowsPart), number)
	rows, err := record.Unpack(t.a.Bucket(Data).Get(key))
	if err != nil {
		return nil, fmt.Errorf("%w: the rows of crawl %s: %v", record.ErrDamaged, t.crawl, err)
	}
	return rows, nil
}

// decodeRow returns a row of an unpacked chunk.
func decodeRow[Row any](rows []byte, number int) (row Row, err error) {
	n := 0
	if len(rows) >= 2 {
		n = int(binary.BigEndian.Uint16(rows))
	}
	if number >= n || len(rows) < 2+4*n {
		return row, fmt.Errorf("%w: the rows of a crawl", record.ErrDamaged)
	}
	end := func(i int) int { return 2 + 4*n + int(binary.BigEndian.Uint32(rows[2+4*i:])) }
	from := 2 + 4*n
	if number > 0 {
		from = end(number - 1)
	}
	return tenant.Decode[Row](rows[from:end(number)])
}
