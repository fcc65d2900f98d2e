// Package api serves version 1 of the HTTP API: it turns requests into calls of the database and the worker, and what those
// give into JSON. It is the only package that knows the API's statuses and problem documents.
//
// The routes stand in one table (routes.go). A handler reads the request, makes one call and writes the response; what goes wrong
// it returns as an error, which one function turns into a problem document (problem.go).
package api

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/julienschmidt/httprouter"

	"sitegrade/db"
	"sitegrade/httpx"
	"sitegrade/httpx/bearer"
	"sitegrade/weburl"
	"sitegrade/worker"
)

// Base is the path that every address of this version begins with.
const Base = "/api/v1"

// DefaultWait and MaxWait are how long a create waits for its report when nothing says otherwise, and how long it ever waits.
const (
	DefaultWait = 30 * time.Second
	MaxWait     = 60 * time.Second
)

// Options say how the API behaves. The zero value of a field means what its comment says.
type Options struct {
	// Origins finds out where requests came from, and what links begin with; the zero value believes the connection alone.
	Origins httpx.Origins
	// Wait is how long a create waits for its report when the request does not say; 0: DefaultWait; negative: not at all.
	Wait time.Duration
	// Limits are how many requests may be made with each key; nil: as many as anybody likes.
	Limits *httpx.Limits
	// CORSOrigins are the origins whose scripts may use the API, such as https://app.example.com, or "*" for all; none.
	CORSOrigins []string
	// Forbidden reports whether a URL names a machine that the auditor will not contact ((*audit.Auditor).Forbidden): a create is
	// refused at once then. nil: the audit finds out.
	Forbidden func(*weburl.URL) bool
	// CheckWebhook says in a sentence why there cannot be a webhook of that URL and format; nil: there can.
	CheckWebhook func(db.Webhook) error
	// Observe is told of every response, as that of httpx.Options; nil: nobody.
	Observe func(route, method string, status int, took time.Duration)
	Log     *slog.Logger     // one line a request; nil: no log
	Now     func() time.Time // time.Now
}

// API is the handler of everything below Base. Close it after the server has stopped.
type API struct {
	Options
	store   db.Store
	worker  *worker.Worker
	router  *httprouter.Router
	handler http.Handler // what the server calls: the router with what lies around it
	keys    *bearer.Keys
	openapi []byte
}

// New returns the API over a database and the worker that makes its reports.
func New(store db.Store, w *worker.Worker, o Options) *API {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == 0 {
		o.Wait = DefaultWait
	}
	o.Wait = min(max(o.Wait, 0), MaxWait)
	a := &API{
		Options: o, store: store, worker: w,
		keys: bearer.New(store, o.Log),
	}
	a.openapi = a.describe()
	a.router = a.newRouter()
	a.handler = httpx.Handler(http.HandlerFunc(a.serve), httpx.Options{
		Origins: o.Origins, Observe: o.Observe, Log: o.Log, Panicked: problemHandler(internal),
	})
	return a
}

// Close stores what is still in memory: the last uses of keys.
func (a *API) Close(ctx context.Context) error { return a.keys.Close(ctx) }

// ServeHTTP serves one request and logs it.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.handler.ServeHTTP(w, r) }

// serve sets what every response has, and hands the request to its route. Paths are matched as they are spelt, so that an encoded slash is
// no slash.
func (a *API) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	for name, value := range always {
		h[name] = value
	}
	a.allowOrigin(h, r)
	a.router.ServeHTTP(w, asSpelt(r))
}

// asSpelt returns the request with its path as it came over the wire, which the router then matches.
func asSpelt(r *http.Request) *http.Request {
	spelt := r.URL.EscapedPath()
	if spelt == r.URL.Path {
		return r
	}
	routed := *r
	address := *r.URL
	address.Path, address.RawPath = spelt, ""
	routed.URL = &address
	return &routed
}
