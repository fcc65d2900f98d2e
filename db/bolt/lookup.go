package bolt

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/sortfilter"
)

// match is a report that a search found. The key is what the list is sorted by, and is valid inside the transaction only.
type match struct {
	id  uuid.UUID
	key []byte
}

// selection keeps the first matches of a list, in its order, while they come in any order.
type selection struct {
	keep       int
	descending bool
	total      int
	rows       []match
	bound      *match // no row behind it can be among the first any more
	full       bool   // none of the rows that are still to come can
}

func (s *selection) compare(x, y match) int {
	if s.descending {
		x, y = y, x
	}
	if c := bytes.Compare(x.key, y.key); c != 0 {
		return c
	}
	return bytes.Compare(x.id[:], y.id[:])
}

// add takes a match.
func (s *selection) add(m match) {
	s.total++
	if s.bound != nil && s.compare(m, *s.bound) >= 0 {
		return
	}
	s.rows = append(s.rows, m)
	if len(s.rows) >= 2*s.keep+64 {
		s.trim()
	}
}

// take adds what another selection found, which is not used any more.
func (s *selection) take(other *selection) {
	s.trim()
	other.trim()
	x, y := s.rows, other.rows
	rows := make([]match, 0, min(s.keep, len(x)+len(y)))
	for len(rows) < cap(rows) {
		if len(y) == 0 || len(x) > 0 && s.compare(x[0], y[0]) < 0 {
			rows, x = append(rows, x[0]), x[1:]
		} else {
			rows, y = append(rows, y[0]), y[1:]
		}
	}
	s.rows, s.total = rows, s.total+other.total
}

// trim drops what is behind the rows to keep.
func (s *selection) trim() {
	slices.SortFunc(s.rows, s.compare)
	if len(s.rows) > s.keep {
		s.rows = s.rows[:s.keep]
		last := s.rows[s.keep-1]
		s.bound = &last
	}
}

// ids returns the rows from offset on.
func (s *selection) ids(offset int) []uuid.UUID {
	s.trim()
	var ids []uuid.UUID
	for _, m := range s.rows[min(offset, len(s.rows)):] {
		ids = append(ids, m.id)
	}
	return ids
}

// search returns the ids of a page of the list's rows that have its needle, and the number of all of them.
func (l *reportList) search(w window) ([]uuid.UUID, int, error) {
	all := l.a.counts(wholeAccount).total() + len(l.fresh)
	s := &selection{keep: min(w.offset, all) + w.size, descending: w.descending}
	for _, row := range l.fresh {
		s.add(match{uuid.UUID(row.id), l.freshSortKey(row)})
	}
	parsed := newNeedle(l.needle)
	n := &parsed
	if l.scope != wholeAccount && l.projectIsShorter(n) {
		if err := l.searchProject(n, s); err != nil {
			return nil, 0, err
		}
	} else if err := l.searchBlocks(n, s); err != nil {
		return nil, 0, err
	}
	return s.ids(w.offset), s.total, nil
}

// projectIsShorter guesses whether it is faster to look through the urls of the project than through the blocks. It counts in looks
// at a block's signature: looking through a block's rows costs about blockLook of them, and looking at a project's url urlLook.
func (l *reportList) projectIsShorter(n *needle) bool {
	const blockLook, urlLook = 40, 3
	probed, passed := l.probe(n)
	if probed == 0 {
		return false
	}
	blocks := l.a.counts(wholeAccount).total() / blockRows
	return l.a.counts(l.scope).total()*urlLook < blocks*(probed+passed*blockLook)/probed
}

// probe looks at some blocks, evenly spread over the time in which they were made, and counts those that may have the needle.
func (l *reportList) probe(n *needle) (probed, passed int) {
	const probes = 16
	c := l.a.bucket(searchBucket).Cursor()
	first, _ := c.First()
	if first == nil {
		return 0, 0
	}
	last, _ := lastEntry(c)
	from, to := idTime(uuid.UUID(first)), idTime(uuid.UUID(last))
	for i := range int64(probes) {
		at := newID(from+(to-from)*i/probes, 0)
		if k, v := c.Seek(at[:]); k != nil {
			if probed++; n.mayBeIn(v) {
				passed++
			}
		}
	}
	return probed, passed
}

// freshSortKey returns what the list sorts a fresh report by. Ids are compared anyway.
func (l *reportList) freshSortKey(row freshRow) []byte {
	switch l.sort {
	case sortfilter.ByGenerated:
		return make([]byte, 8)
	case sortfilter.ByURL:
		return []byte(sortfilter.Fold(string(row.url)))
	case sortfilter.ByResult:
		return []byte{byte(audit.Unrated)}
	}
	return nil
}

// searchBlocks looks through the search blocks, in the direction of the list, so that a list by id finds its first rows first.
func (l *reportList) searchBlocks(n *needle, s *selection) error {
	c := &scan{list: l, needle: n, accepts: l.rowFilter(), path: l.a.tx.DB().Path()}
	defer c.stop() // also when a damaged page ends the search
	var before []byte
	l.a.eachCandidate(n, s.descending, func(key, stored []byte) {
		next := candidate{key, stored}
		if s.descending {
			next.nearest = before
		}
		before = key
		c.add(next, s)
	})
	return c.end(s)
}

// rowFilter returns what says whether a row of a block belongs to the list; nil where all do.
func (l *reportList) rowFilter() func(b block, row int) bool {
	var wanted [4]bool
	for _, result := range l.results {
		wanted[result] = true
	}
	switch {
	case l.scope != wholeAccount:
		return func(b block, row int) bool { return l.scope == b.project(row) && wanted[b.result(row)] }
	case l.dropped != nil:
		return func(b block, row int) bool { return wanted[b.result(row)] && !l.dropped[b.project(row)] }
	case len(l.results) < len(wanted):
		return func(b block, row int) bool { return wanted[b.result(row)] }
	}
	return nil
}

// comesAfter reports whether, in a list by id, no row from this id on can be among the first any more.
func (s *selection) comesAfter(id []byte) bool {
	return s.bound != nil && id != nil && s.compare(match{id: uuid.UUID(id)}, *s.bound) >= 0
}

// blockSortKey returns what the list sorts a row of a block by.
func (l *reportList) blockSortKey(b block, row int) []byte {
	switch l.sort {
	case sortfilter.ByGenerated:
		return b.generatedKey(row)
	case sortfilter.ByURL:
		return b.text(row)
	case sortfilter.ByResult:
		return b.resultKey(row)
	}
	return nil
}

// searchProject looks through the urls of a project, which is shorter than all blocks where the project is a small part of
// the account.
func (l *reportList) searchProject(n *needle, s *selection) error {
	c := l.a.bucket(orderBucket).Cursor()
	for _, result := range l.results {
		prefix := appendRange(nil, byURL, l.scope, result)
		for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
			url := k[rangeSize : len(k)-17]
			if n.in(url) < 0 {
				continue
			}
			key, err := l.orderSortKey(k, url)
			if err != nil {
				return err
			}
			s.add(match{keyID(k), key})
		}
	}
	return nil
}

// orderSortKey returns what the list sorts the report by whose key among the urls this is.
func (l *reportList) orderSortKey(k, url []byte) ([]byte, error) {
	switch l.sort {
	case sortfilter.ByGenerated:
		r, err := l.a.record(keyID(k))
		if err != nil {
			return nil, err
		}
		return binary.BigEndian.AppendUint64(nil, uint64(r.generated)), nil
	case sortfilter.ByURL:
		return url, nil
	case sortfilter.ByResult:
		return k[:1], nil
	}
	return nil, nil
}
