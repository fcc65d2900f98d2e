package api

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/uuid"
	"github.com/julienschmidt/httprouter"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/httpx"
	"sitegrade/locale"
)

// request is one request of the API, with the writer of its response.
type request struct {
	http.ResponseWriter
	*httpx.Info
	r      *http.Request
	params httprouter.Params
	key    auth.Key        // zero until the request is authenticated
	lang   locale.Language // that is asked for; "" for English
}

// always are headers of every response. Their values are shared, and so never changed in place.
var always = http.Header{
	"X-Content-Type-Options":  {"nosniff"},
	"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	"Cache-Control":           {"no-store"},
}

const jsonType = "application/json"

func (x *request) sendJSON(status int, body []byte) {
	httpx.Send(x.ResponseWriter, x.r, status, jsonType, body)
}

// param returns a part of the path, decoded. What cannot be decoded names nothing.
func (x *request) param(name string) (string, error) {
	value, err := url.PathUnescape(x.params.ByName(name))
	if err != nil {
		return "", db.ErrNotFound
	}
	return value, nil
}

// pathID returns the id in the path. What is no id, in its usual spelling, names nothing.
func (x *request) pathID() (uuid.UUID, error) { return x.idParam("id") }

// idParam is pathID for a parameter of another name.
func (x *request) idParam(name string) (uuid.UUID, error) {
	text, err := x.param(name)
	if err != nil {
		return uuid.Nil, err
	}
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return uuid.Nil, db.ErrNotFound
	}
	return id, nil
}

// deleteRecord removes what the path names by its id, unless that has changed since the client saw it, and responds without a body.
func deleteRecord[Record any](x *request, remove func(ctx context.Context, account string, id uuid.UUID, check func(Record) error) error, unchanged func(Record) error) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	if err := remove(x.r.Context(), x.key.Account, id, unchanged); err != nil {
		return err
	}
	x.WriteHeader(http.StatusNoContent)
	return nil
}
