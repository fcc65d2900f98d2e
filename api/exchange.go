package api

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"sitegrade/auth"
	"sitegrade/db"
)

// exchange is one request and its answer. It is the ResponseWriter that the router hands on.
type exchange struct {
	http.ResponseWriter
	r      *http.Request
	params httprouter.Params
	route  string // the path of the route, for the log; "" when there is none
	id     string // of the request
	base   string // what links begin with
	client netip.Addr
	key    auth.Key // zero until the request is authenticated
	status int      // of the answer; 0 before it
}

// always are headers of every answer. Their values are shared, and so never changed in place.
var always = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	"Cache-Control":           {"no-store"},
}

// newExchange sets what every answer has.
func (a *API) newExchange(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{ResponseWriter: w, r: r}
	x.base, x.client, x.id = a.Origin(r)
	h := w.Header()
	h.Set("X-Request-Id", x.id)
	for name, value := range always {
		h[name] = value
	}
	return x
}

// known reports whether the request came with a key that is good.
func (x *exchange) known() bool { return x.key.ID != uuid.Nil }

// Unwrap lets http.ResponseController reach the connection.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// WriteHeader remembers the status for the log.
func (x *exchange) WriteHeader(status int) {
	x.status = status
	x.ResponseWriter.WriteHeader(status)
}

// statusClientGone is what the log and the metrics call an answer that nobody waited for. Of the registered statuses none says that; this
// one is nginx's.
const statusClientGone = 499

// outcome returns the status for the log and the metrics. A request that ends because its client has gone is no fault of the server, while one
// that the server breaks off, as it ends, has another cause (context.Cause).
func (x *exchange) outcome() int {
	if x.status == http.StatusServiceUnavailable && context.Cause(x.r.Context()) == context.Canceled {
		return statusClientGone
	}
	return x.status
}

// send writes an answer with a body, which a HEAD request does not get.
func (x *exchange) send(status int, mediaType string, body []byte) {
	h := x.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	x.WriteHeader(status)
	if x.r.Method != http.MethodHead {
		_, _ = x.Write(body) // a client that is gone cannot be told
	}
}

const jsonType = "application/json"

func (x *exchange) sendJSON(status int, body []byte) { x.send(status, jsonType, body) }

// param returns a part of the path, decoded. What cannot be decoded names nothing.
func (x *exchange) param(name string) (string, error) {
	value, err := url.PathUnescape(x.params.ByName(name))
	if err != nil {
		return "", db.ErrNotFound
	}
	return value, nil
}

// reportID returns the report that the path names. What is no id, in its usual spelling, names no report.
func (x *exchange) reportID() (uuid.UUID, error) {
	text, err := x.param("id")
	if err != nil {
		return uuid.Nil, err
	}
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return uuid.Nil, db.ErrNotFound
	}
	return id, nil
}
