package db

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// countBatch is how many blocks are handed over at once. Searches over fewer are counted where they are.
const countBatch = 256

// A matchCount counts the matches of search blocks of which nothing but their number matters, on all processors: a search for a common word looks
// into most blocks, and once its page is complete the total is all that is left to do.
type matchCount struct {
	needle  *needle
	path    string // of the file, for the error of a damaged one
	batch   [][]byte
	batches chan [][]byte // nil before the first full batch, and after the end
	helping sync.WaitGroup
	total   atomic.Int64
	failed  atomic.Pointer[error]
}

// add takes a stored block, which must be valid until end has returned.
func (m *matchCount) add(stored []byte) {
	if m.batch = append(m.batch, stored); len(m.batch) < countBatch {
		return
	}
	if m.batches == nil {
		m.start()
	}
	m.batches <- m.batch
	m.batch = make([][]byte, 0, countBatch)
}

func (m *matchCount) start() {
	m.batches = make(chan [][]byte, 1)
	for range runtime.GOMAXPROCS(0) {
		m.helping.Go(func() {
			for batch := range m.batches {
				m.count(batch)
			}
		})
	}
}

func (m *matchCount) count(batch [][]byte) {
	if err := guarded(m.path, func() error {
		rows := 0
		for _, stored := range batch {
			rows += m.needle.count(blockTexts(stored))
		}
		m.total.Add(int64(rows))
		return nil
	}); err != nil {
		m.failed.Store(&err)
	}
}

// end gives the number of all matches. Nobody counts any more afterwards; a second call changes nothing.
func (m *matchCount) end() (int, error) {
	if m.batches != nil {
		close(m.batches)
		m.helping.Wait()
		m.batches = nil
	}
	m.count(m.batch)
	m.batch = nil
	if failed := m.failed.Load(); failed != nil {
		return 0, *failed
	}
	return int(m.total.Load()), nil
}
