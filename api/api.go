// Package api answers version 1 of the HTTP API: it turns requests into calls of the database and the worker, and what those
// give into JSON. It is the only package that knows the API's statuses and problem documents.
//
// The routes stand in one table (routes.go). A handler reads the request, makes one call and writes the answer; what goes wrong
// it returns as an error, which one function turns into a problem document (problem.go).
package api

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"

	"sitegrade/db"
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
	// BaseURL is what links begin with, such as https://seo.example.com; "": the scheme and host of each request.
	BaseURL string
	// TrustedProxies are the networks whose forwarded headers and request ids are believed; none.
	TrustedProxies []netip.Prefix
	// Wait is how long a create waits for its report when the request does not say; 0: DefaultWait; negative: not at all.
	Wait time.Duration
	// RateLimit is how many requests a second each key may make, with bursts of twice as many; 0: no limit.
	RateLimit float64
	// Origins are the origins whose scripts may use the API, such as https://app.example.com, or "*" for all; none.
	Origins []string
	// Forbidden says whether an address names a machine that the auditor will not contact ((*audit.Auditor).Forbidden): a create is
	// refused at once then. nil: the audit finds out.
	Forbidden func(address string) bool
	// Observe is told of every answer: the path of its route, as "/api/v1/reports/:id" or "" where there is none; the method; the status;
	// and how long it took. nil: nobody.
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
	limits  *limits
	usage   *usage
	flights *flights
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
	o.BaseURL = strings.TrimRight(o.BaseURL, "/")
	a := &API{
		Options: o, store: store, worker: w,
		limits: newLimits(o.RateLimit), usage: newUsage(store, o.Log), flights: newFlights(),
	}
	a.openapi = a.describe()
	a.router = a.newRouter()
	return a
}

// Close stores what is still in memory: the last uses of keys.
func (a *API) Close(ctx context.Context) error { return a.usage.close(ctx) }

// ServeHTTP answers one request and logs it. Paths are matched as they are spelt, so that an encoded slash is no slash.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	x := a.newExchange(w, r)
	a.allowOrigin(x)
	a.router.ServeHTTP(x, asSpelt(r))
	took := time.Since(began)
	a.logRequest(x, took)
	if a.Observe != nil {
		a.Observe(x.route, r.Method, x.outcome(), took)
	}
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

func (a *API) logRequest(x *exchange, took time.Duration) {
	level, status := slog.LevelInfo, x.outcome()
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	if !a.Log.Enabled(x.r.Context(), level) {
		return
	}
	fields := []slog.Attr{
		slog.String("method", x.r.Method), slog.String("route", x.route), slog.Int("status", status),
		slog.Duration("duration", took), slog.String("request_id", x.id), slog.String("client", x.client.String()),
	}
	if x.known() {
		fields = append(fields, slog.String("key_id", x.key.ID.String()))
	}
	a.Log.LogAttrs(x.r.Context(), level, "request", fields...)
}

// panicked answers a request whose handler panicked, if nothing was answered yet.
func (a *API) panicked(w http.ResponseWriter, _ *http.Request, cause any) {
	x := w.(*exchange)
	a.Log.Error("panic", slog.Any("cause", cause), slog.String("request_id", x.id), slog.String("stack", string(debug.Stack())))
	if x.status == 0 {
		x.sendProblem(internal)
	}
}

// newRequestID returns 128 random bits.
func newRequestID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return hex.EncodeToString(id[:])
}
