package bolt

import (
	"context"
	"errors"
	"sync"

	"github.com/google/uuid"

	"sitegrade/db"
)

// runningSet is the reports that are being audited now. It is never stored.
type runningSet struct {
	mu  sync.RWMutex
	ids map[runningKey]bool
}

type runningKey struct {
	account string
	id      uuid.UUID
}

func (s *runningSet) has(account string, id uuid.UUID) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ids[runningKey{account, id}]
}

// add reports whether the report was not in the set.
func (s *runningSet) add(account string, id uuid.UUID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ids == nil {
		s.ids = map[runningKey]bool{}
	}
	key := runningKey{account, id}
	if s.ids[key] {
		return false
	}
	s.ids[key] = true
	return true
}

func (s *runningSet) remove(account string, id uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, runningKey{account, id})
}

// Claim is documented in db.Store. Claims are kept in memory only.
func (d *DB) Claim(ctx context.Context, j db.Job) (bool, error) {
	if !d.running.add(j.Account, j.ID) {
		return false, nil
	}
	status, err := d.Status(ctx, j.Account, j.ID)
	if err == nil && status == db.Running {
		return true, nil
	}
	d.running.remove(j.Account, j.ID)
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return false, err
}

// Release is documented in db.Store.
func (d *DB) Release(ctx context.Context, j db.Job) error {
	d.running.remove(j.Account, j.ID)
	return nil
}
