// Package web serves the pages that people look at: the shared page of a report, the dashboard behind an API key, and the
// documentation of the API.
//
// Everything is rendered on the server, from templates and assets inside the binary; a page needs nothing from elsewhere, and
// nothing on it needs a script. The routes stand in one table (routes.go). A handler returns what goes wrong as an error, which
// one function turns into a page (failure.go).
package web

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/julienschmidt/httprouter"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/worker"
)

// Options say how the pages behave. The zero value of a field means what its comment says.
type Options struct {
	// BaseURL is where people reach the server, such as https://seo.example.com; "": the host that each request names.
	BaseURL string
	// Origin tells where a request came from ((*api.API).Origin): what links begin with, the client's address, and what the log
	// calls the request. nil: what the connection itself says.
	Origin func(*http.Request) (base string, client netip.Addr, requestID string)
	// IndexShared lets search engines list public reports; false: every page but the documentation says noindex.
	IndexShared bool
	// Auditor fetches the sitemaps that reports are made from; nil: they are not offered.
	Auditor *audit.Auditor
	// OpenAPI is the description that the documentation is made from ((*api.API).Description); nil: there is no documentation.
	OpenAPI []byte
	// Observe is told of every answer, as that of api.Options; nil: nobody.
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
	pages    pages
	assets   assets
	foreign  *http.CrossOriginProtection
	sessions *sessions
	unlocks  unlocks
	guesses  *guesses
	streams  chan struct{} // has an element for each stream of events that is open
	docs     *manual       // nil without a description
}

// New returns the pages over a database and the worker that makes its reports.
func New(store db.Store, w *worker.Worker, o Options) *Web {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Origin == nil {
		o.Origin = ownOrigin
	}
	web := &Web{
		Options: o, store: store, worker: w,
		assets:   loadAssets(),
		foreign:  crossOriginProtection(o.BaseURL),
		sessions: newSessions(), unlocks: newUnlocks(), guesses: newGuesses(),
		streams: make(chan struct{}, maxStreams),
	}
	web.pages = loadPages(web.assets)
	if o.OpenAPI != nil {
		web.docs = readManual(o.OpenAPI)
	}
	web.router = web.newRouter()
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

// ownOrigin is the origin of a request of which nothing is known but its connection.
func ownOrigin(r *http.Request) (base string, client netip.Addr, requestID string) {
	base = "http://" + r.Host
	if r.TLS != nil {
		base = "https://" + r.Host
	}
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		client, _ = netip.ParseAddr(host)
	}
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return base, client.Unmap(), hex.EncodeToString(id[:])
}

// ServeHTTP answers one request and logs it, by its route: the address of a shared page is a secret of those who know it.
func (w *Web) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	began := time.Now()
	v := w.newVisit(rw, r)
	w.router.ServeHTTP(v, r)
	took := time.Since(began)
	w.logRequest(v, took)
	if w.Observe != nil {
		w.Observe(v.route, r.Method, v.outcome(), took)
	}
}

func (w *Web) logRequest(v *visit, took time.Duration) {
	level, status := slog.LevelInfo, v.outcome()
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	fields := []slog.Attr{
		slog.String("method", v.r.Method), slog.String("route", v.route), slog.Int("status", status),
		slog.Duration("duration", took), slog.String("request_id", v.id), slog.String("client", v.client.String()),
	}
	if v.signedIn() {
		fields = append(fields, slog.String("key_id", v.key.ID.String()))
	}
	w.Log.LogAttrs(v.r.Context(), level, "request", fields...)
}

// panicked answers a request whose handler panicked, if nothing was answered yet. An answer that was broken off on purpose stays so.
func (w *Web) panicked(rw http.ResponseWriter, _ *http.Request, cause any) {
	if cause == http.ErrAbortHandler {
		panic(cause)
	}
	v := rw.(*visit)
	w.Log.Error("panic", slog.Any("cause", cause), slog.String("request_id", v.id), slog.String("stack", string(debug.Stack())))
	if v.status == 0 {
		w.sendFailure(v, internal(v.id))
	}
}
