package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/httpx"
	"sitegrade/httpx/bearer"
	"sitegrade/jsonappend"
	"sitegrade/sortfilter"
)

// The media type of problems (RFC 9457), and what the type of each begins with; its name follows.
const (
	problemMediaType = "application/problem+json"
	problemType      = "urn:problem-type:sitegrade:"
)

// problem is an error with its response. Handlers return it where the API itself finds something wrong.
type problem struct {
	status int
	name   string // what programs tell problems apart by
	title  string // the same for every problem of this name
	detail string // what is wrong here and what would be right
	fields []fieldError
	header http.Header // headers of the response, beside those that all have
}

// fieldError is one wrong field of a body or one wrong parameter.
type fieldError = sortfilter.FieldError

func (p *problem) Error() string { return p.title + ": " + p.detail }

// with returns the problem with another detail.
func (p *problem) with(format string, args ...any) *problem {
	other := *p
	other.detail = fmt.Sprintf(format, args...)
	return &other
}

// The problems. Those whose detail depends on the request are completed by with.
var (
	malformed = &problem{status: http.StatusBadRequest, name: "malformed", title: "The request cannot be read"}

	unauthorized = &problem{
		status: http.StatusUnauthorized, name: "unauthorized", title: "No valid API key",
		detail: `Send an API key that is neither expired nor revoked in the header "Authorization: Bearer <key>".`,
		header: http.Header{"Www-Authenticate": {bearer.Challenge}},
	}
	notFound = &problem{
		status: http.StatusNotFound, name: "not_found", title: "Not found",
		detail: "This account has no such thing.",
	}
	noSuchPath = &problem{
		status: http.StatusNotFound, name: "no_such_path", title: "No such path",
		detail: "The API has nothing at this path. Paths are matched exactly; " + Base + "/openapi.json lists them.",
	}
	methodNotAllowed = &problem{
		status: http.StatusMethodNotAllowed, name: "method_not_allowed", title: "Method not allowed",
		detail: "This path does not take this method; the header Allow lists those that it takes.",
	}
	inFlight = &problem{
		status: http.StatusConflict, name: "request_in_flight", title: "The first request is still being served",
		detail: "A request with this Idempotency-Key is being served now. Repeat this one when that is done.",
		header: http.Header{"Retry-After": {"1"}},
	}
	lastAdmin = &problem{
		status: http.StatusConflict, name: "last_admin_key", title: "The last key with the scope admin",
		detail: db.LastAdminDetail,
	}
	beyondKey = &problem{
		status: http.StatusForbidden, name: "beyond_this_key", title: "More than this key may grant",
		header: http.Header{"Www-Authenticate": {bearer.Challenge + `, error="insufficient_scope"`}},
	}
	preconditionFailed = &problem{
		status: http.StatusPreconditionFailed, name: "precondition_failed", title: "Precondition failed",
		detail: "The record is not the one that If-Match or If-None-Match asks for. Read it again and repeat the change if it still makes sense.",
	}
	bodyTooLarge = &problem{
		status: http.StatusRequestEntityTooLarge, name: "body_too_large", title: "The body is too large",
	}
	unsupported = &problem{
		status: http.StatusUnsupportedMediaType, name: "unsupported_media_type", title: "Unsupported media type",
		header: http.Header{"Accept": {formType + ", " + jsonType}},
	}
	invalid = &problem{
		status: http.StatusUnprocessableEntity, name: "invalid", title: "Invalid values",
		detail: "Some values are not allowed; errors names each of them.",
	}
	keyReused = &problem{
		status: http.StatusUnprocessableEntity, name: "idempotency_key_reused", title: "The idempotency key was used for something else",
		detail: "Within 24 hours an Idempotency-Key stands for one body. Use a new key for another body.",
		fields: []fieldError{{Field: idempotencyHeader, Detail: "was used with another body within the last 24 hours"}},
	}
	tooManyRequests = &problem{
		status: http.StatusTooManyRequests, name: "rate_limited", title: "Too many requests",
		detail: "This key has used up its rate. Wait as long as Retry-After says.",
		header: http.Header{"Retry-After": {"1"}},
	}
	internal = &problem{
		status: http.StatusInternalServerError, name: "internal", title: "Internal error",
		detail: "Something went wrong on the server. Its log has the cause under this request id.",
	}
	unavailable = &problem{
		status: http.StatusServiceUnavailable, name: "unavailable", title: "Not available now",
		detail: "The server is shutting down or too busy. Try again as late as Retry-After says.",
		header: http.Header{"Retry-After": {"5"}},
	}
	databaseAway = unavailable.with("The database cannot be reached now. Try again as late as Retry-After says; with the same Idempotency-Key nothing is made twice.")
	storageFull  = &problem{
		status: http.StatusInsufficientStorage, name: "storage_full", title: "No space left",
		detail: "The disk or the database is full. Reading and deleting still work.",
	}
)

