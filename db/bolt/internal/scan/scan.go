// Package scan looks into the search blocks of a list on all processors.
package scan

import (
	"runtime"
	"sync"
	"sync/atomic"

	"sitegrade/db/bolt/internal/file"
)

// BatchSize is how many blocks are handed over at once. Searches over fewer are done where they are.
const BatchSize = 256

// Tally is how many matches a block has in each part of a list: one part for each result in a list by result, which sorts by id
// within them, and a single one in a list by id.
type Tally [4]uint16

// Batch is some search blocks that follow each other in the direction of a list.
type Batch struct {
	Blocks  [][]byte
	Tallies []Tally // of searches that count
}

// A Scan looks into search blocks on all processors: a search for a common word looks into most blocks, and has to, since it counts.
type Scan struct {
	Path    string                     // of the file, for the error of a damaged one
	Look    func(helper int, b *Batch) // each helper is one goroutine; 0 is the one that ends the scan
	Batches []*Batch
	queue   chan *Batch // nil before the first full batch, and after the end
	helping sync.WaitGroup
	failed  atomic.Pointer[error]
}

// Helpers returns how many goroutines look into blocks, without the one that ends the scan.
func Helpers() int { return runtime.GOMAXPROCS(0) }

// Add takes the next block, which must be valid until End has returned.
func (c *Scan) Add(stored []byte) {
	if full := c.Gather(stored); full != nil {
		c.Hand(full)
	}
}

// Gather puts a block into a batch. It returns the batch before that when it begins a new one.
func (c *Scan) Gather(stored []byte) (full *Batch) {
	last := len(c.Batches) - 1
	if last < 0 || len(c.Batches[last].Blocks) == BatchSize {
		if last >= 0 {
			full = c.Batches[last]
		}
		c.Batches = append(c.Batches, &Batch{Blocks: make([][]byte, 0, BatchSize)})
		last++
	}
	c.Batches[last].Blocks = append(c.Batches[last].Blocks, stored)
	return full
}

// Hand gives a batch to the helpers.
func (c *Scan) Hand(b *Batch) {
	if c.queue == nil {
		queue := make(chan *Batch, 1)
		c.queue = queue
		for i := range Helpers() {
			c.helping.Go(func() {
				for b := range queue {
					c.guard(i+1, b)
				}
			})
		}
	}
	c.queue <- b
}

// guard looks into a batch. Damage to the file becomes an error.
func (c *Scan) guard(helper int, b *Batch) {
	if err := file.Guard(c.Path, func() error {
		c.Look(helper, b)
		return nil
	}); err != nil {
		c.failed.Store(&err)
	}
}

// Stop ends the helpers.
func (c *Scan) Stop() {
	if c.queue != nil {
		close(c.queue)
		c.helping.Wait()
		c.queue = nil
	}
}

// End returns when all blocks were looked into.
func (c *Scan) End() error {
	c.Stop()
	if last := len(c.Batches) - 1; last >= 0 {
		c.guard(0, c.Batches[last])
	}
	if failed := c.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}
