// Package web serves the pages that people look at: the shared page of a report, the dashboard behind an API key, and the
// documentation of the API.
//
// Everything is rendered on the server, from templates and assets inside the binary; a page needs nothing from elsewhere, and
// nothing on it needs a script. The routes stand in one table (routes.go). A handler returns what goes wrong as an error, which
// one function turns into a page (failure.go).
package web

import (
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/julienschmidt/httprouter"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/httpx"
	"sitegrade/web/assets"
	"sitegrade/web/guess"
	"sitegrade/web/manual"
	"sitegrade/web/session"
	"sitegrade/web/templates"
	"sitegrade/worker"
)

// Options say how the pages behave. The zero value of a field means what its comment says.
type Options struct {
	// Origins finds out where requests came from, and what links begin with; the zero value believes the connection alone.
	Origins httpx.Origins
	// Limits are how much may be done with each key, best the API's own, so that a session is no way around them; nil: no limit.
	Limits *httpx.Limits
	// Secret is what cookies are signed with: sessions and opened reports last as long as it stays the same. 32 random bytes; nil: some of
	// this process alone.
	Secret []byte
	// IndexShared lets search engines list public reports; false: every page but the documentation says noindex.
	IndexShared bool
	// Auditor fetches the sitemaps that reports are made from; nil: they are not offered.
	Auditor *audit.Auditor
	// CheckWebhook says in a sentence why nothing can be sent to a webhook, as that of api.Options; nil: that is not asked.
	CheckWebhook func(db.Webhook) error
	// OpenAPI is the description that the documentation is made from ((*api.API).Description); nil: there is no documentation.
	OpenAPI []byte
	// Tools is the path of the tools that agents call, which the documentation tells of; "": there are none.
	Tools string
	// Observe is told of every response, as that of httpx.Options; nil: nobody.
	Observe func(route, method string, status int, took time.Duration)
	Log     *slog.Logger     // one line a request; nil: no log
	Now     func() time.Time // time.Now
}

// Web is the handler of every page outside the API.
type Web struct {
	Options
	store    db.Store
	worker   *worker.Worker
	router   *httprouter.Router
	handler  http.Handler // what the server calls: the router with what lies around it
	pages    *templates.Set
	assets   assets.Files
	foreign  *http.CrossOriginProtection
	sessions session.Sessions
	unlocks  unlocks
	guesses  *guess.Limits
	forms    *httpx.Window         // what visitors post into forms
	streams  chan struct{}         // has an element for each stream of events that is open
	docs     func() *manual.Manual // reads the description when somebody first wants it; nil without one
}

// New returns the pages over a database and the worker that makes its reports.
func New(store db.Store, w *worker.Worker, o Options) *Web {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	secret := session.NewSigner(o.Secret)
	web := &Web{
		Options: o, store: store, worker: w,
		assets:   assets.Load(),
		foreign:  crossOriginProtection(o.Origins.BaseURL),
		sessions: session.New(secret), unlocks: unlocks{secret}, guesses: guess.New(store), forms: httpx.NewWindow(formPosts, formPeriod, store.Servers),
		streams: make(chan struct{}, maxStreams),
	}
	web.pages = templates.NewSet(web.assets)
	if o.OpenAPI != nil {
		web.docs = sync.OnceValue(func() *manual.Manual { return manual.Read(o.OpenAPI) })
	}
	web.router = web.newRouter()
	web.handler = httpx.Handler(web.router, httpx.Options{Origins: o.Origins, Observe: o.Observe, Log: o.Log, Panicked: web.panicked})
	return web
}

// crossOriginProtection refuses writes that another site's page makes a browser send. Behind a proxy that changes the Host, the
// configured address is this site too.
func crossOriginProtection(baseURL string) *http.CrossOriginProtection {
	p := http.NewCrossOriginProtection()
	if u, err := url.Parse(baseURL); err == nil && u.Host != "" {
		_ = p.AddTrustedOrigin(u.Scheme + "://" + u.Host) // an origin made of its parts is one
	}
	return p
}

// ServeHTTP serves one request and logs it, by its route: the address of a shared page is a secret of those who know it.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) { w.handler.ServeHTTP(rw, r) }
