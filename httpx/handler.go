// Package httpx has what every HTTP interface of the server needs around its requests, whatever they ask for: it finds out where a
// request came from, gives it an id, keeps the status of its response, writes its line of the log and catches a panic.
//
// An interface wraps its handler with Handler. Below it, InfoOf returns what is known of the request, and the ResponseWriter is one like
// any other: whatever else it can do is reached through http.ResponseController, however many writers lie around it.
package httpx

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/google/uuid"
)

// Options say how Handler serves. The zero value of a field means what its comment says.
type Options struct {
	// Origins finds out where requests came from; the zero value believes the connection alone.
	Origins Origins
	// Observe is told of every response: the path of its route, such as "/api/v1/reports/:id", or "" where there is none; the method; the
	// status; and how long it took. nil: nobody.
	Observe func(route, method string, status int, took time.Duration)
	// Log gets one line a request, and what panicked; nil: no log.
	Log *slog.Logger
	// Panicked writes the response to a request whose handler panicked before it had begun its own; nil: 500 without a body.
	Panicked http.HandlerFunc
}

// Info is what is known of a request. The handler fills in Route and Key as soon as it knows them.
type Info struct {
	Origin
	// Route is the path under which the handler knows the request, with its parameters unfilled; "" where there is none. The log has it in
	// place of the path, which may hold secrets.
	Route string
	// Key is the id of the API key that the request was made with; zero for none that is good.
	Key    uuid.UUID
	status int // of the response; 0 before it
}

// StatusClientGone is what the log and the metrics call a response that nobody waited for. Of the registered statuses none says that; this
// one is nginx's.
const StatusClientGone = 499

type infoKey struct{}

// infoContext is a context in which what is known of the request is found without a search.
type infoContext struct {
	context.Context
	info *Info
}

// Value returns the Info for infoKey, and for all other keys what the context around it has.
func (c *infoContext) Value(key any) any {
	if key == (infoKey{}) {
		return c.info
	}
	return c.Context.Value(key)
}

// InfoOf returns what is known of a request that Handler serves, by its context. It panics with any other context.
func InfoOf(ctx context.Context) *Info { return ctx.Value(infoKey{}).(*Info) }

// Handler returns a handler around next.
func Handler(next http.Handler, o Options) http.Handler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Panicked == nil {
		o.Panicked = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	}
	return &handler{o, next}
}

type handler struct {
	Options
	next http.Handler
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	served := &response{ResponseWriter: w, info: Info{Origin: h.Origins.Of(r)}}
	w.Header().Set("X-Request-Id", served.info.ID)
	served.context = infoContext{r.Context(), &served.info}
	r = r.WithContext(&served.context)
	defer func() { h.tell(r, &served.info, time.Since(began)) }()
	defer h.catch(served, r)
	h.next.ServeHTTP(served, r)
}

// catch responds to a request whose handler panicked. A response that had begun is broken off, so that nobody takes it for a whole one.
func (h *handler) catch(served *response, r *http.Request) {
	cause := recover()
	switch {
	case cause == nil:
		return
	case cause == http.ErrAbortHandler:
		panic(cause)
	}
	h.Log.Error("panic", slog.Any("cause", cause), slog.String("request_id", served.info.ID), slog.String("stack", string(debug.Stack())))
	if served.info.status != 0 {
		panic(http.ErrAbortHandler)
	}
	h.Panicked(served, r)
}

// tell writes the line of the log, and tells Observe.
func (h *handler) tell(r *http.Request, info *Info, took time.Duration) {
	level, status := slog.LevelInfo, info.outcome(r.Context())
	if status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	if h.Log.Enabled(r.Context(), level) {
		fields := []slog.Attr{
			slog.String("method", r.Method), slog.String("route", info.Route), slog.Int("status", status),
			slog.Duration("duration", took), slog.String("request_id", info.ID), slog.String("client", info.Client.String()),
		}
		if info.Key != uuid.Nil {
			fields = append(fields, slog.String("key_id", info.Key.String()))
		}
		h.Log.LogAttrs(r.Context(), level, "request", fields...)
	}
	if h.Observe != nil {
		h.Observe(info.Route, r.Method, status, took)
	}
}

// outcome returns the status for the log and the metrics. A request that ends because its client has gone is no fault of the server, while
// one that the server breaks off, as it ends, has another cause (context.Cause).
func (i *Info) outcome(ctx context.Context) int {
	if i.status == http.StatusServiceUnavailable && context.Cause(ctx) == context.Canceled {
		return StatusClientGone
	}
	return i.status
}
