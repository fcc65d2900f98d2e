package worker

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sitegrade/db"
)

const (
	// readPage is how many jobs one read transaction brings: it lasts a few milliseconds and keeps no writer waiting.
	readPage = 1000
	// maxRead is how many jobs of an account one reading looks through. What stands further behind is seen when the row gets shorter.
	maxRead = 50_000
	// readPause is how many times as long as a reading the worker waits before the next: what makes it look through a long queue at every
	// create would take a processor for itself.
	readPause = 10
)

// take takes the next entry out of the window and counts it as under way.
func (w *Worker) take() (*entry, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	i := w.window.next(&w.load, now)
	if i < 0 {
		return nil, false
	}
	e := w.window.take(i)
	w.load.begin(e, now)
	for _, j := range e.jobs {
		w.running[keyOf(j)] = j
	}
	return e, true
}

// shouldRead reports whether reading the queue would bring something to begin with.
func (w *Worker) shouldRead() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.queued || w.window.isHalfEmpty() {
		return true
	}
	return w.window.hasRoom() && w.window.next(&w.load, time.Now()) < 0
}

// read fills the window anew with what waits in the queue and is not under way.
func (w *Worker) read(ctx context.Context) {
	w.setQueued(false) // before reading: what is queued from here on is news again
	began := time.Now()
	entries, isPart, err := w.choose(ctx)
	if err != nil {
		w.setQueued(true)
		w.window.readAfter = time.Now().Add(w.Retry)
		if ctx.Err() == nil {
			w.Log.Error("the queue cannot be read", "error", err, "again_in", w.Retry)
		}
		return
	}
	w.window = window{entries: entries, read: len(entries), isPart: isPart, readAfter: time.Now().Add(readPause * time.Since(began))}
}

// choose returns the fairest choice of what waits, in the order in which it waits; isPart tells that there is more.
func (w *Worker) choose(ctx context.Context) (entries []*entry, isPart bool, err error) {
	accounts, err := w.store.AccountsWaiting(ctx)
	if err != nil {
		return nil, false, err
	}
	sharing := maxSharing
	for _, account := range accounts {
		s := newSelection(w.windowSize, w.hostShare, sharing)
		if err := w.offerAll(ctx, account, s); err != nil {
			return nil, false, err
		}
		sharing = s.sharing
		entries = append(entries, s.entries...)
		isPart = isPart || s.isPart
		if len(entries) >= 2*w.windowSize {
			entries, isPart = w.fairest(entries, isPart)
		}
	}
	entries, isPart = w.fairest(entries, isPart)
	slices.SortStableFunc(entries, func(x, y *entry) int { return cmp.Compare(x.jobs[0].Queued, y.jobs[0].Queued) })
	return entries, isPart, nil
}

// fairest leaves what the window has room for, and isPart as it is then.
func (w *Worker) fairest(entries []*entry, isPart bool) ([]*entry, bool) {
	kept, left := fairest(entries, w.windowSize)
	return kept, isPart || len(left) > 0
}

// offerAll offers a selection what waits of an account, as far as one reading looks.
func (w *Worker) offerAll(ctx context.Context, account string, s *selection) error {
	var last db.Job
	for range maxRead / w.readPage {
		jobs, err := w.store.Waiting(ctx, account, last, w.readPage)
		if err != nil {
			return err
		}
		for _, j := range jobs {
			if !w.isTaken(j) {
				s.offer(j)
			}
		}
		if len(jobs) < w.readPage {
			return nil
		}
		last = jobs[len(jobs)-1]
	}
	s.isPart = true
	return nil
}

func (w *Worker) setQueued(queued bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued = queued
}

// isTaken reports whether a job need not be offered: its report is being audited, or was put aside. A report that was queued anew while it
// is audited is noted, since storing the audit that was asked for earlier leaves it queued.
func (w *Worker) isTaken(j db.Job) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := keyOf(j)
	running, isRunning := w.running[key]
	if isRunning && running != j {
		w.again[key] = true
	}
	return isRunning || w.aside[j]
}
