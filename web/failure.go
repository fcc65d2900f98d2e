package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/guess"
	"sitegrade/web/view"
)

// failure is what went wrong, as a page says it: the title ui.failed.<id>-title and the sentence ui.failed.<id> of the catalogues.
type failure struct {
	status int
	id     string
	values []any    // of the sentence
	fields []string // a line for each field or parameter that is wrong
	wait   int      // seconds until another attempt makes sense; 0: nothing is said
}

func (f *failure) Error() string { return f.id }

// errSignIn says that a page is for visitors who are signed in.
var errSignIn = errors.New("not signed in")

var (
	notFound          = &failure{status: http.StatusNotFound, id: "not-found"}
	methodNotAllowed  = &failure{status: http.StatusMethodNotAllowed, id: "method"}
	foreignOrigin     = &failure{status: http.StatusForbidden, id: "foreign"}
	staleForm         = &failure{status: http.StatusForbidden, id: "stale"}
	insufficientScope = &failure{status: http.StatusForbidden, id: "scope"}
	noAdmin           = &failure{status: http.StatusForbidden, id: "admin"}
	notForm           = &failure{status: http.StatusUnsupportedMediaType, id: "not-form"}
	malformedForm     = &failure{status: http.StatusBadRequest, id: "malformed"}
	formTooLarge      = &failure{status: http.StatusRequestEntityTooLarge, id: "too-large"}
	tooManyRequests   = &failure{status: http.StatusTooManyRequests, id: "too-many"}
	databaseFull      = &failure{status: http.StatusInsufficientStorage, id: "full"}
	stopping          = &failure{status: http.StatusServiceUnavailable, id: "stopping", wait: 5}
	databaseAway      = &failure{status: http.StatusServiceUnavailable, id: "away", wait: 5}
	busyGuessing      = &failure{status: http.StatusServiceUnavailable, id: "guessing", wait: 5}
	busy              = &failure{status: http.StatusServiceUnavailable, id: "busy", wait: 5}
)

// internal is a fault of ours. It says nothing of the inside; the log has the rest under the request's id.
func (v *visit) internal() *failure {
	return &failure{status: http.StatusInternalServerError, id: "internal", values: []any{v.ID}}
}

// failureOf returns what a page says of an error.
func (v *visit) failureOf(err error) *failure {
	var known *failure
	var invalid *db.InvalidError
	var wrongQuery *sortfilter.InvalidError
	var badQuery *sortfilter.MalformedError
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, db.ErrNotFound):
		return notFound
	case errors.As(err, &invalid):
		return &failure{status: http.StatusUnprocessableEntity, id: "invalid", fields: view.FaultLines(v.words, err)}
	case errors.As(err, &wrongQuery):
		f := &failure{status: http.StatusUnprocessableEntity, id: "query"}
		for _, field := range wrongQuery.Fields {
			f.fields = append(f.fields, view.FaultLine(v.words, field.Field, field.Detail))
		}
		return f
	case errors.As(err, &badQuery):
		return &failure{status: http.StatusBadRequest, id: "broken-query", fields: []string{view.FaultLine(v.words, badQuery.Parameter, badQuery.Detail)}}
	case errors.Is(err, guess.ErrBusy):
		return busyGuessing
	case errors.Is(err, db.ErrFull):
		return databaseFull
	case errors.Is(err, db.ErrUnavailable):
		return databaseAway
	case errors.Is(err, db.ErrClosed), errors.Is(err, context.Canceled):
		return stopping
	}
	return v.internal()
}

// fail sends the page that says what went wrong.
func (w *Web) fail(v *visit, err error) {
	switch {
	case errors.Is(err, errSignIn):
		w.askToSignIn(v)
		return
	case errors.Is(err, staleForm) && v.Route == newRoute:
		_ = w.sendFormAgain(v, http.StatusForbidden, newPage{Wrong: []string{v.say("failed.stale-form")}})
		return
	case errors.Is(err, staleForm) && v.Route == crawlsRoute:
		form, _ := postedCrawl(v.posted)
		form.Wrong = map[string]string{"": v.say("failed.stale-form")}
		if err = w.sendCrawls(v, http.StatusForbidden, "", form); err == nil {
			return
		}
	}
	f := v.failureOf(err)
	if f.status == http.StatusInternalServerError {
		w.Log.Error("internal error", slog.Any("cause", err), slog.String("request_id", v.ID))
	}
	w.sendFailure(v, f)
}

// failurePage is the data of a page that says what went wrong.
type failurePage struct {
	frame
	Status int
	Detail string // one sentence
	Fields []string
}

// sendFailure sends the page of a failure. That of something that is not there is the same for everybody, signed in or not, so
// that it tells nothing.
func (w *Web) sendFailure(v *visit, f *failure) {
	if f.wait > 0 {
		v.Header().Set("Retry-After", strconv.Itoa(f.wait))
	}
	title := v.say("failed." + f.id + "-title")
	shown := failurePage{frame: v.frame(title, ""), Status: f.status, Detail: v.say("failed."+f.id, f.values...), Fields: f.fields}
	if f.status == http.StatusNotFound {
		shown.frame = plainFrame(title)
	}
	w.sendPage(v, f.status, "failure", shown)
}
