package bolt

import (
	"runtime"
	"sync"
	"sync/atomic"

	"sitegrade/db/bolt/internal/file"
)

// scanBatch is how many blocks are handed over at once. Searches over fewer are done where they are.
const scanBatch = 256

// blockBatch is some search blocks that follow each other in the direction of a list.
type blockBatch struct {
	blocks  [][]byte
	tallies []blockTally // of searches that count
}

// A scan looks into search blocks on all processors: a search for a common word looks into most blocks, and has to, since it counts.
type scan struct {
	path    string                          // of the file, for the error of a damaged one
	look    func(helper int, b *blockBatch) // each helper is one goroutine; 0 is the one that ends the scan
	batches []*blockBatch
	queue   chan *blockBatch // nil before the first full batch, and after the end
	helping sync.WaitGroup
	failed  atomic.Pointer[error]
}

// helpers returns how many goroutines look into blocks, without the one that ends the scan.
func helpers() int { return runtime.GOMAXPROCS(0) }

// add takes the next block, which must be valid until end has returned.
func (c *scan) add(stored []byte) {
	if full := c.gather(stored); full != nil {
		c.hand(full)
	}
}

// gather puts a block into a batch. It returns the batch before that when it begins a new one.
func (c *scan) gather(stored []byte) (full *blockBatch) {
	last := len(c.batches) - 1
	if last < 0 || len(c.batches[last].blocks) == scanBatch {
		if last >= 0 {
			full = c.batches[last]
		}
		c.batches = append(c.batches, &blockBatch{blocks: make([][]byte, 0, scanBatch)})
		last++
	}
	c.batches[last].blocks = append(c.batches[last].blocks, stored)
	return full
}

// hand gives a batch to the helpers.
func (c *scan) hand(b *blockBatch) {
	if c.queue == nil {
		queue := make(chan *blockBatch, 1)
		c.queue = queue
		for i := range helpers() {
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
func (c *scan) guard(helper int, b *blockBatch) {
	if err := file.Guard(c.path, func() error {
		c.look(helper, b)
		return nil
	}); err != nil {
		c.failed.Store(&err)
	}
}

// stop ends the helpers.
func (c *scan) stop() {
	if c.queue != nil {
		close(c.queue)
		c.helping.Wait()
		c.queue = nil
	}
}

// end returns when all blocks were looked into.
func (c *scan) end() error {
	c.stop()
	if last := len(c.batches) - 1; last >= 0 {
		c.guard(0, c.batches[last])
	}
	if failed := c.failed.Load(); failed != nil {
		return *failed
	}
	return nil
}
