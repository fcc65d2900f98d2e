package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/weburl"
)

// brokenOff is what a report says when its audit ended by a fault of ours. There is no code for that: to the client the page was
// not reached.
const brokenOff = "the audit broke off because of an internal error, which the server's log describes"

// work audits the page of an entry and finishes all reports that wait for it. One that was deleted since the queue was read is passed over.
// The end of stop ends attempts to store, and that of auditing breaks off the audit; the reports then stay queued.
func (w *Worker) work(stop, auditing context.Context, e *entry) {
	defer w.release(e)
	jobs := w.claim(auditing, e.jobs)
	if len(jobs) == 0 {
		return
	}
	found, failure := w.audit(auditing, jobs)
	if found == nil && auditing.Err() != nil {
		for _, j := range jobs {
			w.letGo(stop, j, nil)
		}
		return
	}
	w.noteResponse(e.host, failure)
	if w.finish(stop, jobs, found, failure) {
		w.count(failure)
	}
}

// claim returns those of the jobs that still wait, claimed.
func (w *Worker) claim(ctx context.Context, jobs []db.Job) []db.Job {
	var claimed []db.Job
	for _, j := range jobs {
		ok, err := w.store.Claim(ctx, j)
		if err != nil {
			w.putAside(j, err)
		}
		if ok {
			claimed = append(claimed, j)
		}
	}
	return claimed
}

// finishersAtOnce is how many reports of an audit are stored at a time: the database commits what comes together at once.
const finishersAtOnce = 16

// finish stores for each of the reports what came of their audit, and reports whether that was possible for one of them.
func (w *Worker) finish(stop context.Context, jobs []db.Job, found *audit.Report, failure *audit.Failure) bool {
	var stored atomic.Bool
	var finishers errgroup.Group
	finishers.SetLimit(finishersAtOnce)
	for _, j := range jobs {
		finishers.Go(func() error {
			err := w.keep(stop, j, found, failure)
			if err == nil {
				stored.Store(true)
			}
			w.letGo(stop, j, err)
			return nil
		})
	}
	_ = finishers.Wait() // nil
	return stored.Load()
}

// letGo ends a claim, and puts the job aside when its report could not be stored because of err.
func (w *Worker) letGo(stop context.Context, j db.Job, err error) {
	if err := errors.Join(err, w.store.Release(context.WithoutCancel(stop), j)); err != nil {
		w.putAside(j, err)
	}
	w.ended(j)
}

// putAside notes a job that cannot be read or stored, unless it is because the worker ends or the database is away for a while.
func (w *Worker) putAside(j db.Job, err error) {
	if errors.Is(err, db.ErrClosed) || errors.Is(err, db.ErrUnavailable) || errors.Is(err, context.Canceled) {
		return
	}
	w.Log.Error("a report cannot be audited until the next start", "account", j.Account, "report", j.ID, "error", err)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.aside[j] = true
}

// audit returns what the audit that these jobs share found, or why it failed. Whatever happens in there, the server goes on.
func (w *Worker) audit(ctx context.Context, jobs []db.Job) (found *audit.Report, failure *audit.Failure) {
	j, auditor := jobs[0], w.auditor
	if !slices.ContainsFunc(jobs, func(j db.Job) bool { return !j.IsBackground() }) {
		auditor = auditor.Behind()
	}
	defer func() {
		if p := recover(); p != nil {
			w.Log.Error("an audit panicked", "account", j.Account, "report", j.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			found, failure = nil, &audit.Failure{Code: audit.CodeUnreachable, Detail: brokenOff}
		}
	}()
	found, err := auditor.Audit(ctx, weburl.Restore(j.URL))
	switch {
	case err == nil:
		return found, nil
	case errors.As(err, &failure):
		return nil, failure
	case ctx.Err() == nil:
		w.Log.Error("an audit ended with an unknown error", "account", j.Account, "report", j.ID, "error", err)
	}
	return nil, &audit.Failure{Code: audit.CodeUnreachable, Detail: brokenOff}
}

// keep stores what came of an audit. While the database is full or away it tries again and again, until stop ends: beginning other audits would
// not help, and what was found need not be fetched anew. A report that was deleted meanwhile is not missed.
func (w *Worker) keep(stop context.Context, j db.Job, found *audit.Report, failure *audit.Failure) error {
	for {
		err := w.store.FinishReport(context.WithoutCancel(stop), j, found, failure)
		switch {
		case err == nil:
			w.noteFull(false)
			return nil
		case errors.Is(err, db.ErrNotFound):
			return nil
		case errors.Is(err, db.ErrFull):
			w.noteFull(true)
		case !errors.Is(err, db.ErrUnavailable):
			return err
		}
		select {
		case <-time.After(w.Retry):
		case <-stop.Done():
			return err
		}
	}
}

// noteFull logs when the database becomes full and when it takes something again.
func (w *Worker) noteFull(full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case full && !w.full:
		w.Log.Error("audits wait because the database is full: delete reports, raise max_size or make room on the disk", "again_in", w.Retry)
	case !full && w.full:
		w.Log.Info("the database takes audits again")
	}
	w.full = full
}

func (w *Worker) count(failure *audit.Failure) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if failure == nil {
		w.finished.Done++
	} else {
		w.finished.Failed[failure.Code]++
	}
}

// noteResponse remembers whether the host gave a response in time.
func (w *Worker) noteResponse(host string, failure *audit.Failure) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.load.note(host, failure == nil || failure.Code != audit.CodeTimeout, time.Now())
}

// release gives back the place of an audit.
func (w *Worker) release(e *entry) {
	for _, j := range e.jobs {
		w.ended(j)
	}
	w.mu.Lock()
	w.load.end(e)
	w.mu.Unlock()
	w.lookAgain()
}

// ended takes a report from those whose audit is under way and tells those who wait for it. A second time it does nothing.
func (w *Worker) ended(j db.Job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	key := keyOf(j)
	if _, isRunning := w.running[key]; !isRunning {
		return
	}
	delete(w.running, key)
	if w.again[key] {
		delete(w.again, key)
		w.queued = true
	}
	w.tell(key)
}
