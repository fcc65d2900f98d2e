package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/sifted"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// window is the part of a sorted list that a page shows.
type window struct {
	offset, size int
	descending   bool
}

func windowOf(q sortfilter.Query) window {
	return window{min(q.Offset(), maxOffset), q.PerPage, !q.Ascending}
}

// maxOffset is beyond the end of every list.
const maxOffset = math.MaxInt / 2

// Reports is documented in db.Store.
func (d *DB) Reports(ctx context.Context, account string, q sortfilter.Query) (db.Page[db.Report], error) {
	var page db.Page[db.Report]
	if sifted.Needed(q) {
		return d.sifted(ctx, account, q)
	}
	err := d.view(ctx, account, func(a *accountTx) error {
		l, err := a.listOf(q)
		if err != nil {
			return err
		}
		ids, total, err := l.ids(windowOf(q))
		if err != nil {
			return err
		}
		page.Total = total
		page.Rows, err = d.showAll(a, ids)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return db.Page[db.Report]{}, nil
	}
	return page, err
}

// sifted is Reports for what no index has, in short transactions.
func (d *DB) sifted(ctx context.Context, account string, q sortfilter.Query) (page db.Page[db.Report], err error) {
	s, r := sifted.New(q), record.Record{}
	for w := (window{size: sifted.Part}); err == nil && w.size > 0; w.offset += w.size {
		err = d.view(ctx, account, func(a *accountTx) error {
			l, err := a.listOf(s.Wide)
			if err != nil {
				return err
			}
			ids, _, err := l.ids(w)
			for i := 0; err == nil && i < len(ids); i++ {
				if err = a.readRecord(ids[i], &r); err == nil {
					s.Take(&r, d.statusOf(a, &r))
				}
			}
			if err == nil && len(ids) < w.size {
				w.size, page.Total = 0, s.Total
				gone := func(id uuid.UUID) bool { _, err := a.liveRecord(id); return err != nil } // since it was looked at
				page.Rows, err = d.showAll(a, slices.DeleteFunc(s.Page(), gone))
			}
			return err
		})
	}
	if errors.Is(err, db.ErrNotFound) {
		return db.Page[db.Report]{}, nil
	}
	return page, err
}

// showAll returns the reports with these ids.
func (d *DB) showAll(a *accountTx, ids []uuid.UUID) ([]db.Report, error) {
	rows := make([]db.Report, len(ids))
	refs := projectRefs{a: a}
	var r record.Record
	for i, id := range ids {
		if err := a.readRecord(id, &r); err != nil {
			return nil, err
		}
		ref, err := refs.of(r.Project)
		if err != nil {
			return nil, err
		}
		shown, err := a.show(&r, ref, d.statusOf(a, &r))
		if err != nil {
			return nil, err
		}
		rows[i] = shown
	}
	return rows, nil
}

// projectRefs are the projects of one page, each read once. They are too few for a map to be faster.
type projectRefs struct {
	a       *accountTx
	numbers []uint32
	refs    []db.ProjectRef
}

func (s *projectRefs) of(number uint32) (db.ProjectRef, error) {
	if i := slices.Index(s.numbers, number); i >= 0 {
		return s.refs[i], nil
	}
	p, err := s.a.project(number)
	if err != nil {
		return db.ProjectRef{}, err
	}
	s.numbers, s.refs = append(s.numbers, number), append(s.refs, p.ref())
	return p.ref(), nil
}

// reportList is a list of reports, without its page.
type reportList struct {
	a       *accountTx
	scope   uint32
	results []audit.Result
	column  column
	needle  string
	dropped map[uint32]bool
	fresh   []freshRow // those that belong to the list, by id
}

// allResults are the results that a report may have, in ascending order.
var allResults = []audit.Result{audit.Unrated, audit.Bad, audit.Decent, audit.Good}

// listOf returns the list that q asks for, or ErrNotFound where its project does not exist.
func (a *accountTx) listOf(q sortfilter.Query) (*reportList, error) {
	l := &reportList{a: a, column: columnOf(q.SortBy), needle: sortfilter.Fold(q.Search), results: allResults}
	if q.Project != "" {
		p, err := a.findProject(q.Project)
		if err != nil {
			return nil, err
		}
		l.scope = p.number
	} else {
		l.dropped = a.dropped()
	}
	if q.Result != "" {
		result, err := audit.ParseResult(q.Result)
		if err != nil {
			return nil, err
		}
		l.results = []audit.Result{result}
		return l, nil
	}
	l.fresh = l.freshRows()
	return l, nil
}

// freshRow is what lists need of a fresh report. It is valid inside the transaction only.
type freshRow struct{ id, url []byte }

// freshRows returns the fresh reports that belong to the list.
func (l *reportList) freshRows() []freshRow {
	var rows []freshRow
	c := l.a.bucket(freshBucket).Cursor()
	for id, stored := c.First(); id != nil; id, stored = c.Next() {
		project, url := form.PeekRecord(stored)
		if l.scope != wholeAccount && l.scope != project {
			continue
		}
		if l.needle == "" || strings.Contains(sortfilter.Fold(string(url)), l.needle) {
			rows = append(rows, freshRow{id, url})
		}
	}
	return rows
}

// ids returns the ids of a page and the number of all rows.
func (l *reportList) ids(w window) ([]uuid.UUID, int, error) {
	if l.needle != "" {
		return l.search(w)
	}
	stretches, total := l.stretches()
	w.size = min(w.size, total-w.offset)
	if w.size <= 0 {
		return nil, total, nil
	}
	backwards := w.offset > total/2 // from the nearer end
	if backwards {
		w.offset, w.descending = total-w.offset-w.size, !w.descending
	}
	if w.descending {
		slices.Reverse(stretches)
	}
	ids := make([]uuid.UUID, 0, w.size)
	for _, s := range stretches {
		if w.offset >= s.rows {
			w.offset -= s.rows
			continue
		}
		m := l.merge(s, w.descending)
		m.Skip(w.offset)
		w.offset = 0
		for key := m.Next(); key != nil && len(ids) < w.size; key = m.Next() {
			ids = append(ids, keyID(key))
		}
		if len(ids) == w.size {
			break
		}
	}
	if backwards {
		slices.Reverse(ids)
	}
	return ids, total, nil
}

// stretch is a part of a list: ranges that are merged, in the order of a column.
type stretch struct {
	column  column
	results []audit.Result
	rows    int
}

// stretches returns the parts of the list, in ascending order, and the number of all rows.
func (l *reportList) stretches() ([]stretch, int) {
	tally := l.a.counts(l.scope)
	tally[audit.Unrated] += len(l.fresh)
	total := 0
	for _, result := range l.results {
		total += tally[result]
	}
	if l.column != byResult {
		return []stretch{{l.column, l.results, total}}, total
	}
	parts := make([]stretch, len(l.results))
	for i, result := range l.results {
		parts[i] = stretch{byID, l.results[i : i+1], tally[result]}
	}
	return parts, total
}

// mergeRanges returns the entries of a scope with these results as one list, in the order of a column.
func (a *accountTx) mergeRanges(c column, scope uint32, results []audit.Result, descending bool) *order.Merge {
	m := order.New(descending)
	for _, result := range results {
		m.Add(a.rangeOf(appendRange(nil, c, scope, result), descending))
	}
	return m
}

// rangeOf returns the entries of order that begin with prefix.
func (a *accountTx) rangeOf(prefix []byte, descending bool) *order.Run {
	return order.Range(a.bucket(orderBucket), a.bucket(marksBucket), prefix, descending)
}

// merge opens the ranges of a stretch, and the fresh reports with those without result.
func (l *reportList) merge(s stretch, descending bool) *order.Merge {
	m := l.a.mergeRanges(s.column, l.scope, s.results, descending)
	m.Dropped = l.dropped
	if slices.Contains(s.results, audit.Unrated) && len(l.fresh) > 0 {
		m.Add(order.FreshRun(l.freshKeys(s.column), descending))
	}
	return m
}

// freshKeys returns the keys that the fresh reports of the list would have in a range, in order.
func (l *reportList) freshKeys(c column) [][]byte {
	keys := make([][]byte, 0, len(l.fresh))
	for _, row := range l.fresh {
		key := appendRange(make([]byte, 0, order.RangeSize+len(row.url)+25), c, l.scope, audit.Unrated)
		keys = append(keys, append(appendFreshKey(key, c, row), row.id...))
	}
	slices.SortFunc(keys, bytes.Compare)
	return keys
}

// Projects is documented in db.Store.
func (d *DB) Projects(ctx context.Context, account string, q sortfilter.Query) (db.Page[db.Project], error) {
	var page db.Page[db.Project]
	err := d.view(ctx, account, func(a *accountTx) error {
		numbers, total := a.projectNumbers(q)
		page.Total = total
		fresh := a.freshTallies()
		for _, number := range numbers {
			p, err := a.project(number)
			if err != nil {
				return err
			}
			shown, err := a.showProject(p, fresh[number])
			if err != nil {
				return err
			}
			page.Rows = append(page.Rows, shown)
		}
		return nil
	})
	if errors.Is(err, db.ErrNotFound) {
		return db.Page[db.Project]{}, nil
	}
	return page, err
}

// projectNumbers returns the numbers of a page of projects and the number of all that match.
func (a *accountTx) projectNumbers(q sortfilter.Query) ([]uint32, int) {
	c := byCreated
	if q.SortBy == sortfilter.ByProject {
		c = byName
	}
	w := windowOf(q)
	m := order.New(w.descending, a.rangeOf(appendRange(nil, c, wholeAccount, audit.Unrated), w.descending))
	if q.Search != "" {
		return a.projectsNamed(sortfilter.Fold(q.Search), m, w)
	}
	m.Skip(w.offset)
	var numbers []uint32
	for key := m.Next(); key != nil && len(numbers) < w.size; key = m.Next() {
		numbers = append(numbers, binary.BigEndian.Uint32(m.Value))
	}
	return numbers, a.rangeRows(appendRange(nil, c, wholeAccount, audit.Unrated))
}

// projectsNamed returns those of the projects in m whose names have the needle.
func (a *accountTx) projectsNamed(needle string, m *order.Merge, w window) ([]uint32, int) {
	named := a.numbersNamed([]byte(needle))
	var numbers []uint32
	for key, at := m.Next(), 0; key != nil && len(numbers) < w.size; key = m.Next() {
		if number := binary.BigEndian.Uint32(m.Value); named[number] {
			if at++; at > w.offset {
				numbers = append(numbers, number)
			}
		}
	}
	return numbers, len(named)
}

// numbersNamed returns the numbers of the projects whose folded names have the needle.
func (a *accountTx) numbersNamed(needle []byte) map[uint32]bool {
	named := map[uint32]bool{}
	prefix := appendRange(nil, byName, wholeAccount, audit.Unrated)
	c := a.bucket(orderBucket).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		if bytes.Contains(k[order.RangeSize:len(k)-17], needle) {
			named[binary.BigEndian.Uint32(v)] = true
		}
	}
	return named
}

// rangeRows counts the entries of a range by its marks.
func (a *accountTx) rangeRows(prefix []byte) int {
	n := 0
	c := a.bucket(marksBucket).Cursor()
	for k, v := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, v = c.Next() {
		n += int(binary.BigEndian.Uint32(v))
	}
	return n
}
