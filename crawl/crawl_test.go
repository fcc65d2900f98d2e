package crawl

import (
	"context"
	"errors"
	"flag"
	"maps"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// The made-up site can be larger: -site.pages 10000 -site.words 4000 has pages of 30 kB.
var (
	pagesOfSite = flag.Int("site.pages", 400, "pages of the made-up site")
	wordsOfPage = flag.Int("site.words", 160, "words of each of its pages")
)

// crawled is a crawl that was made.
type crawled struct {
	*Frontier
	visits []Visit
}

// serveSite serves a handler for the time of the test, and counts what is asked for.
func serveSite(t *testing.T, handler http.Handler) (base string, asked func() map[string]int) {
	t.Helper()
	var mu sync.Mutex
	counts := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") == "" && !strings.Contains(r.Header.Get("Accept"), "markdown") && strings.HasPrefix(r.UserAgent(), "Sitegrade") {
			mu.Lock()
			counts[r.URL.RequestURI()]++
			mu.Unlock()
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, func() map[string]int { mu.Lock(); defer mu.Unlock(); return maps.Clone(counts) }
}

// crawlSite crawls from a start with as much at once as the frontier gives out, and forgets time that has to be waited.
func crawlSite(t testing.TB, o Options, start string) *crawled {
	c := &crawled{}
	c.goOn(t, o, start, math.MaxInt)
	return c
}

// goOn crawls on from the visits that were kept, as a new process does, and is killed when so many more were handed back.
func (c *crawled) goOn(t testing.TB, o Options, start string, most int) {
	t.Helper()
	client := fetch.New(fetch.Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	t.Cleanup(client.Close)
	u := weburl.Resolve(nil, start)
	now := time.Now()
	v := NewVisitor(audit.New(client, audit.Options{}), u, nil, time.Now)
	c.Frontier = New(o, u)
	for _, visit := range c.visits {
		v.Recall(&visit)
		c.Done(visit)
	}
	errKilled := errors.New("killed")
	d := Driver{
		Frontier: c.Frontier,
		Ask: func(ctx context.Context, a Address) (*Visit, error) {
			visit, report, err := v.Visit(ctx, a)
			if report != nil {
				visit.Report = "report of " + visit.URL
			}
			return visit, err
		},
		Keep: func(visit *Visit) error {
			if most--; most < 0 {
				return errKilled
			}
			c.visits = append(c.visits, *visit)
			return nil
		},
		Now: func() time.Time { return now },
		After: func(wait time.Duration) <-chan time.Time {
			now = now.Add(wait)
			over := make(chan time.Time, 1)
			over <- now
			return over
		},
	}
	if err := d.Run(t.Context()); err != nil && !errors.Is(err, errKilled) {
		t.Error(err)
	}
}

// A crawl that is killed again and again says the same in the end, and has asked for nothing twice but what was under way.
func TestKills(t *testing.T) {
	s := makeSite(150)
	base, asked := serveSite(t, s)
	s.base = base
	whole := slices.Collect(crawlSite(t, Options{}, base+"/").Findings().Issues())
	before := asked()
	c := &crawled{}
	const kills = 5
	for i := range kills {
		c.goOn(t, Options{}, base+"/", 1+i*i*5)
	}
	c.goOn(t, Options{}, base+"/", math.MaxInt)
	if got := slices.Collect(c.Findings().Issues()); !reflect.DeepEqual(got, whole) {
		t.Errorf("%d issues, and %d without kills", len(got), len(whole))
	}
	twice := 0
	for path, n := range asked() {
		if n -= before[path]; n > 1 && (s.pages[path] != nil || path == "/robots.txt" || strings.HasPrefix(path, "/sitemap")) {
			twice += n - 1
		}
	}
	if twice > kills*mostAtOnce {
		t.Errorf("%d requests were made twice, though at most %d were under way", twice, kills*mostAtOnce)
	}
}

// TestFindings holds that each check names every planted fault and nothing else.
func TestFindings(t *testing.T) {
	s := makeSite(*pagesOfSite)
	base, asked := serveSite(t, s)
	s.base = base
	began := time.Now()
	c := crawlSite(t, Options{MaxPages: 20_000}, base+"/")
	took := time.Since(began)
	named := map[string][]string{}
	findings := c.Findings()
	for issue := range findings.Issues() {
		path := strings.TrimPrefix(issue.URL, base)
		named[issue.Check] = append(named[issue.Check], path)
		if issue.Count < len(issue.Evidence) {
			t.Errorf("%s of %s: %d pieces of evidence of %d", issue.Check, path, len(issue.Evidence), issue.Count)
		}
	}
	for _, check := range audit.SiteChecks() {
		want := s.want(check.ID)
		if len(want) == 0 {
			t.Errorf("no fault was planted for %s", check.ID)
		}
		slices.Sort(named[check.ID])
		for _, path := range want {
			if !slices.Contains(named[check.ID], path) {
				t.Errorf("%s does not name %s", check.ID, path)
			}
		}
		for _, path := range named[check.ID] {
			if !slices.Contains(want, path) {
				t.Errorf("%s names %s", check.ID, path)
			}
		}
	}
	holdsRequests(t, s, asked())
	sum := findings.Summary()
	holdsRecognised(t, sum.Why)
	if sum.Score == nil || sum.Why == "" {
		t.Errorf("the site has no score: %+v", sum)
	}
	t.Logf("%d pages in %v; %s %v", sum.Pages, took.Round(time.Millisecond), sum.Why, sum.Limits)
	if *pagesOfSite > 1000 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		status, _ := os.ReadFile("/proc/self/status")
		t.Logf("heap %d MB; %s", m.HeapAlloc>>20, linesWith(string(status), "VmHWM"))
	}
}

func linesWith(text, name string) (found string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			found += strings.TrimSpace(line)
		}
	}
	return found
}

// holdsRequests holds what a crawl asks for: nothing that nobody links or lists beside the requests to the site, nothing that is forbidden,
// and nothing twice.
func holdsRequests(t *testing.T, s *madeSite, asked map[string]int) {
	t.Helper()
	usual := []string{"/robots.txt", "/sitemap-index.xml", "/sitemap-1.xml", "/llms.txt", "/AGENTS.md", "/favicon.ico"}
	for path, n := range asked {
		known := s.pages[path] != nil || s.other[path] != nil || strings.HasPrefix(path, "/calendar") || slices.Contains(usual, path) ||
			strings.HasPrefix(path, "/.well-known/") || path == "/x.png"
		if !known && len(path) != len("/")+24 { // the address that does not exist
			t.Errorf("%s was asked for", path)
		}
		if strings.HasPrefix(path, "/forbidden/") {
			t.Errorf("%s is forbidden", path)
		}
		if n > 1 && path != "/x.png" && path != "/favicon.ico" && path != "/hung" {
			t.Errorf("%s was asked for %d times", path, n)
		}
	}
}
