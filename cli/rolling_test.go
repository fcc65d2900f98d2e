package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sitegrade/db/postgres/pgtest"
)

const (
	rollingServers = 3
	rollingClients = 6
	// rollingAudit is how long the pages of this test take.
	rollingAudit = 20 * time.Millisecond
)

// TestRollingRestart stops each of three servers on one database and starts it again, one after the other, while clients create reports and wait for
// them, each on another server where one does not serve it. Every report that was acknowledged is audited, once, and there are no others.
func TestRollingRestart(t *testing.T) {
	t.Parallel() // it mostly waits
	r := newRolling(t)
	var creating sync.WaitGroup
	for number := range rollingClients {
		creating.Go(func() { r.create(number) })
	}
	for i := range r.fleet {
		r.restart(i)
	}
	r.over.Store(true)
	creating.Wait()
	r.compare()
}

// rolling is servers that are restarted while clients use them.
type rolling struct {
	*testing.T
	database string
	fleet    [rollingServers]struct {
		data    string
		stop    func()
		address atomic.Value // of its present port, a string
	}
	key  string
	over atomic.Bool

	site *httptest.Server
	mu   sync.Mutex
	gets map[string]int // how often each page was asked for

	made     sync.Map // the ids of reports, by their page
	repeated atomic.Int32
}

func newRolling(t *testing.T) *rolling {
	r := &rolling{T: t, database: pgtest.New(t), gets: map[string]int{}}
	r.site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		r.gets[request.URL.Path]++
		r.mu.Unlock()
		<-time.After(rollingAudit)
		_, _ = io.WriteString(w, "<!doctype html><title>A page</title>")
	}))
	t.Cleanup(r.site.Close)
	for i := range r.fleet {
		r.fleet[i].data = t.TempDir()
		r.start(i)
		t.Cleanup(func() { r.fleet[i].stop() })
	}
	r.key = readKey(t, r.fleet[0].data)
	return r
}

func (r *rolling) start(i int) {
	s, stop := launchServer(r.T, func(s *settings) {
		s.Database, s.Data, s.RateLimit, s.AuditSamples, s.AuditSiteRequests = r.database, r.fleet[i].data, 0, 0, 0
	})
	r.fleet[i].stop = stop
	r.fleet[i].address.Store(s.address())
}

// restart stops a server once some more reports were made, and starts it again.
func (r *rolling) restart(i int) {
	before := r.count()
	for r.count() < before+2*rollingClients {
		<-time.After(rollingAudit)
	}
	r.fleet[i].stop()
	r.start(i)
}

// count returns how many reports were acknowledged.
func (r *rolling) count() (n int) {
	r.made.Range(func(any, any) bool {
		n++
		return true
	})
	return n
}

// create creates reports until all servers were restarted.
func (r *rolling) create(client int) {
	for n := 0; !r.over.Load() && !r.Failed(); n++ {
		page := fmt.Sprintf("/%d-%d", client, n)
		for attempt := 0; ; attempt++ {
			if attempt == 1000 {
				r.Errorf("no server makes a report of %s", page)
				return
			}
			at := r.fleet[(client+n+attempt)%rollingServers].address.Load().(string)
			c := apiClient{t: r.T, address: at, key: r.key, waits: true}
			var answer crashAnswer
			status := c.do("POST", "/reports", page, url.Values{"url": {r.site.URL + page}}, &answer)
			if status == http.StatusCreated || status == http.StatusAccepted {
				r.made.Store(page, answer.Data.ID)
				break
			}
			if !unanswered(status) && status != http.StatusConflict { // that: another server is at it
				r.Errorf("a create gives %d", status)
				return
			}
			r.repeated.Add(1)
			<-time.After(rollingAudit)
		}
	}
}

// compare waits until all reports are audited and holds that there is one of each page, which was asked for once.
func (r *rolling) compare() {
	c := apiClient{t: r.T, address: r.fleet[0].address.Load().(string), key: r.key}
	var list struct{ Meta struct{ Total int } }
	if status := c.do("GET", "/reports", "", nil, &list); status != http.StatusOK || list.Meta.Total != r.count() {
		r.Errorf("there are %d reports, not %d: %d", list.Meta.Total, r.count(), status)
	}
	r.made.Range(func(page, id any) bool {
		path := "/reports/" + id.(string)
		for status := c.status(path); status != "done"; status = c.status(path) {
			if status != "queued" && status != "running" {
				r.Errorf("the report of %s is %q", page, status)
				break
			}
		}
		var generations struct{ Meta struct{ Total int } }
		if c.do("GET", path+"/generations", "", nil, &generations); generations.Meta.Total != 1 || r.gets[page.(string)] != 1 {
			r.Errorf("%s was asked for %d times and has %d generations", page, r.gets[page.(string)], generations.Meta.Total)
		}
		return true
	})
	r.Logf("%d reports, %d attempts repeated on another server", r.count(), r.repeated.Load())
}
