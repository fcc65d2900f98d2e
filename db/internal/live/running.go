package live

import (
	"sync"

	"github.com/google/uuid"
)

// Running is the reports that are being audited now. The zero value is empty.
type Running struct {
	mu  sync.RWMutex
	ids map[runningKey]bool
}

type runningKey struct {
	account string
	id      uuid.UUID
}

// Has reports whether a report is in the set.
func (s *Running) Has(account string, id uuid.UUID) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.ids[runningKey{account, id}]
}

// Add reports whether the report was not in the set.
func (s *Running) Add(account string, id uuid.UUID) bool {
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

// Remove takes a report out of the set.
func (s *Running) Remove(account string, id uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.ids, runningKey{account, id})
}
