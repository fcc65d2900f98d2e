// Package order reads and writes the sorted index from which lists are taken: its keys begin with what their range is for, marks count the
// entries between them, and ranges are read as one list from any place on.
package order

import (
	"bytes"
	"encoding/binary"

	"go.etcd.io/bbolt"
)

// Merge walks several ranges of order as one list. All keys are compared without what their range begins with.
type Merge struct {
	runs       []*Run
	descending bool
	Dropped    map[uint32]bool // values of entries that are passed over: the numbers of deleted projects
	Value      []byte          // of the key that Next returned last
}

// Run is one sorted source of a merge: a range of order, or the keys of fresh reports.
type Run struct {
	prefix     []byte
	descending bool
	opened     bool

	// A range: its entries, and the segment that is looked at while skipping.
	entries, marks *bbolt.Cursor
	key, value     []byte // the next entry; nil at the end
	mark           []byte // where the segment begins; nil behind the last
	end            []byte // where it ends: the next mark, nil at the end of the range
	count          int    // its entries; 0 when there is no segment left

	peeked, peekedCount []byte // the mark that end was taken from

	// Fresh reports.
	keys [][]byte
}

// RangeSize is the length of what the keys of one range begin with: result, scope, column. The result comes first so that the reports
// without one, which every new report is among, stand together on few pages of the file; the column comes last so that the few reports
// of a small project stand on one page in all their columns.
const RangeSize = 6

// New returns the entries of several sources as one list.
func New(descending bool, runs ...*Run) *Merge { return &Merge{runs: runs, descending: descending} }

// Add adds a source. Nothing may have been read yet.
func (m *Merge) Add(r *Run) { m.runs = append(m.runs, r) }

// Range returns the entries of order that begin with prefix as a source, with the marks over them.
func Range(order, marks *bbolt.Bucket, prefix []byte, descending bool) *Run {
	return &Run{prefix: prefix, descending: descending, entries: order.Cursor(), marks: marks.Cursor()}
}

// FreshRun returns sorted keys as a source: those of fresh reports.
func FreshRun(keys [][]byte, descending bool) *Run {
	if descending {
		for i, j := 0, len(keys)-1; i < j; i, j = i+1, j-1 {
			keys[i], keys[j] = keys[j], keys[i]
		}
	}
	return &Run{descending: descending, keys: keys}
}

// Next returns the next key of the list, nil at the end.
func (m *Merge) Next() []byte {
	for {
		r := m.first()
		if r == nil {
			return nil
		}
		key := r.key
		m.Value = r.value
		r.advance()
		if m.Dropped == nil || len(m.Value) != 4 || !m.Dropped[binary.BigEndian.Uint32(m.Value)] {
			return key
		}
	}
}

// first returns the run whose entry comes next, nil at the end.
func (m *Merge) first() *Run {
	var best *Run
	for _, r := range m.runs {
		r.open()
		if r.key != nil && (best == nil || m.before(r.key, best.key)) {
			best = r
		}
	}
	return best
}

// before reports whether key x comes before y.
func (m *Merge) before(x, y []byte) bool {
	if m.descending {
		x, y = y, x
	}
	return bytes.Compare(x[RangeSize:], y[RangeSize:]) < 0
}

// Skip passes over the next n entries. It begins with whole segments. The segment that ends first may go as long as all segments
// that are looked at, together, have no more entries than are left to skip: whatever comes before its end lies in them.
func (m *Merge) Skip(n int) {
	if n > MaxSegment && m.Dropped == nil {
		n = m.skipSegments(n)
	}
	for ; n > 0 && m.Next() != nil; n-- {
	}
}

// skipSegments returns how many entries are still to be skipped.
func (m *Merge) skipSegments(n int) int {
	inSight := 0
	for _, r := range m.runs {
		r.openSegments()
		inSight += r.count
	}
	for {
		r := m.firstToEnd()
		if r == nil || inSight > n {
			break
		}
		n -= r.count
		inSight -= r.count
		r.nextSegment()
		inSight += r.count
	}
	for _, r := range m.runs {
		r.openAtSegment()
	}
	return n
}

