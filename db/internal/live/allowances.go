package live

import (
	"sync"
	"time"

	"sitegrade/db"
)

// maxAllowances is how many of a kind are remembered. Beyond it those go first of which all is back.
const maxAllowances = 10_000

// Allowances are what is used of allowances. The zero value has nothing used.
type Allowances struct {
	mu   sync.Mutex
	back map[string]map[string]time.Time // by kind: when all is back
}

// Use has use see and change how long it takes until all is back of some allowances.
func (s *Allowances) Use(of []db.Allowance, now time.Time, use func(back []time.Duration)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	back := make([]time.Duration, len(of))
	for i, a := range of {
		back[i] = max(0, s.back[a.Kind][a.Of].Sub(now))
	}
	use(back)
	for i, a := range of {
		s.set(a, back[i], now)
	}
}

func (s *Allowances) set(a db.Allowance, back time.Duration, now time.Time) {
	if back <= 0 {
		delete(s.back[a.Kind], a.Of)
		return
	}
	if s.back == nil {
		s.back = map[string]map[string]time.Time{}
	}
	if s.back[a.Kind] == nil {
		s.back[a.Kind] = map[string]time.Time{}
	}
	if of := s.back[a.Kind]; len(of) >= maxAllowances {
		makeRoom(of, now)
	}
	s.back[a.Kind][a.Of] = now.Add(back)
}

// makeRoom forgets those of which all is back, and where that is not enough any, until a tenth is free: a scan for each new one would cost more
// than what it protects.
func makeRoom(of map[string]time.Time, now time.Time) {
	for name, back := range of {
		if !back.After(now) {
			delete(of, name)
		}
	}
	for name := range of {
		if len(of) <= maxAllowances*9/10 {
			return
		}
		delete(of, name)
	}
}
