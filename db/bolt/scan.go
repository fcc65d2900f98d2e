package bolt

import (
	"runtime"
	"sync"
	"sync/atomic"

	"sitegrade/sortfilter"
)

// scanBatch is how many blocks are handed over at once. Searches over fewer are done where they are.
const scanBatch = 256

// A scan looks through search blocks on all processors: a search for a common word looks into most blocks, and has to, since it counts.
type scan struct {
	list    *reportList
	needle  *needle
	accepts func(b block, row int) bool // nil: every row
	path    string                      // of the file, for the error of a damaged one
	batch   []candidate
	batches chan []candidate // nil before the first full batch, and after the end
	helping sync.WaitGroup
	helpers []*selection
	failed  atomic.Pointer[error]
}

// candidate is a stored block that may have matches. In the direction of the list no row of it comes before nearest, which is nil where that
// is not known.
type candidate struct{ nearest, stored []byte }

// add takes the next block, which must be valid until end has returned. What it finds is like s.
func (c *scan) add(next candidate, s *selection) {
	if c.batch = append(c.batch, next); len(c.batch) < scanBatch {
		return
	}
	if c.batches == nil {
		c.start(s)
	}
	c.batches <- c.batch
	c.batch = make([]candidate, 0, scanBatch)
}

func (c *scan) start(s *selection) {
	c.batches = make(chan []candidate, 1)
	for range runtime.GOMAXPROCS(0) {
		found := &selection{keep: s.keep, descending: s.descending}
		c.helpers = append(c.helpers, found)
		c.helping.Go(func() {
			for batch := range c.batches {
				c.look(batch, found)
			}
		})
	}
}

func (c *scan) look(batch []candidate, found *selection) {
	if err := guarded(c.path, func() error {
		for _, next := range batch {
			c.lookInto(next, found)
		}
		return nil
	}); err != nil {
		c.failed.Store(&err)
	}
}

// lookInto adds the matches of a block. Where they come too late to be shown, they are only counted.
func (c *scan) lookInto(next candidate, found *selection) {
	if c.list.sort == sortfilter.ByID {
		found.full = found.full || found.comesAfter(next.nearest)
	}
	if found.full && c.accepts == nil {
		found.total += c.needle.count(blockTexts(next.stored))
		return
	}
	b := openBlock(next.stored)
	c.needle.matches(b, func(row int) {
		switch {
		case c.accepts != nil && !c.accepts(b, row):
		case found.full:
			found.total++
		default:
			found.add(match{b.id(row), c.list.blockSortKey(b, row)})
		}
	})
}

// stop ends the helpers.
func (c *scan) stop() {
	if c.batches != nil {
		close(c.batches)
		c.helping.Wait()
		c.batches = nil
	}
}

// end adds everything to s that was found.
func (c *scan) end(s *selection) error {
	c.stop()
	c.look(c.batch, s)
	for _, found := range c.helpers {
		s.take(found)
	}
	if failed := c.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}
