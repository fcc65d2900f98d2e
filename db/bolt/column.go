package bolt

import (
	"encoding/binary"

	"sitegrade/audit"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/bolt/internal/search"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// column is what a list is sorted by. All that depends on it is in this file: which lists want it, and how its values are stored in the keys
// of order and read from wherever a report is found. Values compare as bytes; equal ones are sorted by id.
type column byte

// The columns of reports.
const (
	byID        column = 'i'
	byGenerated column = 'g'
	byURL       column = 'u'
	byResult    column = 'r' // it has no ranges of its own: each result's ranges are beside those of the others
)

// The columns of projects.
const (
	byName    column = 'n'
	byCreated column = 'c'
)

// columns are those of which every indexed report stands in a range.
var columns = [...]column{byID, byGenerated, byURL}

// columnOf returns the column of a list of reports.
func columnOf(s sortfilter.Sort) column {
	switch s {
	case sortfilter.ByGenerated:
		return byGenerated
	case sortfilter.ByURL:
		return byURL
	case sortfilter.ByResult:
		return byResult
	}
	return byID
}

// appendSortKey appends what stands between range and id in a key of order. folded is the URL of r, folded. The 0 behind a URL keeps it before its own extensions; URLs have
// no control characters.
func appendSortKey(b []byte, c column, r *record.Record, folded string) []byte {
	switch c {
	case byGenerated:
		return binary.BigEndian.AppendUint64(b, uint64(r.Generated))
	case byURL:
		return append(append(b, folded...), 0)
	}
	return b
}

// appendFreshKey is appendSortKey for a fresh report.
func appendFreshKey(b []byte, c column, row freshRow) []byte {
	folded := ""
	if c == byURL {
		folded = sortfilter.Fold(string(row.url))
	}
	return appendSortKey(b, c, new(record.Record), folded)
}

// ofFresh returns the value of a fresh report.
func (c column) ofFresh(row freshRow) []byte {
	switch c {
	case byGenerated:
		return make([]byte, 8)
	case byURL:
		return []byte(sortfilter.Fold(string(row.url)))
	case byResult:
		return []byte{byte(audit.Unrated)}
	}
	return nil
}

// ofBlock returns the value of a row of a search block. It is valid inside the transaction only.
func (c column) ofBlock(b search.Block, row int) []byte {
	switch c {
	case byGenerated:
		return b.GeneratedKey(row)
	case byURL:
		return b.Text(row)
	case byResult:
		return b.ResultKey(row)
	}
	return nil
}

// inURLKeys reports whether the keys among the URLs tell the values of the column.
func (c column) inURLKeys() bool { return c != byGenerated }

// ofURLKey returns the value of the report whose key among the URLs this is, where that tells it. It is valid inside the transaction only.
func (c column) ofURLKey(key []byte) []byte {
	switch c {
	case byURL:
		return urlOfKey(key)
	case byResult:
		return key[:1]
	}
	return nil
}

// urlOfKey returns the folded URL that a key among the URLs has.
func urlOfKey(key []byte) []byte { return key[order.RangeSize : len(key)-17] }

// timeOf returns the moment that a key of order sorts by: that of the generation, or that in the id.
func (c column) timeOf(key []byte) int64 {
	if c == byGenerated {
		return int64(binary.BigEndian.Uint64(key[order.RangeSize:]))
	}
	return record.IDTime(keyID(key))
}