// firstToEnd returns the run whose segment ends first, nil when all are used up.
func (m *Merge) firstToEnd() *Run {
	var best *Run
	for _, r := range m.runs {
		if r.count > 0 && (best == nil || m.endsBefore(r, best)) {
			best = r
		}
	}
	return best
}

// endsBefore reports whether the segment of x ends before that of y. The end of a range is after all others.
func (m *Merge) endsBefore(x, y *Run) bool {
	a, b := x.far(), y.far()
	switch {
	case a == nil:
		return false
	case b == nil:
		return true
	}
	return m.before(a, b)
}

// far returns the bound of the segment that is reached last; nil for one that no other is beyond.
func (r *Run) far() []byte {
	if r.descending && r.entries != nil {
		return r.mark
	}
	return r.end
}

// open moves to the first entry, once.
func (r *Run) open() {
	if r.opened {
		return
	}
	r.opened = true
	switch {
	case r.entries == nil:
		r.advance()
	case r.descending:
		r.seekBefore(endOf(r.prefix))
	default:
		r.set(r.entries.Seek(r.prefix))
	}
}

// endOf returns the first key behind a range. Its last byte is a letter, so adding to it cannot overflow.
func endOf(prefix []byte) []byte {
	end := bytes.Clone(prefix)
	end[len(end)-1]++
	return end
}

// seekBefore moves to the last entry before key.
func (r *Run) seekBefore(key []byte) {
	r.set(EntryBefore(r.entries, key))
}

// advance moves to the next entry.
func (r *Run) advance() {
	switch {
	case r.entries == nil:
		r.key, r.value = nil, nil
		if len(r.keys) > 0 {
			r.key, r.keys = r.keys[0], r.keys[1:]
		}
	case r.descending:
		r.set(r.entries.Prev())
	default:
		r.set(r.entries.Next())
	}
}

// set takes an entry, if it belongs to the range.
func (r *Run) set(key, value []byte) {
	if !bytes.HasPrefix(key, r.prefix) {
		key, value = nil, nil
	}
	r.key, r.value = key, value
}

// openSegments moves to the first segment. Fresh reports are one, with no end.
func (r *Run) openSegments() {
	if r.entries == nil {
		r.count = len(r.keys)
		return
	}
	if !r.descending {
		r.setSegment(r.marks.Seek(r.prefix))
		r.end = r.peekMark()
		return
	}
	r.end = nil
	r.setSegment(EntryBefore(r.marks, endOf(r.prefix)))
}

// nextSegment moves to the next segment.
func (r *Run) nextSegment() {
	if r.entries == nil {
		r.keys, r.count = nil, 0
		return
	}
	if r.descending {
		r.end = r.mark
		r.setSegment(r.marks.Prev())
		return
	}
	r.setSegment(r.peeked, r.peekedCount)
	r.end = r.peekMark()
}

// setSegment takes a mark, if it belongs to the range.
func (r *Run) setSegment(mark, count []byte) {
	if !bytes.HasPrefix(mark, r.prefix) {
		r.mark, r.count = nil, 0
		return
	}
	r.mark, r.count = mark, int(binary.BigEndian.Uint32(count))
}

// peekMark returns the mark behind that of the segment, nil at the end of the range.
func (r *Run) peekMark() []byte {
	if r.mark == nil {
		return nil
	}
	r.peeked, r.peekedCount = r.marks.Next()
	if !bytes.HasPrefix(r.peeked, r.prefix) {
		r.peeked = nil
	}
	return r.peeked
}

// openAtSegment moves to the first entry of the segment.
func (r *Run) openAtSegment() {
	r.opened = true
	switch {
	case r.entries == nil:
		r.advance()
	case r.mark == nil:
		r.key, r.value = nil, nil
	case !r.descending:
		r.set(r.entries.Seek(r.mark))
	case r.end == nil:
		r.seekBefore(endOf(r.prefix))
	default:
		r.seekBefore(r.end)
	}
}
