package worker

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
)

// brokenOff is what a report says when its audit ended by a fault of ours. There is no code for that: to the client the page was
// not reached.
const brokenOff = "the audit broke off because of an internal error, which the server's log describes"

// work runs one job, from claiming it to storing what came of it. A report that was deleted since the queue was read is passed over. The
// end of stop ends attempts to store, and that of auditing breaks off the audit; the report then stays queued.
func (w *Worker) work(stop, auditing context.Context, e entry) {
	defer w.release(e)
	claimed, err := w.store.Claim(auditing, e.Job)
	if claimed {
		err = errors.Join(w.auditAndStore(stop, auditing, e.Job), w.store.Release(context.WithoutCancel(stop), e.Job))
	}
	if err == nil || errors.Is(err, db.ErrClosed) || errors.Is(err, context.Canceled) {
		return
	}
	w.Log.Error("a report cannot be audited until the next start", "account", e.Account, "report", e.ID, "error", err)
	w.mu.Lock()
	w.aside[e.Job] = true
	w.mu.Unlock()
}

func (w *Worker) auditAndStore(stop, auditing context.Context, j db.Job) error {
	found, failure := w.audit(auditing, j)
	if found == nil && auditing.Err() != nil {
		return nil
	}
	if err := w.keep(stop, j, found, failure); err != nil {
		return err
	}
	w.count(failure)
	return nil
}

// audit returns what the audit found, or why it failed. Whatever happens in there, the server goes on.
func (w *Worker) audit(ctx context.Context, j db.Job) (found *audit.Report, failure *audit.Failure) {
	defer func() {
		if p := recover(); p != nil {
			w.Log.Error("an audit panicked", "account", j.Account, "report", j.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			found, failure = nil, &audit.Failure{Code: audit.CodeUnreachable, Detail: brokenOff}
		}
	}()
	found, err := w.auditor.Audit(ctx, j.URL)
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

// keep stores what came of an audit. While the database is full it tries again and again, until stop ends: beginning other audits would
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
		case !errors.Is(err, db.ErrFull):
			return err
		}
		w.noteFull(true)
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

// release returns back a job's place and tells those who wait for its report.
func (w *Worker) release(e entry) {
	w.mu.Lock()
	key := keyOf(e.Job)
	delete(w.running, key)
	if w.again[key] {
		delete(w.again, key)
		w.queued = true
	}
	if w.busy[e.host]--; w.busy[e.host] == 0 {
		delete(w.busy, e.host)
	}
	w.tell(key)
	w.mu.Unlock()
	w.lookAgain()
}
