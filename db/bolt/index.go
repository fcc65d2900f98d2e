package bolt

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// wholeAccount is the scope of all reports; the others are project numbers, which begin with 1.
const wholeAccount = 0

// applyOrder puts and removes entries of order, and keeps the marks over them.
func (a *accountTx) applyOrder(changes []order.Change) error {
	return order.Apply(a.bucket(orderBucket), a.bucket(marksBucket), changes)
}

// appendRange returns what all keys of one range begin with.
func appendRange(b []byte, c column, scope uint32, result audit.Result) []byte {
	b = append(b, byte(result))
	b = binary.BigEndian.AppendUint32(b, scope)
	return append(b, byte(c))
}

// appendOrderKey returns the key of a record in one range. Keys of a range sort by the column, then by id.
func appendOrderKey(b []byte, c column, scope uint32, r *record.Record, folded string) []byte {
	b = appendSortKey(appendRange(b, c, scope, r.Result), c, r, folded)
	return append(b, r.ID[:]...)
}

// keyScope returns the scope of an order key.
func keyScope(key []byte) uint32 { return binary.BigEndian.Uint32(key[1:]) }

// keyID returns the id that an order key ends with.
func keyID(key []byte) uuid.UUID { return uuid.UUID(key[len(key)-16:]) }

// derived is everything that is stored because of one record: the pure function from which indexes are kept and checked.
type derived struct {
	order [][]byte // in scope 0 and in the project's, for each column
	alike [][]byte
	row   search.Row
}

func derive(r *record.Record) derived {
	folded := sortfilter.Fold(r.URL)
	d := derived{
		order: make([][]byte, 0, 2*len(columns)),
		alike: alikeKeys(r),
		row:   search.Row{ID: r.ID, Project: r.Project, Result: r.Result, Generated: r.Generated, Text: folded},
	}
	for _, c := range columns {
		size := order.RangeSize + len(folded) + 25
		d.order = append(d.order,
			appendOrderKey(make([]byte, 0, size), c, wholeAccount, r, folded),
			appendOrderKey(make([]byte, 0, size), c, r.Project, r, folded))
	}
	return d
}

// indexing gathers what several records change in the indexes, so that each page of them is written once.
type indexing struct {
	order  []order.Change
	rows   []search.RowChange
	alike  []alikeChange
	counts map[uint32]*[4]int // by scope and result
}

type alikeChange struct {
	key    []byte
	remove bool
}

// replace notes that the indexes hold old (nil for nothing) and shall hold new (nil for nothing).
func (x *indexing) replace(old, new *record.Record) {
	var was, is derived
	if old != nil {
		was = derive(old)
		x.count(old, -1)
	}
	if new != nil {
		is = derive(new)
		x.count(new, 1)
	}
	for _, key := range missingFrom(is.order, was.order) {
		x.order = append(x.order, order.Change{Key: key, Remove: true})
	}
	for _, key := range missingFrom(was.order, is.order) {
		x.order = append(x.order, order.Change{Key: key, Value: orderValue(key, new.Project)})
	}
	for _, key := range missingFrom(is.alike, was.alike) {
		x.alike = append(x.alike, alikeChange{key, true})
	}
	for _, key := range missingFrom(was.alike, is.alike) {
		x.alike = append(x.alike, alikeChange{key, false})
	}
	switch {
	case new == nil:
		x.rows = append(x.rows, search.RowChange{Row: was.row, Remove: true})
	case old == nil || was.row != is.row:
		x.rows = append(x.rows, search.RowChange{Row: is.row})
	}
}

// orderValue returns what stands at an order key: in the range of the whole account the project, so that a list can pass over
// the reports of deleted projects.
func orderValue(key []byte, project uint32) []byte {
	if keyScope(key) != wholeAccount {
		return nil
	}
	return binary.BigEndian.AppendUint32(nil, project)
}

// missingFrom returns the keys that are not among others.
func missingFrom(others, keys [][]byte) [][]byte {
	var missing [][]byte
	for _, key := range keys {
		if !slices.ContainsFunc(others, func(o []byte) bool { return bytes.Equal(o, key) }) {
			missing = append(missing, key)
		}
	}
	return missing
}

func (x *indexing) count(r *record.Record, n int) {
	if x.counts == nil {
		x.counts = map[uint32]*[4]int{}
	}
	for _, scope := range [...]uint32{wholeAccount, r.Project} {
		if x.counts[scope] == nil {
			x.counts[scope] = &[4]int{}
		}
		x.counts[scope][r.Result] += n
	}
}

// apply writes what was gathered.
func (x *indexing) apply(a *accountTx) error {
	for scope, changes := range x.counts {
		if err := a.addCounts(scope, *changes); err != nil {
			return err
		}
	}
	alike := a.bucket(alikeBucket)
	for _, c := range x.alike {
		if c.remove {
			if err := alike.Delete(c.key); err != nil {
				return err
			}
		} else if err := alike.Put(c.key, nil); err != nil {
			return err
		}
	}
	if err := a.applyOrder(x.order); err != nil {
		return err
	}
	return a.applyRows(x.rows)
}

// tally is how many reports of each result a scope has.
type tally [4]int

func (t tally) total() int { return t[0] + t[1] + t[2] + t[3] }

// counts returns the indexed reports of a scope.
func (a *accountTx) counts(scope uint32) tally {
	var t tally
	if stored := a.bucket(countsBucket).Get(binary.BigEndian.AppendUint32(nil, scope)); len(stored) == 16 {
		for i := range t {
			t[i] = int(binary.BigEndian.Uint32(stored[4*i:]))
		}
	}
	return t
}

func (a *accountTx) addCounts(scope uint32, changes [4]int) error {
	t := a.counts(scope)
	for i := range t {
		t[i] += changes[i]
	}
	return a.putCounts(scope, t)
}

func (a *accountTx) putCounts(scope uint32, t tally) error {
	key := binary.BigEndian.AppendUint32(nil, scope)
	if t == (tally{}) {
		return a.bucket(countsBucket).Delete(key)
	}
	value := make([]byte, 0, 16)
	for _, n := range t {
		value = binary.BigEndian.AppendUint32(value, uint32(n))
	}
	return a.bucket(countsBucket).Put(key, value)
}
