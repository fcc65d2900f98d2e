package worker

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
)

// Wait returns nil when a report is neither queued nor running any more; an unknown or deleted one is neither. Otherwise the error is that
// of ctx, ErrStopped, or one of the database. It also returns when the report is deleted.
func (w *Worker) Wait(ctx context.Context, account string, id uuid.UUID) error {
	key := db.ReportKey{Account: account, ID: id}
	ended := w.subscribe(key)
	defer w.unsubscribe(key, ended)
	for { // each time round after an audit, which may have been asked for again meanwhile
		status, err := w.store.Status(ctx, account, id)
		switch {
		case errors.Is(err, db.ErrNotFound):
			return nil
		case err != nil:
			return err
		case !status.Unfinished():
			return nil
		}
		select {
		case <-ended:
		case <-ctx.Done():
			return ctx.Err()
		case <-w.stopped:
			return ErrStopped
		}
	}
}

// watchEvery is how often those who wait are told of audits that ended in other processes.
const watchEvery = 200 * time.Millisecond

// watch wakes those who wait for reports that other processes have audited, until ctx ends.
func (w *Worker) watch(ctx context.Context) {
	looks := time.NewTicker(watchEvery)
	defer looks.Stop()
	for {
		select {
		case <-looks.C:
		case <-ctx.Done():
			return
		}
		waited := w.waited()
		if len(waited) == 0 {
			continue
		}
		ended, err := w.store.Ended(ctx, waited)
		if err != nil { // the next look may tell
			continue
		}
		w.mu.Lock()
		for _, key := range ended {
			w.tell(key)
		}
		w.mu.Unlock()
	}
}

// waited returns the reports that somebody waits for.
func (w *Worker) waited() []db.ReportKey {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Collect(maps.Keys(w.waiters))
}

// tell wakes those who wait for a report. The caller holds the lock.
func (w *Worker) tell(key db.ReportKey) {
	for waiter := range w.waiters[key] {
		select {
		case waiter <- struct{}{}:
		default:
		}
	}
}

// subscribe returns a channel that holds an element when there is reason to look at the report again.
func (w *Worker) subscribe(key db.ReportKey) chan struct{} {
	ended := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiters[key] == nil {
		w.waiters[key] = map[chan struct{}]bool{}
	}
	w.waiters[key][ended] = true
	return ended
}

func (w *Worker) unsubscribe(key db.ReportKey, ended chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.waiters[key], ended)
	if len(w.waiters[key]) == 0 {
		delete(w.waiters, key)
	}
}
