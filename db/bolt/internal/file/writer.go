package file

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"sitegrade/db"
)

// writer is the one goroutine that changes the file. It commits whatever is waiting in one transaction (group commit): with one
// client a write costs one commit at once, and with many they share it.
type writer struct {
	path    string
	bolt    *bbolt.DB
	first   *firstPages
	limit   int64 // bytes that the file may have; 0: no limit
	reserve reserve
	waiting chan *change
	since   atomic.Int64 // when the group that is being committed was begun, in ns since 1970; 0 while there is none
	mu      sync.RWMutex // guards closed against the closing of waiting
	closed  bool
	done    chan struct{}
}

// maxGroup bounds how many writes share a commit, and so how long the first of them waits.
const maxGroup = 256

// change is one write that waits for its commit. apply may run more than once, in different transactions.
type change struct {
	ctx     context.Context
	removes bool // it may use the reserve
	begun   bool // apply has run, and so it does not matter any more whether ctx has ended
	apply   func(*bbolt.Tx) error
	err     chan error // buffered
}

func startWriter(path string, file *bbolt.DB, first *firstPages, limit int64) *writer {
	w := &writer{path: path, bolt: file, first: first, limit: limit, reserve: reserve{path: path + ".reserve"}, waiting: make(chan *change, maxGroup), done: make(chan struct{})}
	go w.run()
	return w
}

func (w *writer) write(c *change) error {
	w.mu.RLock()
	if w.closed {
		w.mu.RUnlock()
		return db.ErrClosed
	}
	w.waiting <- c
	w.mu.RUnlock()
	return <-c.err
}

// stop lets the waiting writes finish and ends the goroutine.
func (w *writer) stop() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.waiting)
	}
	w.mu.Unlock()
	<-w.done
	return w.syncFreelist()
}

func (w *writer) run() {
	defer close(w.done)
	for first := range w.waiting {
		w.since.Store(time.Now().UnixNano())
		w.commit(w.group(first))
		w.since.Store(0)
	}
}

// group returns first and what is waiting behind it.
func (w *writer) group(first *change) []*change {
	group := []*change{first}
	for len(group) < maxGroup {
		select {
		case c, ok := <-w.waiting:
			if !ok {
				return group
			}
			group = append(group, c)
		default:
			return group
		}
	}
	return group
}

// commit applies the group in one transaction. A change that fails is left out, and the others are applied anew, since bbolt can only roll
// back whole transactions. Its failure is told after the commit: it may come from what others in the group have changed, which nobody may
// learn of before it is stored.
func (w *writer) commit(group []*change) {
	var failures []failure
	for len(group) > 0 {
		failed, err := w.try(group)
		switch {
		case err == nil:
			acknowledge(group, nil)
			group = nil
		case failed >= 0:
			failures = append(failures, failure{group[failed], err})
			group = slices.Delete(group, failed, failed+1)
		case errors.Is(err, db.ErrFull) && allRemove(group) && w.reserve.release(): // now there is room
		default: // the commit itself failed: those that have seen it are tried without it
			group = w.refuse(group, err)
			for _, f := range failures {
				group = append(group, f.change)
			}
			failures = nil
		}
	}
	for _, f := range failures {
		f.err <- f.cause
	}
}

// failure is a change that could not be applied.
type failure struct {
	*change
	cause error
}

func acknowledge(group []*change, err error) {
	for _, c := range group {
		c.err <- err
	}
}

// refuse fails the changes of a group whose commit failed, and returns those that are worth another attempt: where there was no space for
// all, deletions alone may use the reserve.
func (w *writer) refuse(group []*change, err error) (again []*change) {
	for _, c := range group {
		if errors.Is(err, db.ErrFull) && c.removes && !allRemove(group) {
			again = append(again, c)
		} else {
			c.err <- err
		}
	}
	return again
}

func allRemove(group []*change) bool {
	return !slices.ContainsFunc(group, func(c *change) bool { return !c.removes })
}

// maxReserve is how many bytes of a limited file are kept for deletions, which need new pages before they free old ones; of a
// small file it is a quarter.
const maxReserve = 8 << 20

// setLimit sets how large the file may get with a group.
func (w *writer) setLimit(group []*change) {
	if w.limit <= 0 {
		return
	}
	limit := w.limit + LimitedStep // bbolt counts the step that it grows by
	if !allRemove(group) {
		limit -= min(maxReserve, w.limit/4)
	}
	w.bolt.MaxSize = int(limit)
}

// try returns the number of the change that failed, or -1 where the transaction did.
func (w *writer) try(group []*change) (failed int, err error) {
	w.setLimit(group)
	if !allRemove(group) && !w.hasRoom() {
		return -1, fmt.Errorf("%w: the disk has no room", db.ErrFull)
	}
	if err := w.first.check(); err != nil {
		return -1, err
	}
	tx, err := w.bolt.Begin(true)
	if err != nil {
		return -1, err
	}
	defer func() {
		err = errors.Join(err, Guard(w.path, func() error { return rollback(tx) }))
	}()
	for i, c := range group {
		if err := c.ctx.Err(); err != nil && !c.begun {
			return i, err
		}
		c.begun = true
		if err := Guard(w.path, func() error { return c.apply(tx) }); err != nil {
			return i, fullError(err)
		}
	}
	if err := Guard(w.path, tx.Commit); err != nil {
		return -1, fullError(err)
	}
	w.bolt.NoFreelistSync = w.bolt.Stats().FreePageN > maxSyncedFreelist
	return -1, nil
}

// hasRoom reports whether more may be stored: deletions must find as much as the reserve has, in it or in pages of the file that are free.
// Without the latter nothing could be stored any more where deletions have used a part of the reserve and all else of the disk is taken.
func (w *writer) hasRoom() bool {
	held := w.reserve.take()
	if held == ReserveSize {
		return true
	}
	stats := w.bolt.Stats()
	free := stats.FreePageN + stats.PendingPageN
	return held+int64(free)*int64(w.bolt.Info().PageSize) >= ReserveSize
}

func rollback(tx *bbolt.Tx) error {
	if err := tx.Rollback(); err != nil && !errors.Is(err, bolterrors.ErrTxClosed) {
		return err
	}
	return nil
}

// fullError turns what the machine says of a lack of space into ErrFull.
func fullError(err error) error {
	if errors.Is(err, bolterrors.ErrMaxSizeReached) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %v", db.ErrFull, err)
	}
	return err
}
