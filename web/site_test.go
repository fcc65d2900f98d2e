package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// site is a local site for audits to fetch.
type site struct {
	*httptest.Server
	gate  chan struct{} // what /slow waits for
	later chan struct{} // what /later and /latest wait for
	good  atomic.Bool   // /changing is a good page, and otherwise a bad one
}

// hostile is what an audited page may say to break out of a report of it.
const hostile = `"><script>document.title='broken'</script><img src=x onerror=document.title='broken'>'</title></script>{{.}}`

// newSite serves a page at every path but those below.
func newSite(t testing.TB) *site {
	s := &site{gate: make(chan struct{}), later: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("/", s.page)
	for path, gate := range map[string]chan struct{}{"/slow": s.gate, "/later": s.later, "/latest": s.later} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-gate:
			case <-r.Context().Done():
			}
			s.page(w, r)
		})
	}
	mux.Handle("/moved", http.RedirectHandler("/bread", http.StatusMovedPermanently))
	mux.HandleFunc("/hostile/", sendHostile)
	mux.HandleFunc("/changing", func(w http.ResponseWriter, r *http.Request) {
		if s.good.Load() {
			s.page(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><html><head></head><body><p>Hardly anything.</p><a href="/order">click here</a></body></html>`)
	})
	mux.HandleFunc("/sitemap.xml", s.sitemap)
	mux.HandleFunc("/image", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("\x89PNG\r\n\x1a\n"))
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// page is an ordinary page with faults of every severity.
func (s *site) page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The bakery on the corner: bread, rolls and cake</title>
<meta name="viewport" content="width=device-width"><meta name="description" content="Bread from our own oven, rolls from six in the morning and cake on Sundays. Come in, or order until noon and fetch it on your way home."></head>
<body><main><h1>Bread from our own oven</h1><p>%s</p><p><a href="/order">Order</a>, see the <a href="/cake">click here</a> page, or write to baker@example.com.</p>
<img src="/image"><img src="/image?2" alt=""></main></body></html>`, strings.Repeat("We bake every morning, and the whole street smells of it. ", 30))
}

func sendHostile(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(hostile)
	fmt.Fprintf(w, `<!doctype html><title>%[1]s</title><meta name="description" content="%[1]s"><meta property="og:title" content="%[1]s">
<meta property="og:image" content="javascript:document.title='broken'"><h1>%[1]s</h1><a href="javascript:document.title='broken'" onclick="x()">%[1]s</a>
<img src="javascript:document.title='broken'" class="%[1]s"><img src="data:text/html,%[1]s"><div id="%[1]s"></div><div id="%[1]s"></div><marquee>%[1]s</marquee>`, escaped)
}

func (s *site) sitemap(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>%[1]s/one</loc></url><url><loc>%[1]s/two</loc></url><url><loc>%[1]s/three</loc></url></urlset>`, s.URL)
}
