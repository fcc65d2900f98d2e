package bolt

import (
	"sitegrade/db/bolt/internal/file"
	"sitegrade/db/bolt/internal/scan"
	"sitegrade/db/bolt/internal/search"
)

// count finds rows of a list by id or by result. Since blocks are in the order of ids, it is enough to count the matches of each: that
// tells in which blocks the rows are, and only those are opened.
func (f *finder) count(lowest, end int) ([]search.Match, int, error) {
	accepts := f.list.rowFilter()
	c := &scan.Scan{Path: f.list.a.tx.DB().Path(), Look: func(_ int, b *scan.Batch) {
		b.Tallies = make([]scan.Tally, len(b.Blocks))
		for i, stored := range b.Blocks {
			b.Tallies[i] = f.tally(stored, accepts)
		}
	}}
	defer c.Stop() // also when a damaged page ends the search
	f.list.a.sliced().EachCandidate(f.needle, f.Descending, c.Add)
	if err := c.End(); err != nil {
		return nil, 0, err
	}
	total := 0
	for _, b := range c.Batches {
		for _, t := range b.Tallies {
			total += int(t[0]) + int(t[1]) + int(t[2]) + int(t[3])
		}
	}
	if lowest >= total {
		return nil, total, nil
	}
	rows := make([]search.Match, 0, min(end, total)-lowest)
	err := file.Guard(c.Path, func() error {
		f.open(c.Batches, lowest, end, func(b search.Block, row int) {
			rows = append(rows, search.Match{ID: b.ID(row), Key: f.list.column.ofBlock(b, row)})
		})
		return nil
	})
	return rows, total, err
}

// tally counts the matches of a block.
func (f *finder) tally(stored []byte, accepts func(b search.Block, row int) bool) (t scan.Tally) {
	if accepts == nil && f.list.column == byID {
		t[0] = uint16(f.needle.Count(search.BlockTexts(stored)))
		return t
	}
	b := search.OpenBlock(stored)
	f.needle.Matches(b, func(row int) {
		if accepts == nil || accepts(b, row) {
			t[f.part(b, row)]++
		}
	})
	return t
}

// part returns the part of the list that a row belongs to, in ascending order.
func (f *finder) part(b search.Block, row int) int {
	if f.list.column == byResult {
		return int(b.Result(row)) % len(scan.Tally{})
	}
	return 0
}

// open calls visit for the rows that are the lowest-th to the one before the end-th, in the order of the list.
func (f *finder) open(batches []*scan.Batch, lowest, end int, visit func(b search.Block, row int)) {
	accepts := f.list.rowFilter()
	for part := range len(scan.Tally{}) {
		if f.Descending {
			part = len(scan.Tally{}) - 1 - part
		}
		for _, batch := range batches {
			for i, t := range batch.Tallies {
				if end <= 0 {
					return
				}
				if n := int(t[part]); lowest < n && n > 0 {
					f.openBlock(batch.Blocks[i], part, accepts, lowest, end, visit)
				}
				lowest, end = lowest-int(t[part]), end-int(t[part])
			}
		}
	}
}

// openBlock calls visit for those matches of one part of the list that are the lowest-th to the one before the end-th of a block.
func (f *finder) openBlock(stored []byte, part int, accepts func(b search.Block, row int) bool, lowest, end int, visit func(b search.Block, row int)) {
	b := search.OpenBlock(stored)
	var rows []int
	f.needle.Matches(b, func(row int) {
		if (accepts == nil || accepts(b, row)) && f.part(b, row) == part {
			rows = append(rows, row)
		}
	})
	for place := range rows {
		if place >= lowest && place < end {
			row := rows[place]
			if f.Descending {
				row = rows[len(rows)-1-place]
			}
			visit(b, row)
		}
	}
}
