package worker

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sitegrade/db"
)

// Wait returns nil when a report is neither queued nor running any more; an unknown or deleted one is neither. Otherwise the error is that
// of ctx, ErrStopped, or one of the database. It also returns when the report is deleted.
func (w *Worker) Wait(ctx context.Context, account string, id uuid.UUID) error {
	key := reportKey{account, id}
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
