package cli

import (
	"os"
	"runtime/debug"
)

// What the process may take beside the mapped database before the garbage collector works harder. With 8 workers on the worst pages that
// there are it takes 220 MB in all; without a limit 600.
const (
	baseMemory      = 96 << 20
	memoryPerWorker = 8 << 20
)

// garbagePercent lets the heap grow to five times of what is live, instead of twice: that is a few MB, and collecting so often would take a
// fifth of the requests that a second has room for (bench/).
const garbagePercent = 400

// tuneMemory sets how the garbage collector works, where GOMEMLIMIT and GOGC do not. The limit is a soft one: nothing fails that needs more.
func (s *settings) tuneMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(baseMemory + int64(s.Workers)*memoryPerWorker)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}
