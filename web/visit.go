package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"sitegrade/auth"
	"sitegrade/db"
)

// visit is one request and its answer. It is the ResponseWriter that the router hands on.
type visit struct {
	http.ResponseWriter
	r       *http.Request
	params  httprouter.Params
	route   string // the path of the route, for the log; "" when there is none
	id      string // of the request
	base    string // what links to this server begin with
	client  netip.Addr
	key     auth.Key   // zero unless the visitor is signed in
	session session    // likewise
	posted  url.Values // the form of a signed-in visitor, read already
	status  int        // of the answer; 0 before it
}

// policy is what a page may load and do: nothing but what this server gives it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// statusClientGone is what the log and the metrics call an answer that nobody waited for. Of the registered statuses none says that; this
// one is nginx's.
const statusClientGone = 499

// outcome returns the status for the log and the metrics. A request that ends because its client has gone is no fault of the server, while one
// that the server breaks off, as it ends, has another cause (context.Cause).
func (v *visit) outcome() int {
	if v.status == http.StatusServiceUnavailable && context.Cause(v.r.Context()) == context.Canceled {
		return statusClientGone
	}
	return v.status
}

// newVisit sets what every answer has.
func (w *Web) newVisit(rw http.ResponseWriter, r *http.Request) *visit {
	v := &visit{ResponseWriter: rw, r: r}
	v.base, v.client, v.id = w.Origin(r)
	h := rw.Header()
	h.Set("X-Request-Id", v.id)
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // not no-referrer, with which browsers send forms without their origin
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	if v.secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	return v
}

// Unwrap lets http.ResponseController reach the connection.
func (v *visit) Unwrap() http.ResponseWriter { return v.ResponseWriter }

// WriteHeader remembers the status for the log.
func (v *visit) WriteHeader(status int) {
	v.status = status
	v.ResponseWriter.WriteHeader(status)
}

// signedIn reports whether the visitor came with a session whose key is good.
func (v *visit) signedIn() bool { return v.key.ID != uuid.Nil }

// mayChange reports whether the visitor may use what changes something.
func (v *visit) mayChange() bool { return v.key.Scopes.Has(auth.Read | auth.Write) }

// secure reports whether people reach the server by https.
func (v *visit) secure() bool { return strings.HasPrefix(v.base, "https:") }

// send writes an answer with a body, which a HEAD request does not get.
func (v *visit) send(status int, mediaType string, body []byte) {
	h := v.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	v.WriteHeader(status)
	if v.r.Method != http.MethodHead {
		_, _ = v.Write(body) // a client that is gone cannot be told
	}
}

// see sends the browser to another page of this server, which it gets with GET.
func (v *visit) see(path string) error {
	v.Header().Set("Location", path)
	v.WriteHeader(http.StatusSeeOther)
	return nil
}

// pathID returns the id in the path. What is none names nothing.
func (v *visit) pathID() (uuid.UUID, error) {
	text := v.params.ByName("id")
	id, err := uuid.Parse(text)
	if err != nil || id.String() != text {
		return uuid.Nil, db.ErrNotFound
	}
	return id, nil
}

// maxForm is how many bytes a form may have: room for maxCreated long addresses.
const maxForm = 1 << 20

// form returns the fields of a posted form, each at most once.
func (v *visit) form() (url.Values, error) {
	if media, _, _ := strings.Cut(v.r.Header.Get("Content-Type"), ";"); strings.TrimSpace(strings.ToLower(media)) != "application/x-www-form-urlencoded" {
		return nil, notForm
	}
	body, err := io.ReadAll(http.MaxBytesReader(v.ResponseWriter, v.r.Body, maxForm))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return nil, formTooLarge
	} else if err != nil {
		return nil, malformedForm
	}
	fields, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, malformedForm
	}
	for _, values := range fields {
		if len(values) > 1 {
			return nil, malformedForm
		}
	}
	return fields, nil
}
