package worker

import (
	"context"
	"slices"
	"strings"
	"time"

	"sitegrade/db"
)

const (
	windowSize = 1000
	hostShare  = 100
	// readPause is how much longer than a reading the time to the next one is. A row of a million jobs takes long to look through,
	// and must not be looked through at every create.
	readPause = 10
)

// entry is a job in the window.
type entry struct {
	db.Job
	host string
}

// window is what was read of the queue and has not begun.
type window struct {
	size      int     // jobs that one reading may bring; windowSize
	hostShare int     // jobs of one host, so that others are seen behind a long row of them; hostShare
	entries   []entry // those that wait longest first
	holds     map[reportKey]db.Job
	share     map[string]int  // entries of each host
	cut       map[string]bool // hosts of which the queue has more than their share
	more      bool            // the queue has more of all hosts
	readAfter time.Time       // when the queue may be read again
}

func newWindow() window {
	return window{size: windowSize, hostShare: hostShare, holds: map[reportKey]db.Job{}, share: map[string]int{}}
}

// hostOf returns the host of a normalised address, with its port and without "www.": what audits are counted by.
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.TrimPrefix(host, "www.")
}

func (v *window) add(e entry) {
	v.entries = append(v.entries, e)
	v.holds[keyOf(e.Job)] = e.Job
	v.share[e.host]++
}

func (v *window) remove(i int) entry {
	e := v.entries[i]
	v.entries = slices.Delete(v.entries, i, i+1)
	delete(v.holds, keyOf(e.Job))
	if v.share[e.host]--; v.share[e.host] == 0 {
		delete(v.share, e.host)
	}
	return e
}

// ranOut reports whether the queue has jobs of a host of which the window has none.
func (v *window) ranOut() bool {
	for host := range v.cut {
		if v.share[host] == 0 {
			return true
		}
	}
	return false
}

// next returns the place of the entry to begin with: of the hosts that are least busy, and not as busy as they may be, the one that
// waits longest; -1 when there is none.
func (v *window) next(busy map[string]int, perHost int) int {
	best := -1
	for i, e := range v.entries {
		if n := busy[e.host]; n < perHost && (best < 0 || n < busy[v.entries[best].host]) {
			best = i
		}
	}
	return best
}

// take takes the next job out of the window and counts it as running.
func (w *Worker) take() (entry, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.window.next(w.busy, w.PerHost)
	if i < 0 {
		return entry{}, false
	}
	e := w.window.remove(i)
	w.running[keyOf(e.Job)] = e.Job
	w.busy[e.host]++
	return e, true
}

// shouldRead reports whether reading the queue would bring something to begin with.
func (w *Worker) shouldRead() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.window.next(w.busy, w.PerHost) >= 0 {
		return w.queued && len(w.window.entries) < w.window.size
	}
	return w.queued || w.window.more || w.window.ranOut()
}

// read adds to the window what waits in the queue.
func (w *Worker) read(ctx context.Context) {
	w.setQueued(false) // before reading: what is queued from here on is news again
	began := time.Now()
	cut := map[string]bool{}
	share := map[string]int{}
	jobs, err := w.store.Queued(ctx, w.window.size, func(j db.Job) bool {
		host := hostOf(j.URL)
		if w.isTaken(j) {
			return true
		}
		if w.window.share[host]+share[host] >= w.window.hostShare {
			cut[host] = true
			return true
		}
		share[host]++
		return false
	})
	if err != nil {
		w.setQueued(true)
		w.window.readAfter = time.Now().Add(w.Retry)
		if ctx.Err() == nil {
			w.Log.Error("the queue cannot be read", "error", err, "again_in", w.Retry)
		}
		return
	}
	for _, j := range jobs {
		w.window.add(entry{Job: j, host: hostOf(j.URL)})
	}
	w.window.cut, w.window.more = cut, len(jobs) == w.window.size
	w.window.readAfter = time.Now().Add(readPause * time.Since(began))
}

func (w *Worker) setQueued(queued bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queued = queued
}

// isTaken reports whether a job need not be read: its report is being audited, stands in the window, or was put aside. A report that
// was queued anew while it was taken is noted, since storing the audit that was asked for earlier leaves it queued.
func (w *Worker) isTaken(j db.Job) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := keyOf(j)
	taken, isTaken := w.running[key]
	if !isTaken {
		taken, isTaken = w.window.holds[key]
	}
	if isTaken && taken != j {
		w.again[key] = true
	}
	return isTaken || w.aside[j]
}
