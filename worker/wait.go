package worker

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sitegrade/db"
)

// Wait returns nil when a report is neither queued nor running any more; an unknown or deleted one is neither. Otherwise the error is that
// of ctx, ErrStopped, or one of the database. That a report was deleted while it waited for its turn is noticed with Recheck, or when the turn comes.
func (w *Worker) Wait(ctx context.Context, account string, id uuid.UUID) error {
	key := reportKey{account, id}
	ended := w.subscribe(key)
	defer w.unsubscribe(key, ended)
	for { // each time round after an audit, which may have been asked for again meanwhile
		report, _, err := w.store.Report(ctx, account, id)
		switch {
		case errors.Is(err, db.ErrNotFound):
			return nil
		case err != nil:
			return err
		case !isWaiting(report.Status):
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

// Recheck has those who wait for reports of an account look at them again, since some were deleted.
func (w *Worker) Recheck(account string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for key := range w.waiters {
		if key.account == account {
			w.tell(key)
		}
	}
}

// tell wakes those who wait for a report. The caller holds the lock.
func (w *Worker) tell(key reportKey) {
	for waiter := range w.waiters[key] {
		select {
		case waiter <- struct{}{}:
		default:
		}
	}
}

// subscribe returns a channel that holds an element when there is reason to look at the report again.
func (w *Worker) subscribe(key reportKey) chan struct{} {
	ended := make(chan struct{}, 1)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.waiters[key] == nil {
		w.waiters[key] = map[chan struct{}]bool{}
	}
	w.waiters[key][ended] = true
	return ended
}

func (w *Worker) unsubscribe(key reportKey, ended chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.waiters[key], ended)
	if len(w.waiters[key]) == 0 {
		delete(w.waiters, key)
	}
}
