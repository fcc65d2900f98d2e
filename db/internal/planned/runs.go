package planned

import (
	"fmt"
	"sync"

	"sitegrade/db"
)

// Turn is whose schedules ran last: accounts take turns, so that a project with a hundred thousand reports holds up its own account alone.
type Turn struct {
	mu      sync.Mutex
	account string
}

// Last returns whose schedules ran last; "" before any did.
func (t *Turn) Last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.account
}

// Set notes whose schedules run now.
func (t *Turn) Set(account string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.account = account
}

// Ended says how a run ended that queued so many reports.
func Ended(queued int) (db.RunStatus, string) {
	switch queued {
	case 0:
		return db.RunDone, "Nothing was queued: there is no report, or all of them waited already."
	case 1:
		return db.RunDone, "1 report was queued."
	}
	return db.RunDone, fmt.Sprintf("%d reports were queued.", queued)
}
