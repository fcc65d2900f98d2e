package worker

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/fetch"
	"sitegrade/sortfilter"
)

// crawledSite is a site whose pages link each other in a ring, with what was asked of it.
type crawledSite struct {
	*httptest.Server
	mu      sync.Mutex
	asked   map[string]int
	headers []http.Header
	now     int // requests under way
	most    int
}

// newCrawledSite serves pages /0 to /n-1, with something in each body.
func newCrawledSite(t *testing.T, n int, body string) *crawledSite {
	t.Helper()
	s := &crawledSite{asked: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.begin(r)
		defer s.end()
		var i int
		if _, err := fmt.Sscanf(r.URL.Path, "/%d", &i); err != nil || i >= n {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><html lang="en"><head><title>Page %d</title></head><body><h1>Page %d</h1><a href="/%d">on</a> <a href="/%d">far</a>%s</body></html>`,
			i, i, (i+1)%n, (i+n/2)%n, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *crawledSite) begin(r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[r.URL.Path]++
	s.headers = append(s.headers, r.Header)
	s.now++
	s.most = max(s.most, s.now)
}

func (s *crawledSite) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now--
}

// startCrawler runs crawls until the test ends or stop is called.
func (b *bench) startCrawler() (stop func()) { return b.startCrawlerOf(b.store) }

// startCrawlerOf is startCrawler for a store that does something of its own.
func (b *bench) startCrawlerOf(store db.Store) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	c := NewCrawler(store, b.auditor, slog.New(slog.DiscardHandler))
	go func() {
		c.Run(ctx)
		close(ended)
	}()
	stop = func() {
		cancel()
		<-ended
	}
	b.Cleanup(stop)
	return stop
}

func (b *bench) createCrawl(account string, n db.NewCrawl) uuid.UUID {
	b.Helper()
	made, _, err := b.store.CreateCrawl(b.ctx, account, n)
	if err != nil {
		b.Fatal(err)
	}
	return made.ID
}

// awaitCrawl returns a crawl once wanted says so.
func (b *bench) awaitCrawl(account string, id uuid.UUID, wanted func(db.Crawl) bool) db.Crawl {
	b.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := b.store.Crawl(b.ctx, account, id)
		if err != nil {
			b.Fatal(err)
		}
		if wanted(c) {
			return c
		}
		<-tick.C
	}
}

func hasEnded(c db.Crawl) bool { return !c.Status.Unfinished() }

func TestCrawlsOfOneHostShareItsTwoRequests(t *testing.T) {
	b := newBench(t, bolt.Options{})
	s := newCrawledSite(t, 12, "")
	accounts := []string{"a", "b", "c"}
	var ids []uuid.UUID
	for _, account := range accounts {
		ids = append(ids, b.createCrawl(account, db.NewCrawl{URL: s.URL + "/0"}))
	}
	b.startCrawler()
	for i, account := range accounts {
		if c := b.awaitCrawl(account, ids[i], hasEnded); c.Status != db.CrawlEnded || c.Summary.Pages != 12 {
			t.Errorf("the crawl of %s is %+v, %+v", account, c, c.Summary)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.most > 2 || s.asked["/3"] != 3 {
		t.Errorf("%d requests were under way at once; /3 was asked for %d times", s.most, s.asked["/3"])
	}
}

func TestHeadersGoToTheSiteAlone(t *testing.T) {
	b := newBench(t, bolt.Options{Secret: []byte("a secret")})
	b.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: loopback}), audit.Options{})
	other := newCrawledSite(t, 1, "")
	elsewhere := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	s := newCrawledSite(t, 3, fmt.Sprintf(`<img src="%s/0.png" alt=""><a href="%s/0">elsewhere</a>`, elsewhere, elsewhere))
	id := b.createCrawl("a", db.NewCrawl{URL: s.URL + "/0", Headers: map[string]string{"x-staging": "open sesame"}})
	b.startCrawler()
	if c := b.awaitCrawl("a", id, hasEnded); c.Status != db.CrawlEnded || c.Summary.Pages != 3 {
		t.Fatalf("the crawl is %+v", c)
	}
	for _, h := range s.headers {
		if h.Get("X-Staging") != "open sesame" {
			t.Errorf("a request to the site has %v", h)
		}
	}
	if len(other.headers) == 0 {
		t.Error("the other host was not asked at all")
	}
	for _, h := range other.headers {
		if h.Get("X-Staging") != "" {
			t.Errorf("the other host got %v", h)
		}
	}
	var exported strings.Builder
	if err := b.store.Export(b.ctx, "", &exported); err != nil || strings.Contains(exported.String(), "sesame") {
		t.Errorf("the export has the header, or %v", err)
	}
}

func TestInterruptedCrawlGoesOn(t *testing.T) {
	b := newBench(t, bolt.Options{})
	s := newCrawledSite(t, 60, "")
	id := b.createCrawl("a", db.NewCrawl{URL: s.URL + "/0"})
	stop := b.startCrawler()
	b.awaitCrawl("a", id, func(c db.Crawl) bool { return c.Progress.Done > 0 })
	stop()
	if c, err := b.store.Crawl(b.ctx, "a", id); err != nil || c.Status != db.CrawlRunning {
		t.Fatalf("stopped with its process it is %s, %v", c.Status, err)
	}
	b.reopen(bolt.Options{})
	b.startCrawler()
	c := b.awaitCrawl("a", id, hasEnded)
	pages, err := b.store.CrawlPages(b.ctx, "a", id, sortfilter.Query{PerPage: 100, Page: 1, Ascending: true})
	if err != nil || c.Status != db.CrawlEnded || pages.Total != 60 || c.Progress.Found != 60 {
		t.Errorf("the crawl is %+v with %d pages, %v", c, pages.Total, err)
	}
	for _, p := range pages.Rows {
		if r, _, err := b.store.Report(b.ctx, "a", p.Report); err != nil || r.URL != p.URL {
			t.Errorf("the report of %s is that of %s, %v", p.URL, r.URL, err)
		}
	}
	twice := 0
	for path, n := range s.asked {
		if n > 1 && path != "/robots.txt" {
			twice++
		}
	}
	if twice > 2 {
		t.Errorf("%d addresses were asked for twice; no more than two were under way", twice)
	}
}

func TestDeletedCrawlEnds(t *testing.T) {
	b := newBench(t, bolt.Options{})
	gate := make(chan struct{})
	site := newSite(t, gate)
	id := b.createCrawl("a", db.NewCrawl{URL: site.URL + "/"})
	b.startCrawler()
	b.awaitCrawl("a", id, func(c db.Crawl) bool { return c.Status == db.CrawlRunning })
	if err := b.store.DeleteProject(b.ctx, "a", strings.TrimPrefix(site.URL, "http://"), nil); err != nil {
		t.Fatal(err)
	}
	close(gate)
	s := newCrawledSite(t, 1, "")
	next := b.createCrawl("a", db.NewCrawl{URL: s.URL + "/0"})
	b.awaitCrawl("a", next, hasEnded)
	if list, err := b.store.Crawls(b.ctx, "a", sortfilter.Query{PerPage: 10, Page: 1}); err != nil || list.Total != 1 {
		t.Errorf("%d crawls are left, %v", list.Total, err)
	}
}

func TestCrawlOfASiteThatDoesNotAnswerFails(t *testing.T) {
	b := newBench(t, bolt.Options{})
	id := b.createCrawl("a", db.NewCrawl{URL: "http://127.0.0.1:1/"})
	b.startCrawler()
	if c := b.awaitCrawl("a", id, hasEnded); c.Status != db.CrawlFailed || c.Failure == nil || c.Failure.Code != audit.CodeUnreachable || c.Score != nil {
		t.Errorf("the crawl is %+v, %v", c, c.Failure)
	}
}

// TestReportGoesBeforeCrawls holds that the report of one page goes before the pages of crawls that wait for the processor already. Each page
// keeps the processor's only place until the test hands it the time, which is its number among all pages.
func TestReportGoesBeforeCrawls(t *testing.T) {
	b := newBench(t, bolt.Options{})
	turn, turns := make(chan time.Time), time.Unix(0, 0)
	b.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: loopback}), audit.Options{
		SiteRequests: -1, Samples: -1, Workers: 1, Timeout: patience, Now: func() time.Time { return <-turn },
	})
	var sites []*crawledSite
	for _, account := range []string{"a", "b", "c"} {
		s := newCrawledSite(t, 100, "")
		sites = append(sites, s)
		b.createCrawl(account, db.NewCrawl{URL: s.URL + "/0"})
	}
	b.startCrawler()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for _, s := range sites {
		for s.pages() < 3 { // the first, and two that wait for the processor
			select {
			case turn <- turns:
				turns = turns.Add(time.Second)
			case <-tick.C:
			}
		}
	}
	came := make(chan struct{})
	site := httptest.NewUnstartedServer(&site{arrived: make(chan string, 1)})
	site.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateClosed { // the page was read
			close(came)
		}
	}
	site.Start()
	t.Cleanup(site.Close)
	w, _ := b.start(Options{})
	id := b.createFor("d", site.URL+"/")
	<-came
	before, done := turns, make(chan struct{})
	go func() {
		defer close(done)
		b.waitFor(w, "d", id)
	}()
	tick.Reset(10 * time.Millisecond) // so that the page comes to wait, too
	for waiting := true; waiting; {
		select {
		case <-tick.C:
			turn <- turns
			turns = turns.Add(time.Second)
		case <-done:
			waiting = false
		}
	}
	close(turn)
	r, _, err := b.store.Report(b.ctx, "d", id)
	if err != nil || r.GeneratedAt.Sub(before) > 3*time.Second {
		t.Errorf("%v of %d pages that waited went before that of the report, %v", r.GeneratedAt.Sub(before).Seconds(), 2*len(sites), err)
	}
}

// pages returns how many pages were asked for.
func (s *crawledSite) pages() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for path := range s.asked {
		if path != "/robots.txt" && path != "/sitemap.xml" {
			n++
		}
	}
	return n
}

// TestAccessLogOfCrawls reads the log of a site that three accounts crawl at once, as its owner would: nobody asked for what is neither linked nor
// listed, or for what robots.txt forbids; two requests were under way at most; the headers of the staging site went to it alone.
func TestAccessLogOfCrawls(t *testing.T) {
	b := newBench(t, bolt.Options{Secret: []byte("a secret")})
	b.auditor = audit.New(fetch.New(fetch.Options{AllowNetworks: loopback}), audit.Options{SiteRequests: -1})
	other := newLoggedSite(t, nil)
	site := newLoggedSite(t, map[string]string{
		"/robots.txt":     "User-agent: *\nDisallow: /private\nSitemap: BASE/listed.xml\n\nUser-agent: OtherBot\nDisallow: /\n",
		"/listed.xml":     `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>BASE/listed?a=1&amp;b=2</loc></url><url><loc>BASE/private/listed</loc></url></urlset>`,
		"/":               `<a href="/a/">A</a> <a href="/b?x=1&amp;y=2">B</a> <a href="/private/page">No</a> <img src="/private/picture.png" alt="">`,
		"/a/":             `<a href="c">C</a> <a href="OTHER/elsewhere">Elsewhere</a> <link rel="stylesheet" href="/style.css"> <img src="OTHER/picture.png" alt="">`,
		"/a/c":            `<a href="../">Home</a> <a href="//other.invalid/">Nowhere</a>`,
		"/b?x=1&y=2":      `<a href="/a/#part">A</a> <a href="mailto:a@example.com">Mail</a>`,
		"/listed?a=1&b=2": `<p>Listed</p>`,
		"/style.css":      "",
	}, "OTHER", strings.Replace(other.URL, "127.0.0.1", "localhost", 1))
	accounts := []string{"a", "b", "c"}
	ids := map[string]uuid.UUID{}
	for _, account := range accounts {
		ids[account] = b.createCrawl(account, db.NewCrawl{URL: site.URL + "/", Headers: map[string]string{"Authorization": "Bearer " + account}})
	}
	b.startCrawler()
	for _, account := range accounts {
		if c := b.awaitCrawl(account, ids[account], hasEnded); c.Status != db.CrawlEnded || c.Summary.Pages != 5 {
			t.Errorf("the crawl of %s is %+v, %+v", account, c, c.Summary)
		}
	}
	asked := map[string]int{}
	for _, line := range site.log {
		asked[line.target]++
		if line.underWay > 2 {
			t.Errorf("%d requests were under way with that for %s", line.underWay, line.target)
		}
		if _, exists := site.files[line.target]; !exists && line.target != "/sitemap.xml" {
			t.Errorf("%s was asked for, which nothing links or lists", line.target)
		}
		if !strings.HasPrefix(line.header.Get("Authorization"), "Bearer ") {
			t.Errorf("%s was asked for without the header of the site", line.target)
		}
	}
	if site.connections > 2 {
		t.Errorf("%d connections were made", site.connections)
	}
	for target := range site.files {
		if asked[target] != len(accounts) {
			t.Errorf("%s was asked for %d times by %d accounts", target, asked[target], len(accounts))
		}
	}
	for _, line := range other.log {
		if line.header.Get("Authorization") != "" || line.target != "/picture.png" {
			t.Errorf("another host was asked for %s with %v", line.target, line.header)
		}
	}
	if len(other.log) == 0 {
		t.Error("the other host was not asked at all")
	}
}

// loggedSite is a site of files by target, with the log of what was asked of it.
type loggedSite struct {
	*httptest.Server
	files map[string]string
	mu    sync.Mutex
	log   []loggedRequest
	now   int

	connections int // that were made; they stay open
}

type loggedRequest struct {
	target   string
	header   http.Header
	underWay int // with this one
}

// newLoggedSite serves files, in which BASE stands for its own address, and each of the other words for what follows it.
func newLoggedSite(t *testing.T, files map[string]string, words ...string) *loggedSite {
	t.Helper()
	s := &loggedSite{files: files}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.now++
		s.log = append(s.log, loggedRequest{r.URL.RequestURI(), r.Header, s.now})
		s.mu.Unlock()
		defer func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.now--
		}()
		text, exists := s.files[r.URL.RequestURI()]
		switch path.Ext(r.URL.Path) {
		case ".txt", ".xml", ".css":
			w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(r.URL.Path)))
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			text = "<!doctype html><title>A page</title>" + text
		}
		if !exists {
			w.WriteHeader(http.StatusNotFound)
		}
		io.WriteString(w, strings.NewReplacer(append(words, "BASE", "http://"+r.Host)...).Replace(text))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if state == http.StateNew {
			s.connections++
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// stoppedLate has somebody stop each crawl when nothing is left of its site.
type stoppedLate struct{ *bolt.DB }

func (s stoppedLate) KeepCrawlRows(ctx context.Context, account string, id uuid.UUID, r db.CrawlResult) error {
	if _, err := s.StopCrawl(ctx, account, id, nil); err != nil {
		return err
	}
	return s.DB.KeepCrawlRows(ctx, account, id, r)
}

func TestCrawlStoppedAtItsEnd(t *testing.T) {
	b := newBench(t, bolt.Options{})
	s := newCrawledSite(t, 3, "")
	id := b.createCrawl("a", db.NewCrawl{URL: s.URL + "/0"})
	b.startCrawlerOf(stoppedLate{b.store})
	if c := b.awaitCrawl("a", id, hasEnded); c.Status != db.CrawlStopped || c.Summary.Pages != 3 {
		t.Errorf("the crawl is %+v, %+v", c, c.Summary)
	}
}
