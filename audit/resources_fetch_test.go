package audit

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"sitegrade/fetch"
	"sitegrade/weburl"
)

// kindsAndPaths names resources for comparison.
func kindsAndPaths(resources []resource) []string {
	var names []string
	for i := range resources {
		names = append(names, fmt.Sprintf("%d %s", resources[i].kind, resources[i].URL.Path()))
	}
	return names
}

const samplePage = `<!doctype html>
<link rel=stylesheet href=/a.css><link rel=stylesheet href=/gone.css>
<link rel=canonical href="http://HOST/canonical"><link rel=alternate hreflang=de href="http://HOST/de">
<script src=/a.js></script><script type="application/json" src=/data></script>
<img src=/i.png><img src=data:,x><img src=/i.png#again>
<a href=/next>next</a><a href=/private/x>private</a><a href=#top>top</a><a href=http://127.0.0.2:1/>elsewhere</a>
<a href=mailto:a@b.c>mail</a><a href=/canonical>canonical</a><a href=/refuses-head>r</a><a href=/moved>m</a>`

func serveSamples(v *visits) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v.note(r)
		switch r.URL.Path {
		case "/":
			servePage(w, strings.ReplaceAll(samplePage, "HOST", r.Host))
		case "/robots.txt":
			w.Write([]byte("User-agent: sitegrade\nDisallow: /private\n"))
		case "/a.css", "/a.js":
			w.Write([]byte("body{}"))
		case "/de":
			w.Header().Set("Content-Type", "text/html; charset=utf-16le")
			w.Write([]byte("<\x00b\x00>\x00"))
		case "/canonical", "/next", "/i.png":
			w.Header().Set("Content-Length", "1234567")
			if r.Method == http.MethodGet {
				w.Write(make([]byte, 1234567))
			}
		case "/moved":
			http.Redirect(w, r, "/next", http.StatusFound)
		case "/refuses-head":
			if r.Method == http.MethodHead {
				w.WriteHeader(http.StatusMethodNotAllowed)
			}
		default:
			http.NotFound(w, r)
		}
	}
}

func TestSamples(t *testing.T) {
	var v visits
	s := serve(t, serveSamples(&v))
	host := strings.TrimPrefix(s.URL, "http://")
	f := gatherAt(t, newAuditor(t, Options{}), s.URL+"/")
	want := []string{
		"0 /a.css", "0 /gone.css", "1 /a.js", "2 /i.png", "3 /next", "3 /canonical", "3 /refuses-head", "3 /next", "5 /canonical", "6 /de",
	}
	if got := kindsAndPaths(f.resources); !slices.Equal(got, want) {
		t.Fatalf("sampled %v, want %v", got, want)
	}
	r := f.resources
	if string(r[0].Body) != "body{}" || r[0].truncated || r[1].Status != 404 || r[1].evidence.Line != 2 || r[1].evidence.URL != s.URL+"/gone.css" {
		t.Errorf("stylesheets: %+v, %+v", r[0], r[1])
	}
	if image := &r[3]; !image.truncated || image.weight() != 1234567 || image.Body != nil {
		t.Errorf("the image: status %d, %d bytes", image.Status, image.weight())
	}
	if r[6].Status != 200 || len(r[7].Redirects) != 1 || r[7].Redirects[0] != s.URL+"/moved" {
		t.Errorf("links: %+v, %+v", r[6], r[7])
	}
	if page := r[8]; int64(len(page.Body)) != headRead || !page.truncated || string(r[9].Body) != "<b>" {
		t.Errorf("canonical target: %d bytes, alternate %q", len(page.Body), r[9].Body)
	}
	for what, n := range map[string]int{
		"GET " + host + "/canonical": 1, "HEAD " + host + "/canonical": 0, "HEAD " + host + "/i.png": 1, "GET " + host + "/i.png": 0,
		"HEAD " + host + "/private/x": 0, "HEAD " + host + "/refuses-head": 1, "GET " + host + "/refuses-head": 1, "GET " + host + "/": 5, // itself, as another site asks, as two agents do, and as Markdown
	} {
		if got := v.of(what); got != n {
			t.Errorf("%s: asked %d times, want %d", what, got, n)
		}
	}
}

func TestExternalSamples(t *testing.T) {
	var v visits
	s := serve(t, serveSamples(&v))
	f := gatherAt(t, newAuditor(t, Options{CheckExternal: true}), s.URL+"/")
	external := f.sampled(externalLink)
	if len(external) != 1 || external[0].Failure == nil || external[0].Failure.Code != fetch.CodeUnreachable {
		t.Errorf("external links: %+v", external)
	}
}

// Each kind gets its share of the limit, in an order that depends on the page alone.
func TestSampleLimit(t *testing.T) {
	var page strings.Builder
	for i := range 100 {
		fmt.Fprintf(&page, "<img src=/i%d><a href=/l%d>x</a>", i, i)
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { servePage(w, "<script src=/s></script>"+page.String()) })
	a := newAuditor(t, Options{Samples: 7})
	want := []string{"1 /s", "2 /i0", "2 /i1", "2 /i2", "3 /l0", "3 /l1", "3 /l2"}
	for range 3 {
		if got := kindsAndPaths(gatherAt(t, a, s.URL).resources); !slices.Equal(got, want) {
			t.Errorf("sampled %v, want %v", got, want)
		}
	}
	if got := gatherAt(t, newAuditor(t, Options{Samples: -1}), s.URL).resources; len(got) != 0 {
		t.Errorf("sampled %d without samples", len(got))
	}
}

// Samples, site requests and documents of several audits of one host count together.
func TestConnectionsPerHost(t *testing.T) {
	var now, most atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		defer now.Add(-1)
		page := ""
		for i := range 40 {
			page += fmt.Sprintf("<a href=/%d>x</a>", i)
		}
		servePage(w, page)
	})
	a := newAuditor(t, Options{})
	var audits sync.WaitGroup
	for range 4 {
		audits.Go(func() {
			if _, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL)); err != nil {
				t.Error(err)
			}
		})
	}
	audits.Wait()
	if most.Load() > 2 {
		t.Errorf("%d requests at once", most.Load())
	}
}

// A report of the same page is the same report, timings aside.
func TestAuditRepeats(t *testing.T) {
	var v visits
	s := serve(t, serveSamples(&v))
	a := newAuditor(t, Options{})
	var first string
	for range 3 {
		report, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL+"/"))
		if err != nil {
			t.Fatal(err)
		}
		report.Timings, report.GeneratedAt = Timings{}, report.GeneratedAt.AddDate(-report.GeneratedAt.Year(), 0, 0)
		for i := range report.Checks {
			if id := report.Checks[i].ID; id == "ttfb" || id == "load-time" {
				report.Checks[i].Detail, report.Checks[i].Said.Args = "", nil // they tell milliseconds
			}
		}
		got := fmt.Sprintf("%+v", report.Checks)
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("the report differs:\n%s\n%s", first, got)
		}
	}
}
