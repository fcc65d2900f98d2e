package cli

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

var toldRounds = flag.Int("told.rounds", 3, "how often TestKilledServerTellsAndRunsAll kills the server")

// toldReports is how many reports each of the schedules of TestKilledServerTellsAndRunsAll is for.
const toldReports = 3

// TestKilledServerTellsAndRunsAll kills the real binary at random moments while it makes reports, runs a schedule that was asked for and one that
// is due each minute, and delivers what happens. Then each audit was told, always with the same id, and each run was made, once.
// More rounds: go test ./cli -run TellsAndRunsAll -told.rounds 200 -timeout 30m
func TestKilledServerTellsAndRunsAll(t *testing.T) {
	c := newToldCrash(t)
	for round := range *toldRounds {
		c.start("-schedule-spread", "0")
		c.settle()
		c.compare()
		if round == 0 {
			c.prepare()
			c.settle()
		}
		c.runUntilKilled()
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	c.start("-schedule-spread", "0")
	c.settle()
	c.awayFromTheMinute()
	c.settle()
	c.compare()
	c.kill()
	c.check()
	t.Logf("%d rounds, %d events, %d requests to the receiver, %d runs that were asked for and %d by the clock", *toldRounds, len(c.ids), c.requests, c.runs, c.minutes())
}

// toldCrash is a server that ends again and again, with a receiver that is told what happens.
type toldCrash struct {
	*program
	site, receiver       *httptest.Server
	hook, asked, clocked string // ids: of the webhook, and of the schedules
	began                time.Time
	reports              map[string][]string // by project, the ids of those with a schedule
	made                 int                 // creates that were sent
	runs                 int                 // of the schedule that is asked for
	unknown              int                 // runs that may have been taken in: the response did not come

	mu       sync.Mutex
	ids      map[string]bool // of events
	requests int
}

func newToldCrash(t *testing.T) *toldCrash {
	t.Helper()
	c := &toldCrash{program: newProgram(t), ids: map[string]bool{}, reports: map[string][]string{}}
	c.site = httptest.NewServer(testSite())
	c.receiver = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ids[r.Header.Get("webhook-id")] = true
		c.requests++
	}))
	t.Cleanup(c.site.Close)
	t.Cleanup(c.receiver.Close)
	return c
}

// shownID is a record as the API shows it, as far as it matters here.
type shownID struct{ Data struct{ ID string } }

// send makes a record, and returns the id of what it shows.
func (c *toldCrash) send(method, path string, fields url.Values) string {
	c.t.Helper()
	var shown shownID
	if status := c.do(method, path, "", fields, &shown); status != http.StatusCreated && status != http.StatusAccepted {
		c.t.Fatalf("%s %s gives %d", method, path, status)
	}
	return shown.Data.ID
}

// total returns how many records a list has.
func (c *toldCrash) total(path string) int {
	c.t.Helper()
	var list struct{ Meta struct{ Total int } }
	if status := c.do("GET", path, "", nil, &list); status != http.StatusOK {
		c.t.Fatalf("%s gives %d", path, status)
	}
	return list.Meta.Total
}

// prepare makes the webhook, the reports that have schedules, and these.
func (c *toldCrash) prepare() {
	c.t.Helper()
	c.hook = c.send("POST", "/webhooks", url.Values{"url": {c.receiver.URL}, "events": {"report.done,report.failed"}})
	for _, project := range []string{"asked", "clocked"} {
		for i := range toldReports {
			fields := url.Values{"url": {fmt.Sprintf("%s/good.html?%s-%d", c.site.URL, project, i)}, "project": {project}}
			c.reports[project] = append(c.reports[project], c.send("POST", "/reports", fields))
		}
	}
	c.asked = c.send("POST", "/schedules", url.Values{"project": {"asked"}, "every": {"30d"}})
	c.awayFromTheMinute()
	c.began = time.Now()
	c.clocked = c.send("POST", "/schedules", url.Values{"project": {"clocked"}, "cron": {"* * * * *"}})
}

