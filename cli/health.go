package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"sitegrade/db"
)

const (
	// leastDisk is how many bytes the disk of the data must have free.
	leastDisk = 64 << 20
	// stalledAfter is how long a report may wait while no audit runs at all. A long row that is being worked off is no fault.
	stalledAfter = 10 * time.Minute
	// stuckAfter is how long a write may take, on whatever disk, before it is taken for one that never ends.
	stuckAfter = 30 * time.Second
	// statsPatience is how long the database may take to say how it is.
	statsPatience = 5 * time.Second
	// healthAge is how long a response of /readyz holds, so that asking it often costs nothing.
	healthAge = time.Second
)

// health answers whether the process lives and whether it can do its work.
type health struct {
	store   db.Store
	data    string     // the directory
	running func() int // audits at this moment

	mu       sync.Mutex
	stopping bool
	asked    chan statsAnswer // how the database is, when it says so; nil when it was not asked
	checked  time.Time
	troubles []string
}

// stop makes the server unready: it takes no new work.
func (h *health) stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopping = true
}

// find returns what keeps the server from its work, in words; none when it is ready.
func (h *health) find(now time.Time) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.checked.IsZero() || now.Sub(h.checked) >= healthAge {
		h.checked, h.troubles = now, h.look(now)
	}
	if h.stopping {
		return append(slices.Clone(h.troubles), "the server is stopping")
	}
	return h.troubles
}

func (h *health) look(now time.Time) []string {
	troubles := h.lookAtDatabase(now)
	if free, err := freeDisk(h.data); err == nil && free < leastDisk {
		troubles = append(troubles, "the disk is nearly full")
	}
	return troubles
}

func (h *health) lookAtDatabase(now time.Time) []string {
	troubles := []string{}
	stats, err := h.stats()
	switch {
	case errors.Is(err, errSilent):
		return append(troubles, fmt.Sprintf("the database has not answered for %v", statsPatience))
	case err != nil:
		return append(troubles, "the database cannot be read")
	}
	if took := now.Sub(stats.WritingSince); !stats.WritingSince.IsZero() && took > stuckAfter {
		troubles = append(troubles, fmt.Sprintf("a write to the database has not ended for %v", took.Truncate(time.Second)))
	}
	if waits := now.Sub(stats.OldestQueued); !stats.OldestQueued.IsZero() && waits > stalledAfter && h.running() == 0 {
		troubles = append(troubles, "reports wait and no audit runs")
	}
	return troubles
}

// errSilent says that the database does not even say how it is.
var errSilent = errors.New("no answer")

// stats asks the database, with a bound on how long that may take: what holds up a writer may hold up readers too. While an earlier
// question is open, no other is asked.
func (h *health) stats() (db.Stats, error) {
	if h.asked == nil {
		asked := make(chan statsAnswer, 1)
		h.asked = asked
		go func() {
			stats, err := h.store.Stats()
			asked <- statsAnswer{stats, err}
		}()
	}
	patience := time.NewTimer(statsPatience)
	defer patience.Stop()
	select {
	case answer := <-h.asked:
		h.asked = nil
		return answer.stats, answer.err
	case <-patience.C:
		return db.Stats{}, errSilent
	}
}

type statsAnswer struct {
	stats db.Stats
	err   error
}

// answers reports whether a path is one of health's.
func (h *health) answers(path string) bool { return path == "/livez" || path == "/readyz" }

// ServeHTTP answers /livez with 200 as long as there is a process, and /readyz with 200 or, when something keeps it from its work, 503.
func (h *health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	answer := healthAnswer{Status: "alive"}
	status := http.StatusOK
	if r.URL.Path == "/readyz" {
		answer = healthAnswer{Status: "ready", Server: h.store.Server(), Troubles: h.find(time.Now())}
	}
	if len(answer.Troubles) > 0 {
		answer.Status, status = "not ready", http.StatusServiceUnavailable
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer) // a client that is gone cannot be told
}

type healthAnswer struct {
	Status   string   `json:"status"`
	Server   string   `json:"server,omitempty"` // its name, where several share the database
	Troubles []string `json:"troubles,omitempty"`
}
