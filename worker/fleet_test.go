package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/postgres"
	"sitegrade/db/postgres/pgtest"
	"sitegrade/fetch"
	"sitegrade/notify"
	"sitegrade/sortfilter"
)

// memberOf names the variable that makes a process of this test a server: the address of its database.
const memberOf = "SITEGRADE_TEST_FLEET"

// fleetLease is how long the servers of the test count as alive without a proof.
const fleetLease = 3 * time.Second

func openFleet(t *testing.T, address string) *postgres.DB {
	t.Helper()
	store, err := postgres.Open(t.Context(), address, postgres.Options{Lease: fleetLease})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// TestFleetMember is one of the servers of TestFleet, in a process of its own. It works until it is killed or its input ends.
func TestFleetMember(t *testing.T) {
	address := os.Getenv(memberOf)
	if address == "" {
		t.Skip("is a part of TestFleet")
	}
	store := openFleet(t, address)
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	client := fetch.New(fetch.Options{AllowNetworks: loopback})
	auditor := audit.New(client, audit.Options{SiteRequests: -1})
	var parts sync.WaitGroup
	ctx, stop := context.WithCancel(t.Context())
	for _, run := range []func(context.Context){
		New(store, auditor, Options{Audits: 8, Log: log}).Run, NewCrawler(store, auditor, log).Run,
		NewPlanner(store, 0, log).Run, NewTeller(store, notify.New(client, nil), "https://seo.example", log).Run,
	} {
		parts.Go(func() { run(ctx) })
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	stop()
	parts.Wait()
	client.Close()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
}

// slowHosts are sites on all addresses of the loopback network, whose responses take 100 ms.
type slowHosts struct {
	*httptest.Server
	mu   sync.Mutex
	now  map[string]int // requests under way, by host
	most map[string]int
	last chan struct{} // closed when the last page that links lead to may come, before which no crawl ends
}

// crawledPages is how many pages each of those sites has that link each other, under /0 and so on. There are others that nothing leads to.
const crawledPages = 24

func newSlowHosts(t *testing.T) *slowHosts {
	t.Helper()
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &slowHosts{now: map[string]int{}, most: map[string]int{}, last: make(chan struct{})}
	s.Server = &httptest.Server{Listener: listener, Config: &http.Server{Handler: s}}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// host returns the address of a site.
func (s *slowHosts) host(n int) string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return fmt.Sprintf("http://127.0.0.%d:%s", n, port)
}

func (s *slowHosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.now[r.Host]++
	s.most[r.Host] = max(s.most[r.Host], s.now[r.Host])
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now[r.Host]--
		s.mu.Unlock()
	}()
	delay := time.NewTimer(100 * time.Millisecond)
	defer delay.Stop()
	select {
	case <-delay.C:
	case <-r.Context().Done():
	}
	var i int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &i); err != nil || i >= 1000 {
		http.NotFound(w, r)
		return
	}
	if i == crawledPages-1 {
		select {
		case <-s.last:
		case <-r.Context().Done():
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %d</title><link rel="stylesheet" href="/style.css"></head><body><h1>Page %d</h1>`, i, i)
	if i < crawledPages {
		fmt.Fprintf(w, `<a href="/%d">on</a> <a href="/%d">far</a>`, (i+1)%crawledPages, (2*i)%crawledPages)
	}
}

// member is a process of TestFleetMember.
type member struct {
	*exec.Cmd
	input  io.WriteCloser
	ended  chan struct{}
	mu     sync.Mutex
	crawls []string // that it has begun or gone on with
}

// startMember starts a server.
func startMember(t *testing.T, address string) *member {
	t.Helper()
	m := &member{Cmd: exec.Command(os.Args[0], "-test.run=^TestFleetMember$"), ended: make(chan struct{})}
	m.Env = append(os.Environ(), memberOf+"="+address)
	input, err := m.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	m.input = input
	log, err := m.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(m.ended)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			var line struct{ Level, Msg, Crawl string }
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "a crawl runs" {
				m.mu.Lock()
				m.crawls = append(m.crawls, line.Crawl)
				m.mu.Unlock()
			} else if line.Level == "ERROR" {
				t.Errorf("a server says: %s", lines.Text())
			}
		}
		_ = m.Wait() // which says that it was killed
	}()
	t.Cleanup(m.stop)
	return m
}

// stop has the server end, and waits for that.
func (m *member) stop() {
	_ = m.input.Close()
	<-m.ended
}

// hasRun returns the crawls that the server has begun or gone on with.
func (m *member) hasRun() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.crawls)
}

// told counts what a receiver of webhooks gets: deliveries by their id.
type told struct {
	*httptest.Server
	mu  sync.Mutex
	ids map[string]int
}

func newTold(t *testing.T) *told {
	r := &told{ids: map[string]int{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.ids[request.Header.Get("Webhook-Id")]++
	}))
	t.Cleanup(r.Close)
	return r
}

// fleetTest is what the parts of TestFleet share.
type fleetTest struct {
	*testing.T
	store *postgres.DB // of a server that does no work
	sites *slowHosts
}

func (f *fleetTest) create(host, page int) uuid.UUID {
	f.Helper()
	r, err := f.store.CreateReport(f.Context(), "a", db.NewReport{URL: fmt.Sprintf("%s/%d", f.sites.host(host), page)})
	if err != nil {
		f.Fatal(err)
	}
	return r.ID
}

func (f *fleetTest) crawl(host int) uuid.UUID {
	f.Helper()
	made, _, err := f.store.CreateCrawl(f.Context(), fmt.Sprintf("crawls %d", host), db.NewCrawl{URL: f.sites.host(host) + "/0"})
	if err != nil {
		f.Fatal(err)
	}
	return made.ID
}

// await waits until is reports true.
func (f *fleetTest) await(what string, is func() bool) {
	f.Helper()
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for end := time.After(patience); !is(); {
		select {
		case <-every.C:
		case <-end:
			f.Fatalf("%s does not come", what)
		}
	}
}

// audited returns how many of the reports have so many generations; more of one are an error.
func (f *fleetTest) audited(ids []uuid.UUID, times int) (n int) {
	f.Helper()
	for _, id := range ids {
		page, err := f.store.Generations(f.Context(), "a", id, sortfilter.Query{Page: 1, PerPage: 10})
		if err != nil || page.Total > times {
			f.Fatalf("a report has %d generations, %v", page.Total, err)
		}
		if page.Total == times {
			n++
		}
	}
	return n
}

// found returns what a crawl has found once it has ended, without the name of its site and the ids of reports.
func (f *fleetTest) found(host int, id uuid.UUID) string {
	f.Helper()
	account := fmt.Sprintf("crawls %d", host)
	var c db.Crawl
	f.await("the end of a crawl", func() (ended bool) {
		var err error
		if c, err = f.store.Crawl(f.Context(), account, id); err != nil {
			f.Fatal(err)
		}
		return !c.Status.Unfinished()
	})
	pages, err := f.store.CrawlPages(f.Context(), account, id, sortfilter.Query{Page: 1, PerPage: 100})
	if err != nil {
		f.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintln(&b, c.Status, c.Progress, *c.Summary, c.Rows)
	for _, p := range pages.Rows {
		if p.Report == uuid.Nil {
			f.Errorf("crawl %s has no report of %s", id, p.URL)
		}
		fmt.Fprintln(&b, p.URL, p.Status, p.Depth, p.Inlinks, p.Outlinks, p.Title)
	}
	return strings.ReplaceAll(b.String(), f.sites.host(host), "")
}

// TestFleet has three servers share audits, crawls, schedules and deliveries, and kills one of them in the middle: all is done once, no host gets
// more than two requests at a time, and the crawls end as if nothing had happened.
func TestFleet(t *testing.T) {
	server, err := pgtest.Start()
	pgtest.Skip(t, err)
	t.Cleanup(func() {
		if err := server.Remove(); err != nil {
			t.Error(err)
		}
	})
	f := &fleetTest{T: t, store: openFleet(t, server.Address()), sites: newSlowHosts(t)}
	receiver := newTold(t)
	if _, _, err := f.store.CreateWebhook(t.Context(), "a", db.NewWebhook{URL: receiver.URL, Events: []string{"report.done"}, Secret: notify.NewSecret(notify.V1).Text()}); err != nil {
		t.Fatal(err)
	}
	members := []*member{startMember(t, server.Address()), startMember(t, server.Address()), startMember(t, server.Address())}
	var planned, reports []uuid.UUID
	for i := range 6 {
		planned = append(planned, f.create(50+i, 1000-1))
	}
	f.await("the end of the first audits", func() bool { return f.audited(planned, 1) == len(planned) })
	var schedules []uuid.UUID
	for _, id := range planned {
		made, _, err := f.store.CreateSchedule(t.Context(), "a", db.NewSchedule{Report: id.String(), Every: "12h"})
		if err != nil {
			t.Fatal(err)
		}
		schedules = append(schedules, made.ID)
	}
	crawls := []uuid.UUID{f.crawl(1), f.crawl(2), f.crawl(3)}
	victim := f.victim(members, crawls)
	for i := range 48 {
		reports = append(reports, f.create(1+i%6, 100+i))
	}
	for _, id := range schedules {
		if _, err := f.store.UpdateSchedule(t.Context(), "a", id, db.ScheduleChange{Run: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	f.await("some audits beside the crawls", func() bool { return f.audited(reports, 1) > 4 })
	if err := victim.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	close(f.sites.last)
	f.await("the end of all audits", func() bool { return f.audited(reports, 1) == len(reports) && f.audited(planned, 2) == len(planned) })
	for i, id := range crawls[1:] { // one of them was disturbed, and the sites differ in their names alone
		if found, other := f.found(2+i, id), f.found(1, crawls[0]); found != other {
			t.Errorf("a crawl has ended as\n%s, and another as\n%s", found, other)
		}
	}
	f.judge(members, victim, receiver, len(reports)+2*len(planned))
}

// victim returns the server that runs one of the crawls, in the middle of it, once another server runs another one.
func (f *fleetTest) victim(members []*member, crawls []uuid.UUID) (victim *member) {
	f.Helper()
	f.await("a crawl that runs on each of two servers", func() bool {
		victim = nil
		running := 0
		for _, m := range members {
			if run := m.hasRun(); len(run) > 0 {
				running++
				i := slices.IndexFunc(crawls, func(id uuid.UUID) bool { return id.String() == run[0] })
				c, err := f.store.Crawl(f.Context(), fmt.Sprintf("crawls %d", 1+i), crawls[i])
				if err == nil && c.Status == db.CrawlRunning && c.Progress.Done > 0 {
					victim = m
				}
			}
		}
		return victim != nil && running > 1
	})
	return victim
}

// judge looks at what all servers have done together. told is how many events there were.
func (f *fleetTest) judge(members []*member, victim *member, receiver *told, told int) {
	f.Helper()
	f.await("the last delivery", func() bool {
		stats, err := f.store.DeliveryStats(f.Context())
		return err == nil && stats.Pending == 0
	})
	takenOver := 0
	for _, m := range members {
		for _, id := range m.hasRun() {
			if m != victim && slices.Contains(victim.hasRun(), id) {
				takenOver++
			}
		}
		m.stop()
	}
	if takenOver == 0 {
		f.Error("no crawl was taken over")
	}
	receiver.mu.Lock()
	defer receiver.mu.Unlock()
	if len(receiver.ids) != told {
		f.Errorf("there were %d deliveries, not %d", len(receiver.ids), told)
	}
	for host, most := range f.sites.most {
		if most > 2 {
			f.Errorf("%s had %d requests at once", host, most)
		}
	}
	checked, err := f.store.Check(f.Context())
	if err != nil || len(checked.Differences) > 0 {
		f.Errorf("the database: %v, %v", checked.Differences, err)
	}
	if err := f.store.Close(); err != nil {
		f.Error(err)
	}
}
