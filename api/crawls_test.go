package api

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/worker"
)

// crawlSite is a site of a few pages with faults: a link that is broken, a redirect, a page that nobody links, one that is forbidden.
func crawlSite(t *testing.T) (site *httptest.Server, asked func() map[string]int) {
	t.Helper()
	var mu sync.Mutex
	counts := map[string]int{}
	page := func(title, links string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title></head><body><h1>%s</h1><p>Some words.</p>%s</body></html>`, title, title, links)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/{$}", page("Start", `<a href="/one">One</a> <a href="/gone">Gone</a> <a href="/moved">Moved</a> <a href="/secret/">Secret</a>`))
	mux.Handle("/one", page("The same", `<a href="/">Home</a> <a href="/two">Two</a> <a href="/gone">Gone</a>`))
	mux.Handle("/two", page("The same", `<a href="/">Home</a>`))
	mux.Handle("/moved", http.RedirectHandler("/two", http.StatusMovedPermanently))
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("User-agent: *\nDisallow: /secret/\n"))
	})
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		counts[r.URL.Path]++
		mu.Unlock()
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(site.Close)
	return site, func() map[string]int { mu.Lock(); defer mu.Unlock(); return counts }
}

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

// shownCrawl is a crawl as the API shows it.
type shownCrawl struct {
	ID       string
	URL      string
	Status   string
	Project  struct{ ID, Name string }
	Progress struct{ Found, Queued, Done, Failed int }
	Summary  *struct{ Pages, Indexable int }
	Score    *int
	Result   *string
	Error    *audit.Failure
}

func (s *server) crawl(status int, c call) shownCrawl {
	s.Helper()
	var document struct{ Data shownCrawl }
	s.decode(s.must(status, c), &document)
	return document.Data
}

// crawled waits for the end of a crawl.
func (s *server) crawled(id string) shownCrawl {
	s.Helper()
	heard := make(chan struct{}, 1)
	defer s.Store.Subscribe(func(news db.News) {
		if news.Crawls {
			select {
			case heard <- struct{}{}:
			default:
			}
		}
	})()
	deadline := time.After(20 * time.Second)
	for {
		c := s.crawl(http.StatusOK, call{path: "/crawls/" + id})
		if c.Status != "queued" && c.Status != "running" {
			return c
		}
		select {
		case <-heard:
		case <-deadline:
			s.Fatalf("the crawl does not end: %+v", c)
		}
	}
}

func TestCrawl(t *testing.T) {
	s := newServer(t, Options{})
	site, asked := crawlSite(t)
	s.startCrawler()
	before := s.record(s.post(http.StatusCreated, "url", site.URL+"/one"))
	response := s.must(http.StatusAccepted, call{method: "POST", path: "/crawls", form: form("url", site.URL)})
	queued := s.record(response)
	if got, want := response.Header.Get("Location"), s.HTTP.URL+Base+"/crawls/"+queued.ID; got != want {
		t.Errorf("the Location is %q, not %q", got, want)
	}
	c := s.crawled(queued.ID)
	if c.Status != "done" || c.Score == nil || c.Result == nil || c.Summary == nil || c.Summary.Pages != 3 || c.Progress.Found != 6 || c.Project.Name != before.Project.Name {
		t.Errorf("the crawl is %+v, %+v", c, c.Summary)
	}
	if n := asked()["/secret/"]; n != 0 {
		t.Errorf("what robots.txt forbids was asked for %d times", n)
	}
	var pages struct {
		Data []struct {
			URL       string
			Status    *int
			Depth     *int
			Indexable bool
			Reason    *string
			Report    *string
		}
		Meta struct{ Total int }
	}
	s.decode(s.get(http.StatusOK, "/crawls/"+c.ID+"/pages"), &pages)
	if pages.Meta.Total != 6 || pages.Data[0].URL != site.URL+"/" || *pages.Data[0].Depth != 0 || pages.Data[0].Report == nil {
		t.Errorf("the pages are %+v", pages)
	}
	for _, p := range pages.Data {
		if p.URL == site.URL+"/one" && *p.Report != before.ID {
			t.Errorf("the report of %s is %s, not the one it had, %s", p.URL, *p.Report, before.ID)
		}
		if p.Report != nil {
			if r := s.record(s.get(http.StatusOK, "/reports/"+*p.Report)); r.Status != "done" || r.URL != p.URL || r.Privacy != 1 && r.ID != before.ID {
				t.Errorf("the report of %s is %+v", p.URL, r)
			}
		}
	}
	s.decode(s.get(http.StatusOK, "/crawls/"+c.ID+"/pages?status=200&search=TWO"), &pages)
	if pages.Meta.Total != 1 || pages.Data[0].URL != site.URL+"/two" {
		t.Errorf("found are %+v", pages)
	}
	s.decode(s.get(http.StatusOK, "/crawls/"+c.ID+"/pages?indexable=false&sort=desc"), &pages)
	if pages.Meta.Total != 3 {
		t.Errorf("not indexable are %+v", pages)
	}
	var links struct {
		Data []struct {
			Target  string
			Status  *int
			Sources int
			First   []struct{ URL, Text string }
		}
	}
	s.decode(s.get(http.StatusOK, "/crawls/"+c.ID+"/links?status=broken"), &links)
	if len(links.Data) != 1 || links.Data[0].Target != site.URL+"/gone" || *links.Data[0].Status != 404 || links.Data[0].Sources != 2 || links.Data[0].First[0].Text != "Gone" {
		t.Errorf("the broken links are %+v", links)
	}
}

func TestCrawlsAreRefused(t *testing.T) {
	s := newServer(t, Options{})
	many := `"http://example.com/"` + strings.Repeat(`,"http://example.com/"`, 10_000)
	for body, want := range map[string]string{
		`{}`:                                    "url",
		`{"url":"ftp://example.com/"}`:          "url",
		`{"mode":"list"}`:                       "urls",
		`{"mode":"list","urls":["x"]}`:          "urls",
		`{"mode":"list","urls":[` + many + `]}`: "urls",
		`{"url":"http://example.com/","urls":["http://example.com/"]}`:   "urls",
		`{"url":"http://example.com/","mode":"all"}`:                     "mode",
		`{"url":"http://example.com/","privacy":2}`:                      "privacy",
		`{"url":"http://example.com/","max_pages":100001,"max_depth":0}`: "max_pages max_depth",
		`{"url":"http://example.com/","include":[""],"exclude":["a",1]}`: "exclude include",
		`{"url":"http://example.com/","headers":{"Host":"example.org"}}`: "headers",
		`{"url":"http://example.com/","headers":{"connection":"x"}}`:     "headers",
		`{"url":"http://example.com/","headers":{"A b":"x"}}`:            "headers",
		`{"url":"http://example.com/","headers":{"X":"a\r\nY: b"}}`:      "headers",
		`{"url":"http://example.com/","headers":"X: y"}`:                 "headers",
		`{"url":"http://example.com/","project":"a/b","nothing":1}`:      "nothing project",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/crawls", json: body}); got != want {
			t.Errorf("%.80s: wrong are %q, not %q", body, got, want)
		}
	}
	s.refused(http.StatusRequestEntityTooLarge, "body_too_large", call{method: "POST", path: "/crawls", json: `{"url":"` + strings.Repeat("x", 1<<20) + `"}`})
	s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/crawls", form: form("mode", "list", "urls", "http://example.com/")})
}

// issues returns how many pages each issue of a project is on, and the change where it is told.
func (s *server) issues(project string) (pages map[string]int, changes map[string]*int) {
	s.Helper()
	var list struct {
		Data []struct {
			Check, Severity, Title string
			Pages                  int
			Change                 *int
		}
	}
	s.decode(s.get(http.StatusOK, "/projects/"+url.PathEscape(project)+"/issues?per_page=100"), &list)
	pages, changes = map[string]int{}, map[string]*int{}
	for _, i := range list.Data {
		if pages[i.Check] = i.Pages; i.Pages == 0 || i.Title == "" {
			s.Errorf("the issue %+v", i)
		}
		changes[i.Check] = i.Change
	}
	return pages, changes
}

func TestIssues(t *testing.T) {
	s := newServer(t, Options{})
	site, _ := crawlSite(t)
	for _, path := range []string{"/", "/one"} {
		s.post(http.StatusCreated, "url", site.URL+path, "project", "p")
	}
	pages, changes := s.issues("p")
	if pages["meta-description"] != 2 || pages["duplicate-title"] != 0 || changes["meta-description"] != nil {
		t.Errorf("without a crawl the issues are %v", pages)
	}
	s.startCrawler()
	for range 2 {
		s.crawled(s.crawl(http.StatusAccepted, call{method: "POST", path: "/crawls", form: form("url", site.URL, "project", "p")}).ID)
	}
	pages, changes = s.issues("p")
	if pages["meta-description"] != 3 || pages["duplicate-title"] != 2 || pages["broken-target"] != 1 || pages["broken-links"] != 0 || *changes["broken-target"] != 0 {
		t.Errorf("after two crawls the issues are %v", pages)
	}
	var rows struct {
		Data []struct {
			URL      string
			Report   *string
			Evidence []audit.Evidence
		}
		Meta struct{ Total int }
	}
	s.decode(s.get(http.StatusOK, "/projects/p/issues/broken-target"), &rows)
	if len(rows.Data) != 1 || rows.Data[0].URL != site.URL+"/gone" || rows.Data[0].Report != nil || len(rows.Data[0].Evidence) != 2 || rows.Data[0].Evidence[0].Snippet != "Gone" {
		t.Errorf("the broken links are %+v", rows)
	}
	s.decode(s.get(http.StatusOK, "/projects/p/issues/meta-description?search=TWO&sort=desc"), &rows)
	if len(rows.Data) != 1 || rows.Data[0].URL != site.URL+"/two" || rows.Data[0].Report == nil {
		t.Errorf("the pages without a description are %+v", rows)
	}
	s.must(http.StatusNoContent, call{method: "DELETE", path: "/reports/" + *rows.Data[0].Report})
	if pages, changes = s.issues("p"); pages["meta-description"] != 2 || *changes["meta-description"] != -1 {
		t.Errorf("after a deletion the issues are %v", pages)
	}
	for _, path := range []string{"/projects/q/issues", "/projects/q/issues/title", "/projects/p/issues/nothing"} {
		s.must(http.StatusNotFound, call{path: path})
	}
	for _, path := range []string{"/projects/p/issues", "/projects/p/issues/title"} {
		s.must(http.StatusUnprocessableEntity, call{path: path + "?per_page=7"})
		s.must(http.StatusBadRequest, call{path: path + "?page=1&page=2"})
	}
}

// slowSite is a site with pages without end, each of which waits for the test.
func slowSite(t *testing.T) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		<-r.Context().Done()
	}))
	t.Cleanup(site.Close)
	return site
}

func TestCrawlsAreStopped(t *testing.T) {
	s := newServer(t, Options{})
	site := slowSite(t)
	waiting := s.crawl(http.StatusAccepted, call{method: "POST", path: "/crawls", form: form("url", site.URL, "project", "p")})
	path := "/crawls/" + waiting.ID
	tag := s.get(http.StatusOK, path).Header.Get("ETag")
	s.must(http.StatusNotModified, call{path: path, header: http.Header{"If-None-Match": {tag}}})
	stop := call{method: "PUT", path: path, json: `{"status":"stopped"}`}
	guarded := stop
	guarded.header = http.Header{"If-Match": {`"7-0"`}}
	s.refused(http.StatusPreconditionFailed, "precondition_failed", guarded)
	s.refused(http.StatusPreconditionFailed, "precondition_failed", call{method: "DELETE", path: path, header: guarded.header})
	s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "PUT", path: path, json: `{"status":"done"}`})
	s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "PUT", path: path})
	if c := s.crawl(http.StatusOK, stop); c.Status != "stopped" {
		t.Errorf("stopped before it ran it is %s", c.Status)
	}
	s.startCrawler()
	running := s.crawl(http.StatusAccepted, call{method: "POST", path: "/crawls", form: form("url", site.URL, "project", "p")})
	s.must(http.StatusOK, call{method: "PUT", path: "/crawls/" + running.ID, form: form("status", "stopped")})
	if c := s.crawled(running.ID); c.Status != "stopped" {
		t.Errorf("the crawl is %s", c.Status)
	}
	var list struct{ Meta struct{ Total int } }
	for query, want := range map[string]int{"": 2, "?status=stopped&project=p": 2, "?status=done": 0, "?project=q": 0, "?search=127.0": 2, "?search=x": 0} {
		if s.decode(s.get(http.StatusOK, "/crawls"+query), &list); list.Meta.Total != want {
			t.Errorf("%q lists %d, not %d", query, list.Meta.Total, want)
		}
	}
	s.must(http.StatusNoContent, call{method: "DELETE", path: path})
	s.decode(s.get(http.StatusOK, "/crawls"), &list)
	if list.Meta.Total != 1 {
		t.Errorf("%d crawls are left", list.Meta.Total)
	}
}

func TestCrawlsOfOthersAreNotThere(t *testing.T) {
	s := newServer(t, Options{})
	c := s.crawl(http.StatusAccepted, call{method: "POST", path: "/crawls", form: form("url", "http://example.com/")})
	for _, path := range []string{"", "/pages", "/links"} {
		foreign := s.must(http.StatusNotFound, call{path: "/crawls/" + c.ID + path, key: s.other})
		if unknown := s.must(http.StatusNotFound, call{path: "/crawls/019b7e5a-3c00-7000-8000-000000000005" + path}); string(unknown.Body) != string(foreign.Body) {
			t.Errorf("%s is answered by\n%s\nand one that nobody has by\n%s", path, foreign.Body, unknown.Body)
		}
	}
	s.must(http.StatusNotFound, call{method: "DELETE", path: "/crawls/" + c.ID, key: s.other})
	s.must(http.StatusNotFound, call{method: "PUT", path: "/crawls/" + c.ID, json: `{"status":"stopped"}`, key: s.other})
}

func TestCrawlRequestsThatCannotBeRead(t *testing.T) {
	s := newServer(t, Options{})
	c := s.crawl(http.StatusAccepted, call{method: "POST", path: "/crawls", form: form("url", "http://example.com/")})
	path := "/crawls/" + c.ID
	for _, target := range []call{{method: "POST", path: "/crawls"}, {method: "PUT", path: path}} {
		target.json = `[1]`
		s.must(http.StatusBadRequest, target)
		target.header = http.Header{"Content-Type": {"text/plain"}}
		s.must(http.StatusUnsupportedMediaType, target)
	}
	s.must(http.StatusRequestEntityTooLarge, call{method: "PUT", path: path, json: `{"status":"` + strings.Repeat("x", maxBody) + `"}`})
	for list, wrong := range map[string]string{"/crawls": "status=new", path + "/pages": "indexable=1", path + "/links": "status=200"} {
		s.must(http.StatusBadRequest, call{path: list + "?page=1&page=2"})
		s.must(http.StatusUnprocessableEntity, call{path: list + "?" + wrong})
	}
}

func TestCrawlIsMadeOnce(t *testing.T) {
	s := newServer(t, Options{})
	once := call{method: "POST", path: "/crawls", json: `{"url":"http://example.com/","headers":{"X-Key":"a"}}`, header: http.Header{idempotencyHeader: {"k"}}}
	first := s.crawl(http.StatusAccepted, once)
	if again := s.crawl(http.StatusAccepted, once); again.ID != first.ID {
		t.Errorf("a repetition made %s beside %s", again.ID, first.ID)
	}
	once.json = `{"url":"http://example.com/","headers":{"X-Key":"b"}}`
	s.refused(http.StatusUnprocessableEntity, "idempotency_key_reused", once)
}

func TestSchedulesOfCrawls(t *testing.T) {
	s := newServer(t, Options{})
	s.post(http.StatusCreated, "url", s.site.URL+"/", "project", "p")
	body := `{"project":"p","what":"crawl","url":"` + s.site.URL + `","max_pages":7,"headers":{"X-Key":"sesame"},"every":"6h"}`
	made := s.must(http.StatusCreated, call{method: "POST", path: "/schedules", json: body})
	if !strings.Contains(string(made.Body), `"crawl":{"url":"`+s.site.URL+`/","mode":"links","privacy":1,"max_pages":7,`) || strings.Contains(string(made.Body), "sesame") {
		t.Errorf("made is %s", made.Body)
	}
	path := "/schedules/" + s.record(made).ID
	for _, want := range []string{"A crawl was queued.", "Nothing was queued: a crawl of this address still waits or runs."} {
		s.must(http.StatusOK, call{method: "PUT", path: path, form: form("run", "1")})
		if _, _, err := s.Store.RunSchedules(t.Context(), 0, 10); err != nil {
			t.Fatal(err)
		}
		if ran := s.schedule(http.StatusOK, call{path: path}).LastRun; ran == nil || *ran.Detail != want {
			t.Errorf("it ran as %+v", ran)
		}
	}
	var list struct{ Data []shownCrawl }
	if s.decode(s.get(http.StatusOK, "/crawls"), &list); len(list.Data) != 1 || list.Data[0].Project.Name != "p" || list.Data[0].URL != s.site.URL+"/" {
		t.Errorf("the crawls are %+v", list.Data)
	}
	var exported bytes.Buffer
	if err := s.Store.Export(t.Context(), "default", &exported); err != nil || strings.Contains(exported.String(), "sesame") {
		t.Errorf("the export has the header, or %v", err)
	}
	if _, err := s.Store.Import(t.Context(), "moved", &exported, nil); err != nil {
		t.Error(err)
	}
	if page, err := s.Store.Schedules(t.Context(), "moved", sortfilter.Query{PerPage: 10, Page: 1}); err != nil || page.Total != 1 || page.Rows[0].Crawl == nil || page.Rows[0].Crawl.MaxPages != 7 {
		t.Errorf("moved are %+v, %v", page, err)
	}
	for body, want := range map[string]string{
		`{"project":"p","what":"crawl","every":"6h"}`:                                                             "url",
		`{"project":"p","what":"audit","every":"6h","url":"http://example.com/"}`:                                 "url",
		`{"project":"p","what":"crawl","every":"6h","url":"http://example.com/","mode":"x","headers":{"Te":"x"}}`: "mode headers",
	} {
		if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{method: "POST", path: "/schedules", json: body}); got != want {
			t.Errorf("%s: wrong are %q, not %q", body, got, want)
		}
	}
}
