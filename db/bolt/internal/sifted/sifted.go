// Package sifted makes the pages of lists for which there is no index: every report that the rest of a query leaves is looked at, a part at a
// time, and of those that fit only as many are kept as come before the end of the page.
package sifted

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// Part is how many reports are looked at in one transaction, which must not be long.
const Part = 10_000

// Needed reports whether a query asks for what no index is limited to or sorted by.
func Needed(q sortfilter.Query) bool {
	return q.SortBy == sortfilter.ByScore || q.Status != "" || q.Privacy != "" || !q.Since.IsZero() || !q.Until.IsZero()
}

// Sieve takes reports one after the other, and has the page of those that fit.
type Sieve struct {
	// Wide is the query that the reports are of: without what the sieve looks at, by creation, the oldest first.
	Wide  sortfilter.Query
	Total int // of the reports that fit

	q        sortfilter.Query
	most     int    // reports that come before the end of the page
	privacy  string // "" for all
	from, to int64  // of the generation; to is 0 for no end
	rows     []row
}

// row is a report that fits: what it is sorted by, which compares as bytes, with its id behind it.
type row []byte

// New returns an empty sieve.
func New(q sortfilter.Query) *Sieve {
	s := &Sieve{Wide: q, q: q, privacy: q.Privacy, most: q.Offset() + q.PerPage}
	s.Wide.SortBy, s.Wide.Ascending = sortfilter.ByID, true
	s.Wide.Status, s.Wide.Privacy = "", ""
	if !q.Since.IsZero() {
		s.from = q.Since.UnixMilli()
	}
	if !q.Until.IsZero() {
		s.to = q.Until.UnixMilli()
	}
	return s
}

// Take looks at a report.
func (s *Sieve) Take(r *record.Record, status db.Status) {
	if !s.fits(r, status) {
		return
	}
	s.Total++
	s.rows = append(s.rows, append(s.value(r), r.ID[:]...))
	if len(s.rows) >= 2*s.most+Part {
		s.shed()
	}
}

func (s *Sieve) fits(r *record.Record, status db.Status) bool {
	switch {
	case s.q.Status != "" && s.q.Status != status.String():
		return false
	case s.privacy != "" && s.privacy != strconv.Itoa(int(r.Privacy)):
		return false
	case s.from == 0 && s.to == 0:
		return true
	}
	return r.Generated != 0 && r.Generated >= s.from && (s.to == 0 || r.Generated < s.to)
}

// value returns what a report is sorted by. Those without a score come last, in both directions.
func (s *Sieve) value(r *record.Record) []byte {
	b := make([]byte, 0, 32)
	switch s.q.SortBy {
	case sortfilter.ByScore:
		if s.q.Ascending {
			return append(b, r.Score)
		}
		return append(b, r.Score+1) // 255, which stands for none, becomes 0
	case sortfilter.ByResult:
		return append(b, byte(r.Result))
	case sortfilter.ByGenerated:
		return binary.BigEndian.AppendUint64(b, uint64(r.Generated))
	case sortfilter.ByURL:
		return append(append(b, sortfilter.Fold(r.URL)...), 0)
	}
	return b
}

// shed drops what comes behind the page, and sorts what stays.
func (s *Sieve) shed() {
	slices.SortFunc(s.rows, func(x, y row) int {
		if s.q.Ascending {
			return bytes.Compare(x, y)
		}
		return bytes.Compare(y, x)
	})
	s.rows = s.rows[:min(len(s.rows), s.most)]
}

// Page returns the ids of the page, in its order.
func (s *Sieve) Page() []uuid.UUID {
	s.shed()
	var ids []uuid.UUID
	for _, r := range s.rows[min(s.q.Offset(), len(s.rows)):] {
		ids = append(ids, uuid.UUID(r[len(r)-16:]))
	}
	return ids
}
