package audit

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// hostilePages returns pieces that make a page hard to read when they come again and again.
func hostilePages(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.ReadFile("testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	pieces := map[string]string{}
	for line := range strings.Lines(string(file)) {
		name, quoted, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		if pieces[name], err = strconv.Unquote(quoted); err != nil {
			t.Fatal(name, err)
		}
	}
	return pieces
}

func TestBrokenPagesAreGraded(t *testing.T) {
	for _, source := range []string{"", "\x00", "<", "<!", "</", "<a", "<a b", "<a b=", "\xff\xfe<\xc3>", "<title>\xc3", "<a href='\xff'>\xff", "<!DOCTYPE"} {
		if r := grade(benchmarkFacts([]byte(source))); len(r.Checks) != len(table) {
			t.Errorf("%q: %d checks", source, len(r.Checks))
		}
	}
}

func TestHostilePages(t *testing.T) {
	const size = 300_000
	for name, piece := range hostilePages(t) {
		source := strings.Repeat(piece, size/len(piece)+1)
		for _, start := range []string{"", "<html lang=en><head>", "<body><main>", "<body><img "} {
			r := grade(benchmarkFacts([]byte(start + source)))
			if len(r.Checks) != len(table) {
				t.Errorf("%s: %d checks", name, len(r.Checks))
			}
			for _, o := range r.Checks {
				holdsOutcome(t, o)
			}
		}
	}
}

// TestHostilePagesLeaveMemory holds what the facts of a page of the largest size keep beyond the page itself, for those pieces that
// keep the most.
func TestHostilePagesLeaveMemory(t *testing.T) {
	const size, most = 10 << 20, 64 << 20
	pieces := hostilePages(t)
	for _, name := range []string{"alternates", "links", "viewports", "canonicals", "robots", "bytes", "ids"} {
		piece := pieces[name]
		source := []byte("<body>" + strings.Repeat(piece, size/len(piece)))
		before := heapInUse()
		f := benchmarkFacts(source)
		report := grade(f)
		if kept := heapInUse() - before; kept > most {
			t.Errorf("%s: %d bytes", name, kept)
		}
		runtime.KeepAlive(source)
		runtime.KeepAlive(f)
		runtime.KeepAlive(report)
	}
}

// heapInUse returns the bytes of everything that is still needed.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
