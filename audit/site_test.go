package audit

import (
	"context"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sitegrade/fetch"
	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

// visits notes what a server is asked for.
type visits struct {
	mu    sync.Mutex
	asked []string // method and address, in order
}

func (v *visits) note(r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.asked = append(v.asked, r.Method+" "+r.Host+r.URL.String())
}

// of returns how often something was asked for.
func (v *visits) of(what string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := 0
	for _, asked := range v.asked {
		if asked == what {
			n++
		}
	}
	return n
}

// gatherAt returns the facts of a page.
func gatherAt(t *testing.T, a *Auditor, address string) *facts {
	t.Helper()
	return gatherAlone(t, a, allotTo(t, a), weburl.Resolve(nil, address))
}

func TestSite(t *testing.T) {
	var v visits
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		v.note(r)
		switch r.URL.Path {
		case "/a/page":
			servePage(w, `<link rel="shortcut icon" href=/missing.ico><link rel=canonical href="http://`+r.Host+`/a/page">`)
		case "/robots.txt":
			w.Write([]byte("User-agent: *\nDisallow: /private\nSitemap: http://" + r.Host + "/broken.xml\nSitemap: relative\nSitemap: http://" + r.Host + "/index.xml\n"))
		case "/index.xml":
			w.Write([]byte("<sitemapindex><sitemap><loc>http://" + r.Host + "/first.xml.gz</loc></sitemap></sitemapindex>"))
		case "/first.xml.gz":
			w.Header().Set("Content-Type", "application/gzip")
			w.Write(fetchtest.Encode(t, []byte("<urlset><url><loc>http://"+r.Host+"/a/page</loc></url></urlset>"), "gzip"))
		case "/favicon.ico":
			w.Write([]byte("icon"))
		case "/llms.txt":
			w.Write([]byte("# Site\n"))
		default:
			http.NotFound(w, r)
		}
	})
	f := gatherAt(t, newAuditor(t, Options{}), s.URL+"/a/page")
	if f.site.robots.Status != 200 || f.site.rules.Allowed("Sitegrade", weburl.Resolve(nil, s.URL+"/private")) {
		t.Errorf("robots.txt: %+v", f.site.robots)
	}
	var paths []string
	for i := range f.site.sitemaps {
		paths = append(paths, f.site.sitemaps[i].URL.Path())
	}
	if want := []string{"/broken.xml", "/index.xml", "/first.xml.gz"}; !slices.Equal(paths, want) {
		t.Fatalf("sitemaps: %v, want %v", paths, want)
	}
	if broken, first := f.site.sitemaps[0], f.site.sitemaps[2]; broken.found() || !broken.declared || !first.ListsPage || !first.inIndex || !first.found() {
		t.Errorf("sitemaps: %+v", f.site.sitemaps)
	}
	if f.site.notFound.Status != 404 || f.site.favicon.URL.Path() != "/favicon.ico" || f.site.favicon.Status != 200 || string(f.site.llms.Body) != "# Site\n" {
		t.Errorf("not found %d, icon %v, llms.txt %q", f.site.notFound.Status, f.site.favicon.URL, f.site.llms.Body)
	}
	if f.site.insecure != nil || f.site.otherHost != nil {
		t.Errorf("variants of %s: %+v, %+v", s.URL, f.site.insecure, f.site.otherHost)
	}
	again := gatherAt(t, newAuditor(t, Options{}), s.URL+"/a/page")
	if f.site.notFound.URL.String() != again.site.notFound.URL.String() {
		t.Errorf("a second audit asks for %s, not for %s", again.site.notFound.URL, f.site.notFound.URL)
	}
	if n := v.of("GET " + strings.TrimPrefix(s.URL, "http://") + "/robots.txt"); n != 2 {
		t.Errorf("two audits ask for robots.txt %d times", n)
	}
}

func TestSiteRequestsLimit(t *testing.T) {
	var v visits
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		v.note(r)
		servePage(w, "")
	})
	for limit, want := range map[int]int{-1: 1, 1: 2, 2: 3, 3: 4} {
		v.asked = nil
		gatherAt(t, newAuditor(t, Options{SiteRequests: limit}), s.URL)
		if len(v.asked) != want {
			t.Errorf("with a limit of %d: %v, want %d requests", limit, v.asked, want)
		}
	}
}

