package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/httpx"
	"sitegrade/locale"
	"sitegrade/web/session"
)

// visit is one request of a page, with the writer of its response.
type visit struct {
	http.ResponseWriter
	*httpx.Info
	r       *http.Request
	params  httprouter.Params
	key     auth.Key        // zero unless the visitor is signed in
	session session.Session // likewise
	posted  url.Values      // the form of a signed-in visitor, read already
	file    []byte          // that was sent with it
	words   *locale.Catalogue
}

// policy is what a page may load and do: nothing but what this server gives it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
	"base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// newVisit sets what every response has.
func newVisit(rw http.ResponseWriter, r *http.Request) *visit {
	v := &visit{ResponseWriter: rw, Info: httpx.InfoOf(r.Context()), r: r, params: httprouter.ParamsFromContext(r.Context())}
	v.speak()
	h := rw.Header()
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

// signedIn reports whether the visitor came with a session whose key is good.
func (v *visit) signedIn() bool { return v.key.ID != uuid.Nil }

// mayChange reports whether the visitor may use what changes something.
func (v *visit) mayChange() bool { return v.key.Scopes.Has(auth.Read | auth.Write) }

// secure reports whether people reach the server by https.
func (v *visit) secure() bool { return strings.HasPrefix(v.Base, "https:") }

// send writes a whole response.
func (v *visit) send(status int, mediaType string, body []byte) {
	httpx.Send(v.ResponseWriter, v.r, status, mediaType, body)
}

// see sends the browser to another page of this server, which it gets with GET.
func (v *visit) see(path string) error {
	v.Header().Set("Location", path)
	v.WriteHeader(http.StatusSeeOther)
	return nil
}

// pathID returns the id in the path. Something else in its place is not found.
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
	media, _, _ := strings.Cut(v.r.Header.Get("Content-Type"), ";")
	switch media = strings.TrimSpace(strings.ToLower(media)); {
	case media == "multipart/form-data" && v.Route == logoRoute:
		return v.upload()
	case media != "application/x-www-form-urlencoded":
		return nil, notForm
	}
	body, err := httpx.ReadBody(v.ResponseWriter, v.r, maxForm)
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