// awayFromTheMinute returns when no minute begins within the next seconds, so that what is due each minute can be counted.
func (c *toldCrash) awayFromTheMinute() {
	for now := time.Now(); now.Second() >= 56 || now.Second() < 2; now = time.Now() {
		<-time.After(100 * time.Millisecond)
	}
}

// minutes returns how many minutes have begun since there is a schedule for them.
func (c *toldCrash) minutes() int { return int(time.Now().Unix()/60 - c.began.Unix()/60) }

// settle returns when nothing waits, be it for an audit or for a delivery.
func (c *toldCrash) settle() {
	c.t.Helper()
	if c.hook == "" {
		return
	}
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); <-time.After(20 * time.Millisecond) {
		var list struct{ Data []struct{ Status string } }
		if status := c.do("GET", "/reports?sort_by=generated_at&sort=asc&per_page=25", "", nil, &list); status != http.StatusOK {
			c.t.Fatalf("the list gives %d", status)
		}
		waiting := c.total("/webhooks/" + c.hook + "/deliveries?status=pending")
		for _, project := range []string{"asked", "clocked"} {
			for _, id := range c.reports[project] {
				var shown struct{ Data struct{ Status string } }
				c.do("GET", "/reports/"+id, "", nil, &shown)
				if shown.Data.Status != "done" {
					waiting++
				}
			}
		}
		for _, r := range list.Data {
			if r.Status != "done" {
				waiting++
			}
		}
		if waiting == 0 {
			return
		}
	}
	c.t.Fatal("something waits for ever")
}

// compare holds what the receiver was told against the audits, and the audits against the runs.
func (c *toldCrash) compare() {
	c.t.Helper()
	if c.hook == "" {
		return
	}
	now := c.minutes()
	asked, clocked := c.generations("asked"), c.generations("clocked")
	if asked < 1+c.runs || asked > 1+c.runs+c.unknown {
		c.t.Errorf("%d runs were asked for, and perhaps %d more; there were %d", c.runs, c.unknown, asked-1)
	}
	c.runs, c.unknown = asked-1, 0
	if later := c.minutes(); clocked-1 < now || clocked-1 > later {
		c.t.Errorf("%d minutes began, and there were %d runs", now, clocked-1)
	}
	audits := c.total("/reports") - 2*toldReports + toldReports*(asked+clocked)
	if later := c.minutes(); later != now {
		return // a run is under way
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if deliveries := c.total("/webhooks/" + c.hook + "/deliveries"); deliveries != audits || len(c.ids) != audits {
		c.t.Errorf("%d audits, %d deliveries, %d events at the receiver", audits, deliveries, len(c.ids))
	}
}

// generations returns how many generations each report of a project has, which must be the same number.
func (c *toldCrash) generations(project string) int {
	c.t.Helper()
	n := c.total("/reports/" + c.reports[project][0] + "/generations")
	for _, id := range c.reports[project] {
		if other := c.total("/reports/" + id + "/generations"); other != n {
			c.t.Errorf("reports of %s have %d and %d generations", project, n, other)
		}
	}
	return n
}

// runUntilKilled has reports made and a schedule run, and kills the server meanwhile.
func (c *toldCrash) runUntilKilled() {
	var clients sync.WaitGroup
	clients.Go(func() {
		<-time.After(time.Duration(rand.IntN(100)) * time.Millisecond)
		switch status := c.do("PUT", "/schedules/"+c.asked, "", url.Values{"run": {"1"}}, &shownID{}); {
		case status == http.StatusOK:
			c.runs++
		case unanswered(status):
			c.unknown++
		default:
			c.t.Errorf("the run gives %d", status)
		}
	})
	clients.Go(func() {
		for range 10 {
			c.made++
			fields := url.Values{"url": {fmt.Sprintf("%s/good.html?%d", c.site.URL, c.made)}, "project": {"others"}}
			if unanswered(c.do("POST", "/reports", "", fields, &shownID{})) {
				return
			}
		}
	})
	<-time.After(time.Duration(1+rand.IntN(300)) * time.Millisecond)
	c.kill()
	clients.Wait()
}
