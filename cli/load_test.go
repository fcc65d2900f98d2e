package cli

import (
	"errors"
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var loadTime = flag.Duration("load.for", 2*time.Second, "how long TestLoadedServerEndsWell uses the server before it ends it")

const (
	loadReaders = 16
	loadWriters = 4
	// loadEnd is how long the server may take to end.
	loadEnd = 20 * time.Second
	// loadGrowth is how many bytes of its own memory the server may have at the end beyond what it had after a tenth of the time.
	loadGrowth = 32 << 20
	// loadWarm is how long the server must have been used for that to tell something.
	loadWarm = time.Minute
)

// TestLoadedServerEndsWell has clients that read and clients that write, and ends the server in the middle of it: nobody may get a failure
// before that, no answer breaks off, and what was acknowledged is there afterwards. Longer: go test ./cli -run LoadedServer -load.for 10m -timeout 30m
func TestLoadedServerEndsWell(t *testing.T) {
	l := &load{crash: newCrash(t, loadWriters)}
	l.waits, l.whole = true, true
	l.start()
	var using sync.WaitGroup
	for _, client := range l.clients {
		using.Go(func() {
			client.write()
			l.stopped("a writer")
		})
	}
	for range loadReaders {
		using.Go(l.read)
	}
	<-time.After(*loadTime / 10)
	early, measured := l.ownMemory()
	<-time.After(*loadTime - *loadTime/10)
	late, _ := l.ownMemory()
	l.ending.Store(true)
	took := l.terminate()
	using.Wait()
	if took > loadEnd {
		t.Errorf("the server takes %v to end", took)
	}
	if measured && *loadTime >= loadWarm && late > early+loadGrowth {
		t.Errorf("the server's own memory grows from %d to %d MB", early>>20, late>>20)
	}
	l.start()
	l.compare(true)
	l.terminate()
	t.Logf("%v: %d reads, %d acknowledged writes, %d repeated because of the end, %d reports; %v to end; own memory %d and %d MB",
		*loadTime, l.reads.Load(), l.written(), l.repeated(), l.live(), took, early>>20, late>>20)
}

// load is a server that many clients use.
type load struct {
	*crash
	ending atomic.Bool // from the signal on
	reads  atomic.Int64
}

// stopped is told that a client got no answer, which is right only when the server ends.
func (l *load) stopped(who string) {
	if !l.ending.Load() {
		l.t.Errorf("%s got no answer", who)
	}
}

// loadLists are what readers ask for, beside single reports.
var loadLists = []string{
	"/reports", "/reports?page=3", "/reports?sort_by=url&sort=asc", "/reports?sort_by=result&page=2", "/reports?search=good",
	"/reports?search=nowhere", "/reports?result=good&per_page=100", "/projects", "/projects?search=127",
}

// read asks for lists, and for one report of each, until the server does not answer.
func (l *load) read() {
	for {
		var list struct{ Data []struct{ ID string } }
		path := loadLists[rand.IntN(len(loadLists))]
		status := l.do(http.MethodGet, path, "", nil, &list)
		if unanswered(status) {
			break
		}
		if status != http.StatusOK {
			l.t.Errorf("%s gives %d", path, status)
		}
		l.reads.Add(1)
		if len(list.Data) == 0 || path[:len("/report")] != "/report" {
			continue
		}
		id := list.Data[rand.IntN(len(list.Data))].ID
		switch status := l.do(http.MethodGet, "/reports/"+id, "", nil, nil); {
		case status == http.StatusOK, status == http.StatusNotFound, unanswered(status): // it may have been deleted meanwhile
			l.reads.Add(1)
		default:
			l.t.Errorf("report %s gives %d", id, status)
		}
	}
	l.stopped("a reader")
}

// ownMemory returns what the process takes beside the mapped file, and whether that can be measured here.
func (l *load) ownMemory() (bytes int64, ok bool) {
	if _, err := os.Stat("/proc/self/status"); errors.Is(err, os.ErrNotExist) {
		return 0, false
	}
	return l.memory("RssAnon"), true
}
