package bolt

import (
	"bytes"
	"encoding/binary"

	"go.etcd.io/bbolt"

	"sitegrade/audit"
)

// merge walks several ranges of order as one list. All keys are compared without what their range begins with.
type merge struct {
	runs       []*run
	descending bool
	dropped    map[uint32]bool // projects whose entries are passed over
	value      []byte          // of the key that next gave last
}

// run is one sorted source of a merge: a range of order, or the keys of fresh reports.
type run struct {
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

// mergeRanges returns the entries of a scope with these results as one list, in the order of a column.
func (a *accountTx) mergeRanges(c column, scope uint32, results []audit.Result, descending bool) *merge {
	m := &merge{descending: descending}
	order, marks := a.bucket(orderBucket), a.bucket(marksBucket)
	for _, result := range results {
		m.runs = append(m.runs, newRun(order, marks, appendRange(nil, c, scope, result), descending))
	}
	return m
}

func newRun(order, marks *bbolt.Bucket, prefix []byte, descending bool) *run {
	return &run{prefix: prefix, descending: descending, entries: order.Cursor(), marks: marks.Cursor()}
}

// newFreshRun returns a run over sorted keys.
func newFreshRun(keys [][]byte, descending bool) *run {
	if descending {
		for i, j := 0, len(keys)-1; i < j; i, j = i+1, j-1 {
			keys[i], keys[j] = keys[j], keys[i]
		}
	}
	return &run{descending: descending, keys: keys}
}

// next returns the next key of the list, nil at the end.
func (m *merge) next() []byte {
	for {
		r := m.first()
		if r == nil {
			return nil
		}
		key := r.key
		m.value = r.value
		r.advance()
		if m.dropped == nil || len(m.value) != 4 || !m.dropped[binary.BigEndian.Uint32(m.value)] {
			return key
		}
	}
}

// first returns the run whose entry comes next, nil at the end.
func (m *merge) first() *run {
	var best *run
	for _, r := range m.runs {
		r.open()
		if r.key != nil && (best == nil || m.before(r.key, best.key)) {
			best = r
		}
	}
	return best
}

// before reports whether key x comes before y.
func (m *merge) before(x, y []byte) bool {
	if m.descending {
		x, y = y, x
	}
	return bytes.Compare(x[rangeSize:], y[rangeSize:]) < 0
}

// skip passes over the next n entries. It begins with whole segments. The segment that ends first may go as long as all segments
// that are looked at, together, have no more entries than are left to skip: whatever comes before its end lies in them.
func (m *merge) skip(n int) {
	if n > maxSegment && m.dropped == nil {
		n = m.skipSegments(n)
	}
	for ; n > 0 && m.next() != nil; n-- {
	}
}

// skipSegments returns how many entries are still to be skipped.
func (m *merge) skipSegments(n int) int {
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
func (m *merge) firstToEnd() *run {
	var best *run
	for _, r := range m.runs {
		if r.count > 0 && (best == nil || m.endsBefore(r, best)) {
			best = r
		}
	}
	return best
}

// endsBefore reports whether the segment of x ends before that of y. The end of a range is after all others.
func (m *merge) endsBefore(x, y *run) bool {
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
func (r *run) far() []byte {
	if r.descending && r.entries != nil {
		return r.mark
	}
	return r.end
}

// open moves to the first entry, once.
func (r *run) open() {
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
func (r *run) seekBefore(key []byte) {
	r.set(entryBefore(r.entries, key))
}

// advance moves to the next entry.
func (r *run) advance() {
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
func (r *run) set(key, value []byte) {
	if !bytes.HasPrefix(key, r.prefix) {
		key, value = nil, nil
	}
	r.key, r.value = key, value
}

// openSegments moves to the first segment. Fresh reports are one, with no end.
func (r *run) openSegments() {
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
	r.setSegment(entryBefore(r.marks, endOf(r.prefix)))
}

// nextSegment moves to the next segment.
func (r *run) nextSegment() {
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
func (r *run) setSegment(mark, count []byte) {
	if !bytes.HasPrefix(mark, r.prefix) {
		r.mark, r.count = nil, 0
		return
	}
	r.mark, r.count = mark, int(binary.BigEndian.Uint32(count))
}

// peekMark returns the mark behind that of the segment, nil at the end of the range.
func (r *run) peekMark() []byte {
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
func (r *run) openAtSegment() {
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