func TestVariants(t *testing.T) {
	var v visits
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		v.note(r)
		if host, ok := strings.CutPrefix(r.Host, "www."); ok {
			http.Redirect(w, r, "http://"+host+r.URL.Path, http.StatusMovedPermanently)
			return
		}
		servePage(w, "")
	})
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	names := fetchtest.Names(t, map[string]string{"site.example": "127.0.0.1", "www.site.example": "127.0.0.1"})
	a := newAuditorWith(t, fetch.Options{Resolver: names.Resolver()}, Options{})
	f := gatherAt(t, a, "http://site.example:"+port+"/page")
	variant := f.site.otherHost
	if variant == nil || variant.Failure != nil || variant.URL.String() != "http://site.example:"+port+"/page" || len(variant.Redirects) != 1 {
		t.Errorf("the variant with www.: %+v", variant)
	}
}

func TestOtherHost(t *testing.T) {
	tests := []struct{ host, want string }{
		{"example.com", "www.example.com"},
		{"www.example.com", "example.com"},
		{"www.example.com:8080", "example.com:8080"},
		{"example.co.uk", "www.example.co.uk"},
		{"blog.example.com", ""},
		{"www.blog.example.com", "blog.example.com"},
		{"localhost", ""},
		{"www.localhost", ""},
		{"192.0.2.1", ""},
		{"[2001:db8::1]:80", ""},
		{"co.uk", ""},
	}
	for _, test := range tests {
		if got := otherHost(weburl.Resolve(nil, "http://"+test.host+"/")); got != test.want {
			t.Errorf("the variant of %s is %q, want %q", test.host, got, test.want)
		}
	}
}

// A site that answers nothing but the page costs the report nothing but these facts.
func TestSiteThatHangs(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			servePage(w, "<script src=/x.js></script><a href=/y>y</a>")
			return
		}
		<-r.Context().Done()
	})
	a := newAuditor(t, Options{})
	own := allotTo(t, a)
	found, failure := a.fetchPage(own, weburl.Resolve(nil, s.URL+"/"))
	if failure != nil {
		t.Fatal(failure)
	}
	r := a.startRun(own, found, weburl.Resolve(nil, s.URL+"/"))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r.finish(ctx)
	site := r.facts.site
	for name, answer := range map[string]*fetch.Result{"robots": site.robots, "not found": site.notFound, "favicon": site.favicon, "llms": site.llms} {
		if answer == nil || answer.Failure == nil || answer.Failure.Code != fetch.CodeTimeout {
			t.Errorf("%s: %+v", name, answer)
		}
	}
	if len(site.sitemaps) != 1 || site.sitemaps[0].Failure == nil {
		t.Errorf("sitemaps: %+v", site.sitemaps)
	}
	if len(r.facts.resources) != 2 || r.facts.resources[0].Failure == nil || r.facts.resources[1].Failure == nil {
		t.Errorf("resources: %+v", r.facts.resources)
	}
	if report := grade(r.facts); report.Score == 0 {
		t.Errorf("the report: %+v", report.Summary)
	}
}

// TestForeignOrigin holds that a server which names whichever origin asks is seen through, and that what the document is asked for
// names none.
func TestForeignOrigin(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if origin := r.Header.Get("Origin"); origin != "" {
			w.Header().Set("Access-Control-Allow-Origin", origin)
			w.Header().Set("Access-Control-Allow-Credentials", "true")
		}
		servePage(w, "")
	})
	f := gatherAt(t, newAuditor(t, Options{}), s.URL)
	if f.response.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("the document was asked for with an Origin")
	}
	if got := checkCrossOriginAccess(f); got.status != Failed {
		t.Errorf("%s: %s", got.status, got.detail())
	}
}

func TestCookiesOfRedirects(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			w.Header().Set("Set-Cookie", "sessionid=a")
			http.Redirect(w, r, "/page", http.StatusFound)
			return
		}
		w.Header().Set("Set-Cookie", "b=c; Secure")
		servePage(w, "")
	})
	f := gatherAt(t, newAuditor(t, Options{SiteRequests: -1}), s.URL)
	if want := []string{"sessionid=a", "b=c; Secure"}; !slices.Equal(f.cookies, want) {
		t.Errorf("cookies %q, want %q", f.cookies, want)
	}
	if got := checkCookies(f); got.status != Failed {
		t.Errorf("%s: %s", got.status, got.detail())
	}
}
