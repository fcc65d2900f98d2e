package audit

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"

	"sitegrade/weburl"
)

// seriesSite is a site of pages that load the same and one thing of their own, and note what is asked for.
type seriesSite struct {
	mu      sync.Mutex
	asked   map[string]int  // by method and path
	secrets map[string]bool // the header of the staging site, by host and path
	other   string          // the base of another site
}

func (s *seriesSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.Method+" "+r.URL.Path]++
	s.secrets[r.Host+r.URL.Path] = r.Header.Get("X-Staging") == "secret"
	s.mu.Unlock()
	switch {
	case strings.HasPrefix(r.URL.Path, "/page"):
		servePage(w, `<!doctype html><title>T</title><link rel=stylesheet href=/style.css><link rel=canonical href=/page/canonical>
<script src=/private/app.js></script><img src="`+s.other+`/picture.png"><a href=/page/2>two</a><a href=/old>old</a>`)
	case r.URL.Path == "/old":
		http.Redirect(w, r, "/page/3", http.StatusFound)
	case r.URL.Path == "/style.css":
		w.Header().Set("Content-Type", "text/css")
		w.Write([]byte("p{color:red}"))
	case r.URL.Path == "/robots.txt":
		w.Write([]byte("User-agent: *\nDisallow: /private/\n"))
	case r.URL.Path == "/guarded":
		w.Header().Set("Cf-Mitigated", "challenge")
		w.WriteHeader(http.StatusForbidden)
	case r.URL.Path == "/forbidden":
		http.Error(w, "Members alone. We use reCAPTCHA.", http.StatusForbidden)
	default:
		http.NotFound(w, r)
	}
}

func newSeriesSite(t *testing.T) (*seriesSite, *httptest.Server) {
	t.Helper()
	s := &seriesSite{asked: map[string]int{}, secrets: map[string]bool{}}
	other := serve(t, s.ServeHTTP)
	s.other = strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	return s, serve(t, s.ServeHTTP)
}

func TestSeriesAsksOnce(t *testing.T) {
	site, server := newSeriesSite(t)
	start := weburl.Resolve(nil, server.URL+"/page")
	s := newAuditor(t, Options{}).NewSeries(start, http.Header{"X-Staging": {"secret"}})
	if _, err := s.Robots(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	reports := map[string]*Report{}
	var all sync.WaitGroup
	var mu sync.Mutex
	visit := func(path string) {
		seen, err := s.Visit(t.Context(), weburl.Resolve(start, path))
		if err != nil || seen.Report == nil || seen.Canonical == nil || len(seen.Document.Hyperlinks()) != 2 {
			t.Errorf("%s: %+v, %v", path, seen, err)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		reports[path] = seen.Report
	}
	visit("/page") // has the requests to the site made
	for _, path := range []string{"/page/2", "/page/3", "/page/4"} {
		all.Go(func() { visit(path) })
	}
	all.Wait()
	for what, want := range map[string]int{
		"GET /robots.txt": 1, "GET /style.css": 1, "HEAD /favicon.ico": 1, "GET /llms.txt": 1, "GET /page/2": 1, "HEAD /page/2": 0,
		"GET /old": 0, "HEAD /old": 0, "GET /page/canonical": 0, "GET /private/app.js": 0, "HEAD /picture.png": 1,
	} {
		if got := site.asked[what]; got != want {
			t.Errorf("%s was asked for %d times, want %d", what, got, want)
		}
	}
	for _, r := range reports {
		for _, o := range r.Checks {
			switch o.ID {
			case "broken-links", "canonical-target", "links-to-redirect":
				if o.Status != NotApplicable {
					t.Errorf("%s of %s: %s", o.ID, r.URL, o.Detail)
				}
			case "soft-404":
				if o.Status != Passed {
					t.Errorf("%s of %s: %s", o.ID, r.URL, o.Detail)
				}
			}
		}
	}
	for place, sent := range site.secrets {
		if inside := strings.HasPrefix(place, start.Host()); inside != sent {
			t.Errorf("%s got the header of the site: %v", place, sent)
		}
	}
}

func TestSeriesVisits(t *testing.T) {
	_, server := newSeriesSite(t)
	start := weburl.Resolve(nil, server.URL+"/page")
	s := newAuditor(t, Options{SiteRequests: -1}).NewSeries(start, nil)
	for path, want := range map[string]struct {
		status    int
		location  string
		challenge bool
	}{
		"/old":       {302, server.URL + "/page/3", false},
		"/guarded":   {403, "", true},
		"/forbidden": {403, "", false},
		"/style.css": {200, "", false},
		"/nothing":   {404, "", false},
	} {
		seen, err := s.Visit(t.Context(), weburl.Resolve(start, path))
		if err != nil {
			t.Fatal(err)
		}
		location := ""
		if seen.Location != nil {
			location = seen.Location.String()
		}
		if seen.Status != want.status || location != want.location || seen.Challenge != want.challenge || seen.Report != nil || seen.Failure != nil {
			t.Errorf("%s: %+v", path, seen)
		}
	}
}

func TestSeriesHeader(t *testing.T) {
	s := newAuditor(t, Options{}).NewSeries(mustAddress(t, "https://example.com/"), http.Header{"X-Staging": {"secret"}})
	for address, want := range map[string]string{
		"https://example.com/a": "secret", "https://www.example.com/": "secret", "http://example.com/": "", "https://sub.example.com/": "",
		"https://example.com:8443/": "", "https://other.example/": "",
	} {
		if got := s.headerFor(mustAddress(t, address)).Get("X-Staging"); got != want {
			t.Errorf("%s gets %q", address, got)
		}
	}
	var alone *Series
	if alone.headerFor(mustAddress(t, "https://example.com/")) != nil {
		t.Error("an audit that is alone has a header")
	}
}

// TestRemindedSeries holds that a series which is told what an earlier one has asked for finds the same, and asks for nothing but pages.
func TestRemindedSeries(t *testing.T) {
	site, server := newSeriesSite(t)
	start := weburl.Resolve(nil, server.URL+"/page")
	var mu sync.Mutex
	var kept [][]byte
	run := func(s *Series, path string) *Report {
		s.Remember = func(text []byte) {
			mu.Lock()
			defer mu.Unlock()
			kept = append(kept, text)
		}
		if _, err := s.Robots(t.Context(), start); err != nil {
			t.Fatal(err)
		}
		seen, err := s.Visit(t.Context(), weburl.Resolve(start, path))
		if err != nil || seen.Report == nil {
			t.Fatalf("%s: %+v, %v", path, seen, err)
		}
		return seen.Report
	}
	first := newAuditor(t, Options{}).NewSeries(start, nil)
	run(first, "/page")
	want := run(first, "/page/2")
	site.mu.Lock()
	clear(site.asked)
	site.mu.Unlock()
	next := newAuditor(t, Options{}).NewSeries(start, nil)
	for _, text := range kept {
		if err := next.Remind(text); err != nil {
			t.Fatal(err)
		}
	}
	got := run(next, "/page/2")
	for i, o := range got.Checks {
		if o.ID == "ttfb" || o.ID == "load-time" {
			o.Detail, o.Said = want.Checks[i].Detail, want.Checks[i].Said // a response takes 0 or 1 ms
		}
		if o.Severity != Info && !reflect.DeepEqual(o, want.Checks[i]) {
			t.Errorf("%s: %+v, and without an interruption %+v", o.ID, o, want.Checks[i])
		}
	}
	if want := map[string]int{"GET /robots.txt": 1, "GET /page/2": 1}; !maps.Equal(site.asked, want) {
		t.Errorf("it asked for %v", site.asked)
	}
}
