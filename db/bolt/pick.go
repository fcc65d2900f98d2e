package bolt

import (
	"math"

	"sitegrade/db/bolt/internal/scan"
	"sitegrade/db/bolt/internal/search"
)

// shallow is up to which place of a list a search just keeps all rows from the first on.
const shallow = 1 << 11

// pick finds rows of a list in an order that the blocks are not in. Rows far from the beginning are found by a sample: it tells about
// where they are in that order, so that others are counted only.
func (f *finder) pick(lowest, end int) ([]search.Match, int, error) {
	if end <= shallow {
		return f.narrow(f.selection(nil, end), lowest, end, func(s *search.Selection) error { return f.look(s, nil) })
	}
	all := f.candidates()
	p, err := f.sample(all)
	if err != nil {
		return nil, 0, err
	}
	return f.near(p, lowest, end, func(s *search.Selection) error { return f.look(s, all) })
}

// near looks for the rows where the sample says that they are, and further off where they are not there. A sample is three standard
// deviations off in one of 400 searches.
func (f *finder) near(p *sample, lowest, end int, show func(*search.Selection) error) ([]search.Match, int, error) {
	for deviations := 3.0; ; deviations *= 4 {
		s := p.around(f, lowest, end, deviations)
		if err := show(s); err != nil {
			return nil, 0, err
		}
		switch {
		case s.Holds(lowest, end):
			return s.Between(lowest, end), s.Total, nil
		case lowest >= s.Before:
			return f.narrow(s.Next(lowest), lowest, end, show)
		}
	}
}

// sample is the matches of every step-th block.
type sample struct {
	step int
	search.Selection
}

// around returns an empty selection for a stretch that begins before the lowest-th row of the list and ends behind the end-th, where
// the sample is not further off than that.
func (p *sample) around(f *finder, lowest, end int, deviations float64) *search.Selection {
	n := len(p.Rows)
	// The number of sampled rows before a place varies by its root.
	at := float64(lowest) / float64(p.step)
	first := int(at - deviations*math.Sqrt(at) - 1)
	at = float64(end) / float64(p.step)
	last := int(at + deviations*math.Sqrt(at) + 2)
	s := f.selection(nil, mostKept)
	if first = min(first, n-1); first > 0 {
		p.Settle(p.Rows, first)
		from := p.Rows[first]
		s.From = &from
	}
	if last < n {
		p.Settle(p.Rows, last)
		to := p.Rows[last]
		s.To = &to
	}
	return s
}

// sample looks into blocks that are evenly spread over all: about as many that looking into them, and sorting what may be among the
// rows that are wanted, takes the least time together.
func (f *finder) sample(all []*scan.Batch) (*sample, error) {
	blocks := 0
	for _, b := range all {
		blocks += len(b.Blocks)
	}
	p := &sample{step: max(1, int(math.Cbrt(float64(blocks)))), Selection: search.Selection{Direction: f.Direction, Keep: math.MaxInt / 4}}
	chosen := &scan.Scan{}
	at := p.step / 2
	for _, b := range all {
		for ; at < len(b.Blocks); at += p.step {
			chosen.Gather(b.Blocks[at])
		}
		at -= len(b.Blocks)
	}
	return p, f.look(&p.Selection, chosen.Batches)
}

// candidates returns all blocks that may have a match.
func (f *finder) candidates() []*scan.Batch {
	c := &scan.Scan{}
	f.list.a.sliced().EachCandidate(f.needle, false, func(stored []byte) { c.Gather(stored) })
	return c.Batches
}

// look shows all matches to s: those of the batches, or of all blocks where there are no batches.
func (f *finder) look(s *search.Selection, batches []*scan.Batch) error {
	accepts := f.list.rowFilter()
	found := []*search.Selection{s}
	for range scan.Helpers() {
		own := *s
		own.Keep = max(s.Keep/(scan.Helpers()+1), min(s.Keep, shallow))
		found = append(found, &own)
	}
	c := &scan.Scan{Path: f.list.a.tx.DB().Path(), Look: func(helper int, b *scan.Batch) {
		for _, stored := range b.Blocks {
			f.lookInto(stored, accepts, found[helper])
		}
	}}
	defer c.Stop() // also when a damaged page ends the search
	if batches == nil {
		f.list.a.sliced().EachCandidate(f.needle, false, c.Add)
	}
	for _, b := range batches {
		c.Hand(b)
	}
	err := c.End()
	for _, own := range found[1:] {
		s.Take(own)
	}
	return err
}

// lookInto shows the matches of a block to s.
func (f *finder) lookInto(stored []byte, accepts func(b search.Block, row int) bool, s *search.Selection) {
	b := search.OpenBlock(stored)
	f.needle.Matches(b, func(row int) {
		if accepts == nil || accepts(b, row) {
			s.Add(f.list.column.ofBlock(b, row), b.IDKey(row))
		}
	})
}
