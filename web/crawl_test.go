package web

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/worker"
)

// crawlSite is a site with faults across its pages, whose texts try to break out of what is said about it. Its page /slow waits for gate.
func crawlSite(t testing.TB, gate <-chan struct{}) *httptest.Server {
	page := func(title, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%[1]s</title></head><body><h1>%[1]s</h1>
%[2]s</body></html>`, strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(title), body)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/{$}", page("Start", `<a href="/docs/one">One</a> <a href="/gone">Gone for good</a> <a href="/slow">Slow</a>`))
	mux.Handle("/docs/one", page(hostile, `<a href="/">Home</a> <a href="/docs/deep/two">Two</a> <a href="/gone?x=%22%3E%3Cscript%3E">`+strings.NewReplacer("<", "&lt;").Replace(hostile)+`</a>`))
	mux.Handle("/docs/deep/two", page(hostile, `<a href="/">Home</a>`))
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
		page("Slow", `<a href="/">Home</a>`)(w, r)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// closed is a gate that holds nothing back.
var closed = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// startCrawler runs the crawls of the server's database for the time of the test.
func (s *server) startCrawler() {
	s.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	c := worker.NewCrawler(s.Store, s.Auditor, slog.New(slog.DiscardHandler))
	go func() {
		c.Run(ctx)
		close(ended)
	}()
	s.Cleanup(func() {
		cancel()
		<-ended
	})
}

// crawled waits for the end of a crawl.
func (s *server) crawled(path string) db.Crawl {
	s.Helper()
	id := uuid.MustParse(strings.TrimPrefix(path, "/crawls/"))
	heard := make(chan struct{}, 1)
	defer s.Store.Subscribe(func(n db.News) {
		if n.Crawls {
			select {
			case heard <- struct{}{}:
			default:
			}
		}
	})()
	deadline := time.After(patience)
	for {
		c, err := s.Store.Crawl(s.Context(), "default", id)
		if err != nil {
			s.Fatal(err)
		}
		if !c.Status.Unfinished() {
			return c
		}
		select {
		case <-heard:
		case <-deadline:
			s.Fatalf("the crawl does not end: %+v", c)
		}
	}
}

func TestHeadersOfACrawlGoToTheSite(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	var unheard atomic.Int64
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sesame" || r.Header.Get("X-Staging") != "1" {
			unheard.Add(1)
		}
		http.NotFound(w, r)
	}))
	defer site.Close()
	v := s.signedIn(s.key)
	path := v.start("url", site.URL, "headers", "Authorization: Bearer sesame\r\n\r\nx-staging: 1")
	s.crawled(path)
	if n := unheard.Load(); n > 0 {
		t.Errorf("%d requests came without the headers", n)
	}
	lacks(t, v.page(path)+v.page("/crawls?again="+strings.TrimPrefix(path, "/crawls/")), "sesame")
}

// start starts a crawl in the dashboard and returns the path of its page.
func (v *visitor) start(fields ...string) string {
	v.Helper()
	return v.must(http.StatusSeeOther, v.use("/crawls", "/crawls", fields...)).Header.Get("Location")
}

func TestSiteReport(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	site := crawlSite(t, closed)
	v := s.signedIn(s.key)
	path := v.start("url", site.URL, "project", "Bakery", "max_pages", "50", "include", "*\r\n", "exclude", "")
	if c := s.crawled(path); c.Status != db.CrawlEnded || c.MaxPages != 50 || c.Project.Name != "Bakery" || len(c.Include) != 1 {
		t.Fatalf("crawled %+v", c)
	}
	page := v.page(path)
	contains(t, page, "Site report for 127.0.0.1", "Pages by result", "200 OK", "404 Not Found", "The mean score of", "Broken links", "Gone for good", site.URL+"/gone",
		path+"/issues/duplicate-title", "On single pages", site.URL+"/docs/", "level2", "Crawl again", "Bakery")
	lacks(t, page, "data-crawl", "<script>document")
	contains(t, v.page("/crawls"), path, "Bakery")
	contains(t, v.page("/crawls?again="+strings.TrimPrefix(path, "/crawls/")), `value="`+site.URL+`/"`, `value="50"`)

	issue := v.page(path + "/issues/duplicate-title")
	contains(t, issue, "/docs/checks/duplicate-title", site.URL+"/docs/one", site.URL+"/docs/deep/two", "/reports/")
	lacks(t, issue, "<script>document")
	contains(t, v.page(path+"/issues/broken-target"), "Gone for good", "Line 2")
	contains(t, v.page(path+"/issues/meta-description"), site.URL+"/docs/one")
	contains(t, v.page(path+"/pages?search=deep"), site.URL+"/docs/deep/two", "2 clicks", "1 address<")
	lacks(t, v.page(path+"/pages?status=404"), site.URL+"/docs/deep/two")
	contains(t, v.page(path+"/links?status=broken"), site.URL+"/gone", "404 Not Found", "Linked by 1 page")
	for _, wrong := range []string{"/issues/no-such-check", "/issues/redirect-loop", "/export/nothing.csv", "/export/pages.exe"} {
		v.must(http.StatusNotFound, v.get(path+wrong))
	}
	other := s.signedIn(s.NewKey("other", auth.AllScopes))
	for _, hidden := range []string{"", "/events", "/pages", "/links", "/issues/duplicate-title", "/export/pages.csv", "/delete"} {
		other.must(http.StatusNotFound, other.get(path+hidden))
	}
	to := v.must(http.StatusSeeOther, v.use(path+"/delete", path+"/delete")).Header.Get("Location")
	contains(t, v.page(to), "The crawl was deleted", "No crawls yet")
	contains(t, v.page("/"), site.URL+"/docs/one")
}

func TestSiteExports(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	site := crawlSite(t, closed)
	v := s.signedIn(s.key)
	path := v.start("url", site.URL)
	s.crawled(path)
	for file, want := range map[string]struct {
		rows         int
		column, cell string
	}{
		"pages": {6, "url", site.URL + "/gone"}, "links": {6, "text", "Gone for good"}, "issues": {0, "check", "duplicate-title"},
	} {
		sent := v.page(path + "/export/" + file + ".csv")
		lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(sent, "\ufeff"))).ReadAll()
		if err != nil || want.rows > 0 && len(lines) != want.rows+1 {
			t.Fatalf("%s.csv: %v, %d lines:\n%s", file, err, len(lines), sent)
		}
		contains(t, sent, want.column, want.cell)
		var rows []map[string]any
		if err := json.Unmarshal([]byte(v.page(path+"/export/"+file+".json")), &rows); err != nil || len(rows) != len(lines)-1 {
			t.Errorf("%s.json: %v, %d rows of %d", file, err, len(rows), len(lines)-1)
		}
	}
}

func TestCrawlFormSaysWhatIsWrongAtEachField(t *testing.T) {
	s := newServer(t, Options{})
	v := s.signedIn(s.key)
	for _, test := range []struct {
		fields []string
		id     string
		want   string
	}{
		{nil, "url", "is required"},
		{[]string{"url", "ftp://example.com/"}, "url", "http"},
		{[]string{"url", "http://10.0.0.1/"}, "url", "not"},
		{[]string{"url", s.site.URL, "max_pages", "many"}, "max_pages", "whole number from 1"},
		{[]string{"url", s.site.URL, "max_pages", "100001"}, "max_pages", "whole number from 1"},
		{[]string{"url", s.site.URL, "max_depth", "-1"}, "max_depth", "whole number from 1"},
		{[]string{"url", s.site.URL, "mode", "everything"}, "mode", "must be"},
		{[]string{"mode", "list", "urls", "\r\n"}, "urls", "is required"},
		{[]string{"mode", "list", "urls", s.site.URL + "\r\nftp://x"}, "urls", "number 2"},
		{[]string{"url", s.site.URL, "include", strings.Repeat("x", 9000)}, "include", "number 1"},
		{[]string{"url", s.site.URL, "exclude", "*\x01"}, "exclude", "number 1"},
		{[]string{"url", s.site.URL, "headers", "X-A: b\r\nHost: c"}, "headers", "Host cannot be given"},
		{[]string{"url", s.site.URL, "headers", "no header"}, "headers", "header 1 is not"},
		{[]string{"url", s.site.URL, "project", "a/b"}, "project", ""},
	} {
		page := v.must(http.StatusUnprocessableEntity, v.use("/crawls", "/crawls", test.fields...)).body
		contains(t, page, `id="`+test.id+`-wrong">`, `aria-describedby="`+test.id+`-wrong"`, test.want)
	}
	contains(t, v.page("/crawls"), "No crawls yet")
	reader := s.signedIn(s.reader)
	lacks(t, reader.page("/crawls"), `name="mode"`)
	reader.must(http.StatusForbidden, reader.submit("/crawls", "url", s.site.URL))
}

func TestCrawlAsItRuns(t *testing.T) {
	s := newServer(t, Options{})
	s.startCrawler()
	gate := make(chan struct{})
	site := crawlSite(t, gate)
	v := s.signedIn(s.key)
	path := v.start("url", site.URL)
	contains(t, v.page(path), `data-crawl="`+path+`/events"`, "<progress", `http-equiv="refresh"`)
	contains(t, v.page(path+"/pages"), "Nothing to show yet")
	contains(t, v.page("/crawls"), "data-refresh")
	v.must(http.StatusSeeOther, v.use(path, path+"/stop"))
	close(gate)
	events := v.page(path + "/events")
	contains(t, events, "event: done\ndata: stopped\n")
	contains(t, v.page(path), "Stopped")
}

func TestProjectsLeadToTheirNewestCrawl(t *testing.T) {
	s := newServer(t, Options{})
	s.create(db.NewReport{URL: s.site.URL + "/bread", Project: "Bakery"})
	project, err := s.Store.Project(t.Context(), "default", "Bakery")
	if err != nil {
		t.Fatal(err)
	}
	v := s.signedIn(s.key)
	link := "/projects/" + project.ID.String() + "/crawl"
	contains(t, v.page("/projects"), link)
	to := v.must(http.StatusSeeOther, v.get(link)).Header.Get("Location")
	contains(t, v.page(to), `name="project" type="text" maxlength="100" value="Bakery"`)
	v.start("url", s.site.URL, "project", "Bakery")
	newest := v.start("url", s.site.URL, "project", "Bakery")
	if to := v.must(http.StatusSeeOther, v.get(link)).Header.Get("Location"); to != newest {
		t.Errorf("the project leads to %s, not %s", to, newest)
	}
}