// tooManyBytes is the detail of bodyTooLarge.
const tooManyBytes = "A body may have at most %d bytes here."

// problems are all of them, for the description of the API; those that with completes have an example of their detail.
var problems = []*problem{
	malformed.with("The body is not JSON: it ends early."),
	unauthorized, missingScope(auth.Write), notFound, noSuchPath, methodNotAllowed, inFlight, lastAdmin,
	beyondKey.with("This key lacks the scope write, and so cannot give it to another."), preconditionFailed, bodyTooLarge.with(tooManyBytes, maxBody),
	unsupported.with("The Content-Type is %q; send %s or %s.", "text/plain", formType, jsonType),
	invalidFields([]fieldError{{Field: "url", Detail: "is required: the absolute http or https address of a page"}}),
	keyReused, tooManyRequests, internal, unavailable, storageFull,
}

// missingScope is the problem of a key that may not do this (RFC 6750, section 3.1).
func missingScope(scope auth.Scope) *problem {
	return &problem{
		status: http.StatusForbidden, name: "insufficient_scope", title: "Insufficient scope",
		detail: fmt.Sprintf("This key lacks the scope %s.", scope),
		header: http.Header{"Www-Authenticate": {fmt.Sprintf(`%s, error="insufficient_scope", scope="%s"`, bearer.Challenge, scope)}},
	}
}

// sentinels say which problem each failure of the packages below is.
var sentinels = []struct {
	failure error
	problem *problem
}{
	{db.ErrNotFound, notFound},
	{db.ErrIdempotencyMismatch, keyReused},
	{db.ErrBeingServed, inFlight},
	{db.ErrLastAdmin, lastAdmin},
	{db.ErrFull, storageFull},
	{db.ErrUnavailable, databaseAway},
	{db.ErrClosed, unavailable},
	{context.Canceled, unavailable},
	{context.DeadlineExceeded, unavailable},
}

// problemOf returns the problem that an error is. What nobody has foreseen is internal, and nothing of it leaves the server.
func problemOf(err error) *problem {
	if p, ok := errors.AsType[*problem](err); ok {
		return p
	}
	if e, ok := errors.AsType[*db.InvalidError](err); ok {
		return invalidFields(e.Fields)
	}
	if e, ok := errors.AsType[*sortfilter.InvalidError](err); ok {
		return invalidFields(e.Fields)
	}
	if e, ok := errors.AsType[*sortfilter.MalformedError](err); ok {
		return malformed.with("The parameter %q %s.", e.Parameter, e.Detail)
	}
	for _, s := range sentinels {
		if errors.Is(err, s.failure) {
			return s.problem
		}
	}
	return internal
}

func invalidFields(fields []fieldError) *problem {
	p := *invalid
	p.fields = fields
	return &p
}

// fail sends the problem that an error is. The log has the cause of what the response does not tell, unless it is only that the client has gone.
func (a *API) fail(x *request, err error) {
	p := problemOf(err)
	if p.status >= http.StatusInternalServerError && x.r.Context().Err() == nil {
		a.Log.Error("request failed", slog.String("request_id", x.ID), slog.Any("cause", err))
	}
	sendProblem(x.ResponseWriter, x.r, p)
}

func sendProblem(w http.ResponseWriter, r *http.Request, p *problem) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	for name, values := range p.header {
		h[name] = values
	}
	httpx.Send(w, r, p.status, problemMediaType, p.document(httpx.InfoOf(r.Context()).ID))
}

// document returns the problem as JSON. Only an internal error has the request id in it, so that two responses to the same mistake
// are the same, byte for byte.
func (p *problem) document(requestID string) []byte {
	b := make([]byte, 0, 512)
	b = append(b, `{"type":`...)
	b = jsonappend.String(b, problemType+p.name)
	b = append(b, `,"title":`...)
	b = jsonappend.String(b, p.title)
	b = append(b, `,"status":`...)
	b = strconv.AppendInt(b, int64(p.status), 10)
	b = append(b, `,"detail":`...)
	b = jsonappend.String(b, p.detail)
	if p.fields != nil {
		b = append(b, `,"errors":`...)
		b = appendFieldErrors(b, p.fields)
	}
	if p.status == http.StatusInternalServerError {
		b = append(b, `,"request_id":`...)
		b = jsonappend.String(b, requestID)
	}
	return append(b, "}\n"...)
}

func appendFieldErrors(b []byte, fields []fieldError) []byte {
	b = append(b, '[')
	for i, f := range fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"field":`...)
		b = jsonappend.String(b, f.Field)
		b = append(b, `,"detail":`...)
		b = jsonappend.String(b, f.Detail)
		b = append(b, '}')
	}
	return append(b, ']')
}
