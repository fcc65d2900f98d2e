package live

import (
	"sync"

	"sitegrade/db"
)

// Served are the creates with an idempotency key that this process serves now, with what they ask for. The zero value has not one.
type Served struct {
	mu  sync.Mutex
	now map[servedKey]db.NewReport
}

type servedKey struct{ account, key string }

// Begin notes that a create is served, until end is called. The error is db.ErrBeingServed where another one with its key is, and
// db.ErrIdempotencyMismatch if that one asks for something else.
func (s *Served) Begin(account string, n db.NewReport) (end func(), err error) {
	name := servedKey{account, n.IdempotencyKey}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other, served := s.now[name]; served {
		if other != n {
			return nil, db.ErrIdempotencyMismatch
		}
		return nil, db.ErrBeingServed
	}
	if s.now == nil {
		s.now = map[servedKey]db.NewReport{}
	}
	s.now[name] = n
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.now, name)
	}, nil
}
