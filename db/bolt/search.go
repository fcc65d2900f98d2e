package bolt

import (
	"bytes"
	"slices"

	"github.com/google/uuid"

	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
	"sitegrade/db/internal/record"
)

// search returns the ids of a page of the list's rows that have its needle, and the number of all of them.
func (l *reportList) search(w window) ([]uuid.UUID, int, error) {
	n := search.NewNeedle(l.needle)
	f := finder{list: l, needle: &n, Direction: search.Direction{Descending: w.descending}}
	w.offset = min(w.offset, l.a.counts(wholeAccount).total()+len(l.fresh))
	// Of two sorted lists, the rows of a page stand in each at most as many places earlier as the other has rows.
	lowest, end := max(0, w.offset-len(l.fresh)), w.offset+w.size
	rows, total, err := f.between(lowest, end)
	if err != nil {
		return nil, 0, err
	}
	for _, row := range l.fresh {
		rows = append(rows, search.Match{ID: uuid.UUID(row.id), Key: l.column.ofFresh(row)})
	}
	slices.SortFunc(rows, f.Compare)
	var ids []uuid.UUID
	for _, m := range rows[min(w.offset-lowest, len(rows)):min(end-lowest, len(rows))] {
		ids = append(ids, m.ID)
	}
	return ids, total + len(l.fresh), nil
}

// finder looks for the indexed reports of a list that have a needle.
type finder struct {
	search.Direction
	list   *reportList
	needle *search.Needle
}

// between returns the rows that are the lowest-th to the one before the end-th, sorted, and the number of all.
func (f *finder) between(lowest, end int) ([]search.Match, int, error) {
	l := f.list
	switch {
	case l.scope != wholeAccount && l.projectIsShorter(f.needle):
		if !l.column.inURLKeys() {
			rows, total := f.matchesInOrder(lowest, end)
			return rows, total, nil
		}
		return f.narrow(f.selection(nil, end), lowest, end, f.lookThroughProject)
	case l.column == byID, l.column == byResult:
		return f.count(lowest, end)
	default:
		return f.pick(lowest, end)
	}
}

// mostKept is how many matches a search keeps at most, those of all processors together.
const mostKept = 1 << 17

// selection returns an empty selection from a match on that can hold so many rows, but no more than a search may keep.
func (f *finder) selection(from *search.Match, rows int) *search.Selection {
	return &search.Selection{Direction: f.Direction, Keep: min(rows, mostKept), From: from}
}

// narrow shows all rows to s, and goes on with later stretches, as long as they do not have the rows that are looked for.
func (f *finder) narrow(s *search.Selection, lowest, end int, show func(*search.Selection) error) ([]search.Match, int, error) {
	for {
		if err := show(s); err != nil {
			return nil, 0, err
		}
		if s.Holds(lowest, end) {
			return s.Between(lowest, end), s.Total, nil
		}
		s = s.Next(lowest)
	}
}

// projectIsShorter guesses whether it is faster to look through the urls of the project than through the blocks. It counts in looks
// at a block's signature: looking through a block's rows costs about blockLook of them, and looking at a project's url urlLook.
func (l *reportList) projectIsShorter(n *search.Needle) bool {
	const blockLook, urlLook = 40, 3
	probed, passed := l.probe(n)
	if probed == 0 {
		return false
	}
	blocks := l.a.counts(wholeAccount).total() / search.BlockRows
	return l.a.counts(l.scope).total()*urlLook < blocks*(probed+passed*blockLook)/probed
}

// probe looks at some blocks, evenly spread over the time in which they were made, and counts those that may have the needle.
func (l *reportList) probe(n *search.Needle) (probed, passed int) {
	const probes = 16
	c := l.a.bucket(searchBucket).Cursor()
	first, _ := c.First()
	if first == nil {
		return 0, 0
	}
	last, _ := order.LastEntry(c)
	from, to := record.IDTime(uuid.UUID(first)), record.IDTime(uuid.UUID(last))
	for i := range int64(probes) {
		at := record.NewID(from+(to-from)*i/probes, 0)
		if k, v := c.Seek(at[:]); k != nil {
			if probed++; n.MayBeIn(v) {
				passed++
			}
		}
	}
	return probed, passed
}

// rowFilter returns what says whether a row of a block belongs to the list; nil where all do.
func (l *reportList) rowFilter() func(b search.Block, row int) bool {
	var wanted [4]bool
	for _, result := range l.results {
		wanted[result] = true
	}
	switch {
	case l.scope != wholeAccount:
		return func(b search.Block, row int) bool { return l.scope == b.Project(row) && wanted[b.Result(row)] }
	case l.dropped != nil:
		return func(b search.Block, row int) bool { return wanted[b.Result(row)] && !l.dropped[b.Project(row)] }
	case len(l.results) < len(wanted):
		return func(b search.Block, row int) bool { return wanted[b.Result(row)] }
	}
	return nil
}

// lookThroughProject shows the matches among the urls of a project to s.
func (f *finder) lookThroughProject(s *search.Selection) error {
	f.eachInProject(func(key []byte) { s.Add(f.list.column.ofURLKey(key), key[len(key)-16:]) })
	return nil
}

// eachInProject calls visit with the keys of those urls of a project that have the needle. They are fewer than all blocks where the
// project is a small part of the account.
func (f *finder) eachInProject(visit func(key []byte)) {
	c := f.list.a.bucket(orderBucket).Cursor()
	for _, result := range f.list.results {
		prefix := appendRange(nil, byURL, f.list.scope, result)
		for key, _ := c.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = c.Next() {
			if f.needle.In(urlOfKey(key)) >= 0 {
				visit(key)
			}
		}
	}
}

// matchesInOrder finds rows of a project's list by a column of which the keys of urls tell nothing: it looks for the matches among the
// entries of that column.
func (f *finder) matchesInOrder(lowest, end int) (rows []search.Match, total int) {
	found := map[uuid.UUID]bool{}
	f.eachInProject(func(key []byte) { found[keyID(key)] = true })
	m := f.list.a.mergeRanges(f.list.column, f.list.scope, f.list.results, f.Descending)
	for place := 0; place < min(end, len(found)); {
		key := m.Next()
		if key == nil {
			break // only in a damaged file
		}
		if id := keyID(key); found[id] {
			if place >= lowest {
				rows = append(rows, search.Match{ID: id, Key: key[order.RangeSize : len(key)-16]})
			}
			place++
		}
	}
	return rows, len(found)
}
