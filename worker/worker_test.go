package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.uber.org/goleak"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is when a test that waits for something gives up.
const patience = 60 * time.Second

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page for the worker to audit</title></head>
<body><h1>A page</h1><p>With some words.</p></body></html>`

// loopback lets an auditor reach the servers of the test.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// bench is a database and what a worker needs beside it.
type bench struct {
	*testing.T
	ctx     context.Context
	path    string
	store   *bolt.DB
	auditor *audit.Auditor
}

func newBench(t *testing.T, o bolt.Options) *bench {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	b := &bench{T: t, ctx: ctx, path: filepath.Join(t.TempDir(), "sitegrade.db")}
	b.open(o)
	t.Cleanup(func() {
		cancel()
		b.close()
	})
	b.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: loopback}), audit.Options{
		SiteRequests: -1,
		Samples:      -1,
	})
	return b
}

func (b *bench) open(o bolt.Options) {
	b.Helper()
	var err error
	if b.store, err = bolt.Open(b.path, o); err != nil {
		b.Fatal(err)
	}
}

// close closes the database and holds its indexes against its records.
func (b *bench) close() {
	b.Helper()
	checked, err := b.store.Check(context.Background())
	if err != nil || len(checked.Differences) > 0 {
		b.Errorf("the database: %v, %v", checked.Differences, err)
	}
	if err := b.store.Close(); err != nil {
		b.Error(err)
	}
}

func (b *bench) reopen(o bolt.Options) {
	b.Helper()
	b.close()
	b.open(o)
}

// start runs a worker until the test ends, or until stop, which returns when it has stopped, is called.
func (b *bench) start(o Options) (w *Worker, stop func()) {
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	w = New(b.store, b.auditor, o)
	return w, b.run(w)
}

// run is the second half of start.
func (b *bench) run(w *Worker) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(ended)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	b.Cleanup(stop)
	return stop
}

func (b *bench) create(address string) uuid.UUID {
	b.Helper()
	return b.createFor("default", address)
}

func (b *bench) createFor(account, address string) uuid.UUID {
	b.Helper()
	return b.createAll(account, address)[0]
}

// createAll creates a report of each address in one transaction.
func (b *bench) createAll(account string, addresses ...string) (ids []uuid.UUID) {
	b.Helper()
	made, err := b.store.CreateReports(b.ctx, account, db.NewReport{}, addresses...)
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range made {
		ids = append(ids, r.ID)
	}
	return ids
}

func (b *bench) wait(w *Worker, ids ...uuid.UUID) {
	b.Helper()
	b.waitFor(w, "default", ids...)
}

func (b *bench) waitFor(w *Worker, account string, ids ...uuid.UUID) {
	b.Helper()
	for _, id := range ids {
		if err := w.Wait(b.ctx, account, id); err != nil {
			b.Fatalf("waiting for %s: %v", id, err)
		}
	}
}

func (b *bench) report(id uuid.UUID) (db.Report, *audit.Report) {
	b.Helper()
	r, found, err := b.store.Report(b.ctx, "default", id)
	if err != nil {
		b.Fatal(err)
	}
	return r, found
}

func (b *bench) wantStatus(id uuid.UUID, want db.Status) {
	b.Helper()
	if r, _ := b.report(id); r.Status != want {
		b.Errorf("report %s is %s, not %s (%v)", id, r.Status, want, r.Failure)
	}
}

// site is a server of the page. Where gate is not nil, each answer takes an element from it; arrived says which paths were asked for.
type site struct {
	*httptest.Server
	gate    chan struct{}
	arrived chan string

	mu         sync.Mutex
	now, peak  int // requests being answered, and the most of them so far
	everything int
}

func newSite(t *testing.T, gate chan struct{}) *site {
	s := &site{gate: gate, arrived: make(chan string, 10_000)}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.enter()
	defer s.leave()
	s.arrived <- r.URL.Path
	if s.gate != nil {
		select {
		case <-s.gate:
		case <-r.Context().Done():
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, page)
}

func (s *site) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now++
	s.everything++
	s.peak = max(s.peak, s.now)
}

func (s *site) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now--
}

func (s *site) requests() (all, peak int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.everything, s.peak
}

// arrival waits for the next request and gives its path.
func (b *bench) arrival(s *site) string {
	b.Helper()
	select {
	case path := <-s.arrived:
		return path
	case <-b.ctx.Done():
		b.Fatal("no request came")
		return ""
	}
}

func TestQueuedReportIsAudited(t *testing.T) {
	b := newBench(t, bolt.Options{})
	site := newSite(t, nil)
	before := b.create(site.URL + "/before")
	w, stop := b.start(Options{})
	b.wait(w, before)
	after := b.create(site.URL + "/after")
	b.wait(w, after)
	for _, id := range []uuid.UUID{before, after} {
		r, found := b.report(id)
		if r.Status != db.Done || found == nil || found.Page.Title != "A page for the worker to audit" {
			t.Errorf("report %+v, found %+v", r, found)
		}
	}
	stop()
	if s := w.Stats(); s.Done != 2 || len(s.Failed) != 0 {
		t.Errorf("stats %+v", s)
	}
}

func TestFailedFetchIsAFailedReport(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	w, stop := b.start(Options{})
	id := b.create(gone.URL + "/")
	b.wait(w, id)
	r, found := b.report(id)
	if r.Status != db.Failed || r.Failure == nil || r.Failure.Code != audit.CodeUnreachable || found != nil {
		t.Errorf("report %+v, found %v", r, found)
	}
	stop()
	if s := w.Stats(); s.Done != 0 || s.Failed[audit.CodeUnreachable] != 1 {
		t.Errorf("stats %+v", s)
	}
}

func TestRegenerationKeepsTheResultUntilTheNext(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{}, 1)
	site := newSite(t, gate)
	w, _ := b.start(Options{})
	id := b.create(site.URL + "/")
	gate <- struct{}{}
	b.wait(w, id)
	first, _ := b.report(id)
	b.arrival(site)

	b.regenerate(id)
	b.arrival(site)
	running, found := b.report(id)
	if running.Status != db.Running || found == nil || !running.GeneratedAt.Equal(first.GeneratedAt) {
		t.Errorf("while it is made anew: %+v, found %v", running, found)
	}
	gate <- struct{}{}
	b.wait(w, id)
	if again, _ := b.report(id); again.Status != db.Done || again.GeneratedAt.Before(first.GeneratedAt) {
		t.Errorf("afterwards: %+v", again)
	}
}

func (b *bench) regenerate(id uuid.UUID) {
	b.Helper()
	if _, _, err := b.store.UpdateReport(b.ctx, "default", id, db.Change{Regenerate: true}, nil); err != nil {
		b.Fatal(err)
	}
}

// A page that changes while it is being fetched, and of which another audit is asked for then, is fetched once more.
func TestRegenerationWhileRunning(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site := newSite(t, gate)
	w, _ := b.start(Options{})
	id := b.create(site.URL + "/")
	b.arrival(site)
	b.regenerate(id)
	// Another job, begun and ended, shows that the queue was read in between.
	free := newSite(t, nil)
	other := b.create(free.URL + "/")
	b.wait(w, other)
	if all, _ := site.requests(); all != 1 {
		t.Errorf("%d audits of one report at once", all)
	}
	gate <- struct{}{}
	b.arrival(site)
	gate <- struct{}{}
	b.wait(w, id)
	b.wantStatus(id, db.Done)
	if all, _ := site.requests(); all != 2 {
		t.Errorf("%d requests, want 2", all)
	}
}

func TestManyClients(t *testing.T) {
	b := newBench(t, bolt.Options{})
	sites := []*site{newSite(t, nil), newSite(t, nil), newSite(t, nil)}
	w, stop := b.start(Options{})
	var clients sync.WaitGroup
	for client := range 16 {
		clients.Go(func() {
			for i := range 10 {
				r, err := b.store.CreateReport(b.ctx, "default", db.NewReport{URL: fmt.Sprintf("%s/%d/%d", sites[i%len(sites)].URL, client, i)})
				if err != nil {
					t.Error(err)
					return
				}
				if err := w.Wait(b.ctx, "default", r.ID); err != nil {
					t.Errorf("client %d, report %d: %v", client, i, err)
					return
				}
				b.wantStatus(r.ID, db.Done)
			}
		})
	}
	clients.Wait()
	stop()
	if s := w.Stats(); s.Done != 160 || s.Running != 0 {
		t.Errorf("stats %+v", s)
	}
	for _, site := range sites {
		if _, peak := site.requests(); peak > 2 {
			t.Errorf("%d audits of one host at once", peak)
		}
	}
}

func TestWaitEnds(t *testing.T) {
	b := newBench(t, bolt.Options{})
	site := newSite(t, make(chan struct{}))
	w, stop := b.start(Options{Grace: time.Millisecond})
	if err := w.Wait(b.ctx, "default", uuid.New()); err != nil {
		t.Errorf("of an unknown report: %v", err)
	}
	id := b.create(site.URL + "/")
	b.arrival(site)
	ended, cancel := context.WithCancel(b.ctx)
	cancel()
	if err := w.Wait(ended, "default", id); !errors.Is(err, context.Canceled) {
		t.Errorf("when the context has ended: %v", err)
	}
	result := make(chan error)
	go func() { result <- w.Wait(b.ctx, "default", id) }()
	stop()
	if err := <-result; !errors.Is(err, ErrStopped) {
		t.Errorf("when the worker has stopped: %v", err)
	}
	if n := len(w.waiters); n != 0 {
		t.Errorf("%d are still waiting", n)
	}
}

// TestWaitEndsWithTheReport deletes a report that waits behind others of its host.
func TestWaitEndsWithTheReport(t *testing.T) {
	b := newBench(t, bolt.Options{})
	site := newSite(t, make(chan struct{}))
	w, stop := b.start(Options{PerHost: 1, Grace: time.Millisecond})
	defer stop()
	b.create(site.URL + "/first")
	b.arrival(site)
	id := b.create(site.URL + "/second")
	result := make(chan error)
	go func() { result <- w.Wait(b.ctx, "default", id) }()
	if err := b.store.DeleteReport(b.ctx, "default", id, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-result; err != nil {
		t.Error(err)
	}
}
