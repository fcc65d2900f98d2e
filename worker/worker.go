// Package worker runs queued audits and stores what they find.
//
// The queue itself is in the database and survives the process. The worker reads a fair choice of it into a window, and begins audits out of
// that: of the account that has least under way, of that account's hosts the one that has least under way, and of that host's pages the one
// that waits longest. Reports of one address that wait together share an audit. So neither a thousand pages of one site hold up the one
// page of another, nor the sites of one account, or those that never respond, the work of another.
package worker

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
)

// Options are how a worker works. The zero value of a field means the default that its comment names.
type Options struct {
	Audits  int           // audits under way at once, most of which wait for a network; 32
	PerHost int           // of them, those of one host, a port making another host; 2
	Grace   time.Duration // how long running audits may take to finish once the worker is told to stop; 10 s
	Retry   time.Duration // pause before the database is tried again after it refused; 5 s
	Log     *slog.Logger  // slog.Default()
}

// A Worker runs the audits of one database. It is safe for concurrent use.
type Worker struct {
	Options
	store   db.Store
	auditor *audit.Auditor
	changed chan struct{} // holds one element when Run should look again
	stopped chan struct{} // closed when Run has ended

	window                          window // only Run's goroutine uses it
	windowSize, hostShare, readPage int    // those of the constants, but in tests

	mu       sync.Mutex              // guards what follows
	queued   bool                    // reports were queued since the queue was read
	load     load                    // what is under way
	running  map[db.ReportKey]db.Job // the reports that it is for
	again    map[db.ReportKey]bool   // running, and queued anew since
	aside    map[db.Job]bool         // jobs that cannot be read or stored; they are tried again by the next process
	waiters  map[db.ReportKey]map[chan struct{}]bool
	full     bool // the database refuses writes for lack of space, and that was logged
	finished Stats
}

func keyOf(j db.Job) db.ReportKey { return db.ReportKey{Account: j.Account, ID: j.ID} }

// Stats count what a worker did since it was made. An audit is counted shortly after its report can be read.
type Stats struct {
	Running int                   // audits under way at this moment
	Done    uint64                // audits that gave a report
	Failed  map[audit.Code]uint64 // audits that did not, by reason
}

// ErrStopped says that the worker has stopped; what was still queued runs in the next process.
var ErrStopped = errors.New("the worker has stopped")

// New returns a worker, which begins with Run.
func New(store db.Store, auditor *audit.Auditor, o Options) *Worker {
	if o.Audits <= 0 {
		o.Audits = 32
	}
	if o.PerHost <= 0 {
		o.PerHost = 2
	}
	if o.Grace <= 0 {
		o.Grace = 10 * time.Second
	}
	if o.Retry <= 0 {
		o.Retry = 5 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	return &Worker{
		Options:    o,
		store:      store,
		auditor:    auditor,
		changed:    make(chan struct{}, 1),
		stopped:    make(chan struct{}),
		windowSize: windowSize,
		hostShare:  hostShare,
		readPage:   readPage,
		queued:     true, // by an earlier process, perhaps
		load:       newLoad(o.Audits, o.PerHost),
		running:    map[db.ReportKey]db.Job{},
		again:      map[db.ReportKey]bool{},
		aside:      map[db.Job]bool{},
		waiters:    map[db.ReportKey]map[chan struct{}]bool{},
		finished:   Stats{Failed: map[audit.Code]uint64{}},
	}
}

// Run works until ctx ends. It then begins no more audits, gives those under way Options.Grace to finish and breaks off the rest, whose
// reports stay queued. It must be called once.
func (w *Worker) Run(ctx context.Context) {
	defer close(w.stopped)
	var jobs sync.WaitGroup
	auditing, breakOff := context.WithCancel(context.WithoutCancel(ctx))
	defer jobs.Wait()
	defer breakOff()
	defer w.store.Subscribe(w.hear)()
	jobs.Go(func() { w.watch(ctx) })
	for ctx.Err() == nil {
		var again <-chan time.Time
		if pause := w.fill(ctx, func(e *entry) { jobs.Go(func() { w.work(ctx, auditing, e) }) }); pause > 0 {
			again = time.After(pause)
		}
		select {
		case <-ctx.Done():
		case <-w.changed:
		case <-again:
		}
	}
	w.await(&jobs)
}

// await returns when all jobs have ended, or after Options.Grace.
func (w *Worker) await(jobs *sync.WaitGroup) {
	ended := make(chan struct{})
	go func() {
		jobs.Wait()
		close(ended)
	}()
	grace := time.NewTimer(w.Grace)
	defer grace.Stop()
	select {
	case <-ended:
	case <-grace.C:
	}
}

// fill begins audits until every place is taken or none may begin. When the queue should be read, but not yet, it returns the time until
// then; otherwise 0.
func (w *Worker) fill(ctx context.Context, start func(*entry)) (pause time.Duration) {
	for ctx.Err() == nil && w.hasPlace() {
		if w.shouldRead() {
			if pause = time.Until(w.window.readAfter); pause <= 0 {
				w.read(ctx)
				continue
			}
		}
		e, ok := w.take()
		if !ok {
			return pause
		}
		start(e)
	}
	return pause
}

// hasPlace reports whether another audit may run.
func (w *Worker) hasPlace() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.load.audits < w.Audits
}

// hear takes the news of the store: there may be something to begin with, and those who wait for reports that may have been deleted look
// at them again.
func (w *Worker) hear(n db.News) {
	w.mu.Lock()
	w.queued = w.queued || n.Queued
	for key := range w.waiters {
		if n.Deleted && key.Account == n.Account {
			w.tell(key)
		}
	}
	w.mu.Unlock()
	if n.Queued {
		w.lookAgain()
	}
}

// lookAgain lets Run see what has changed.
func (w *Worker) lookAgain() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// Stats returns the counts of this moment.
func (w *Worker) Stats() Stats {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := Stats{Running: w.load.audits, Done: w.finished.Done, Failed: make(map[audit.Code]uint64, len(w.finished.Failed))}
	for code, n := range w.finished.Failed {
		s.Failed[code] = n
	}
	return s
}
