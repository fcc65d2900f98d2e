package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/textproto"
	"strings"

	"sitegrade/db"
)

const (
	idempotencyHeader = "Idempotency-Key"
	// maxIdempotencyKey is how many characters an Idempotency-Key may have.
	maxIdempotencyKey = 255
)

// idempotencyKey returns the key of a request; "" where there is none.
func idempotencyKey(h http.Header) (string, error) {
	values := h.Values(idempotencyHeader)
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	invisible := func(r rune) bool { return r < '!' || r > '~' }
	if len(values) > 1 || key == "" || len(key) > maxIdempotencyKey || strings.ContainsFunc(key, invisible) {
		return "", malformed.with("%s must be given once, with 1 to %d visible ASCII characters.", idempotencyHeader, maxIdempotencyKey)
	}
	return key, nil
}

// createOnce creates a report unless that key has created one before, and then sends the response that it got then. When the server died
// before it could respond, the response is made from the report as it is now.
func (a *API) createOnce(x *request, key string, n db.NewReport, create func(db.NewReport) (response, error)) error {
	n.IdempotencyKey = key
	end, err := a.store.Serve(x.r.Context(), x.key.Account, n)
	if err != nil {
		return err
	}
	defer end()
	earlier, err := a.store.KeptResponse(x.r.Context(), x.key.Account, n)
	switch {
	case err != nil && !errors.Is(err, db.ErrNotFound):
		return err
	case err == nil && earlier.Status != 0:
		return x.repeat(earlier)
	}
	made, err := create(n)
	if err != nil {
		return err
	}
	a.remember(x, key, made)
	x.sendResponse(made)
	return nil
}

// remember stores a response, unless the client has gone: it has not got this one, and its next attempt shall see how the report stands.
func (a *API) remember(x *request, key string, made response) {
	ctx := x.r.Context()
	if ctx.Err() != nil {
		return
	}
	if err := a.store.KeepResponse(context.WithoutCancel(ctx), x.key.Account, key, made.status, made.stored()); err != nil {
		a.Log.Warn("an idempotent response could not be stored", slog.String("request_id", x.ID), slog.Any("cause", err))
	}
}

// stored returns headers and body as they would stand in a message of HTTP/1.1.
func (a response) stored() []byte {
	var b bytes.Buffer
	_ = a.header.Write(&b) // a buffer takes everything
	b.WriteString("\r\n")
	b.Write(a.body)
	return b.Bytes()
}

// repeat sends a stored response again.
func (x *request) repeat(earlier db.KeptResponse) error {
	r := bufio.NewReader(bytes.NewReader(earlier.Response))
	header, err := textproto.NewReader(r).ReadMIMEHeader()
	if err != nil {
		return fmt.Errorf("a stored response cannot be read: %w", err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("a stored response cannot be read: %w", err)
	}
	x.sendResponse(response{status: earlier.Status, header: http.Header(header), body: body})
	return nil
}
