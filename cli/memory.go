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

// limitMemory sets that limit, unless GOMEMLIMIT has set another. It is a soft one: nothing fails that needs more.
func (s *settings) limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(baseMemory + int64(s.Workers)*memoryPerWorker)
	}
}
