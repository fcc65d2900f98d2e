package httpx

import (
	"math"
	"net/netip"
	"sync"
	"time"
)

// Window counts what each client does within a period, and lets it do no more than so much. It is exact: whatever moment the period begins
// at, no more came. It is safe for concurrent use, and bounded however many clients there are.
type Window struct {
	most    int
	period  time.Duration
	servers func() int
	mu      sync.Mutex
	times   map[netip.Prefix][]time.Time // of what was let through, the oldest first
}

// NewWindow returns a window that nobody has met. Of several servers each lets its share of most through:
// servers returns how many there are now; nil: one.
func NewWindow(most int, period time.Duration, servers func() int) *Window {
	return &Window{most: most, period: period, servers: servers, times: map[netip.Prefix][]time.Time{}}
}

// Enter lets a client through, or returns how many seconds it must wait. Clients of IPv6 are told apart by their network.
func (w *Window) Enter(client netip.Addr, now time.Time) (wait int) {
	bits := 64
	if client.Is4() {
		bits = 32
	}
	key, _ := client.Prefix(bits) // one for all whose address is unknown
	w.mu.Lock()
	defer w.mu.Unlock()
	times, known := w.times[key]
	if !known && len(w.times) >= maxBuckets {
		w.makeRoom(now)
	}
	for len(times) > 0 && now.Sub(times[0]) >= w.period {
		times = times[1:]
	}
	if over := len(times) - max(1, w.most/count(w.servers)); over >= 0 {
		return int(math.Ceil((w.period - now.Sub(times[over])).Seconds()))
	}
	if len(times) == cap(times) { // those that have passed go
		times = append(make([]time.Time, 0, 2*len(times)+1), times...)
	}
	w.times[key] = append(times, now)
	return 0
}

// makeRoom forgets the clients that came before the period, and where that is not enough any, until a tenth is free.
func (w *Window) makeRoom(now time.Time) {
	for key, times := range w.times {
		if now.Sub(times[len(times)-1]) >= w.period {
			delete(w.times, key)
		}
	}
	for key := range w.times {
		if len(w.times) <= maxBuckets*9/10 {
			return
		}
		delete(w.times, key)
	}
}
