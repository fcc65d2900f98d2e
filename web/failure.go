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
)

// failure is what went wrong, as a page says it.
type failure struct {
	Status int
	Title  string
	Detail string   // one sentence
	Fields []string // one sentence for each field or parameter that is wrong
	wait   int      // seconds until another attempt makes sense; 0: nothing is said
}

func (f *failure) Error() string { return f.Title + ": " + f.Detail }

// errSignIn says that a page is for visitors who are signed in.
var errSignIn = errors.New("not signed in")

var (
	notFound = &failure{Status: http.StatusNotFound, Title: "Page not found",
		Detail: "There is nothing at this address. It may have been deleted, or it is not shared."}
	methodNotAllowed = &failure{Status: http.StatusMethodNotAllowed, Title: "Not possible here",
		Detail: "This address does not take such a request."}
	foreignOrigin = &failure{Status: http.StatusForbidden, Title: "Sent from another site",
		Detail: "The form was sent from a page of another site. Open Sitegrade itself and try again."}
	staleForm = &failure{Status: http.StatusForbidden, Title: "The form is out of date",
		Detail: "It was made before you signed in. Go back, reload the page and try again."}
	insufficientScope = &failure{Status: http.StatusForbidden, Title: "Not allowed",
		Detail: "Your API key may read but not change anything. A key with the scopes read and write can."}
	noAdmin = &failure{Status: http.StatusForbidden, Title: "Not allowed",
		Detail: "Your API key may not change the account, its keys and its forms. A key with the scope admin can."}
	notForm = &failure{Status: http.StatusUnsupportedMediaType, Title: "Not a form",
		Detail: "This address takes forms (application/x-www-form-urlencoded)."}
	malformedForm = &failure{Status: http.StatusBadRequest, Title: "Not a form",
		Detail: "The form cannot be read: it is broken off, badly encoded, or has a field twice."}
	formTooLarge = &failure{Status: http.StatusRequestEntityTooLarge, Title: "Too much at once",
		Detail: "A form may have 1 MiB. Send the addresses in several parts."}
	tooManyRequests = &failure{Status: http.StatusTooManyRequests, Title: "Too much at once",
		Detail: "More has been done with your API key than this server allows. Wait a moment and try again."}
	databaseFull = &failure{Status: http.StatusInsufficientStorage, Title: "The database is full",
		Detail: "Delete reports, or let the operator of this server make room."}
	stopping = &failure{Status: http.StatusServiceUnavailable, Title: "The server is stopping",
		Detail: "Try again in a moment.", wait: 5}
	databaseAway = &failure{Status: http.StatusServiceUnavailable, Title: "The database cannot be reached",
		Detail: "Try again in a moment.", wait: 5}
	busyGuessing = &failure{Status: http.StatusServiceUnavailable, Title: "Too many passwords at once",
		Detail: "So many passwords are being tried that yours could not be looked at. Try again in a moment.", wait: 5}
	busy = &failure{Status: http.StatusServiceUnavailable, Title: "Too many pages are open",
		Detail: "The progress of so many reports cannot be shown at once.", wait: 5}
)

// internal is a fault of ours. It says nothing of the inside; the log has the rest under the request's id.
func internal(requestID string) *failure {
	return &failure{Status: http.StatusInternalServerError, Title: "Something went wrong",
		Detail: "This is a fault of the server. Its log has more under the request " + requestID + "."}
}

// failureOf returns what a page says of an error.
func failureOf(err error, requestID string) *failure {
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
		return &failure{Status: http.StatusUnprocessableEntity, Title: "That cannot be stored",
			Detail: "Go back and correct this:", Fields: fieldTexts(invalid)}
	case errors.As(err, &wrongQuery):
		f := &failure{Status: http.StatusUnprocessableEntity, Title: "The list cannot be shown so", Detail: "The address of this page has values that are not possible:"}
		for _, field := range wrongQuery.Fields {
			f.Fields = append(f.Fields, field.Field+" "+field.Detail+".")
		}
		return f
	case errors.As(err, &badQuery):
		return &failure{Status: http.StatusBadRequest, Title: "The list cannot be shown so",
			Detail: "The address of this page cannot be read:", Fields: []string{badQuery.Parameter + " " + badQuery.Detail + "."}}
	case errors.Is(err, guess.ErrBusy):
		return busyGuessing
	case errors.Is(err, db.ErrFull):
		return databaseFull
	case errors.Is(err, db.ErrUnavailable):
		return databaseAway
	case errors.Is(err, db.ErrClosed), errors.Is(err, context.Canceled):
		return stopping
	}
	return internal(requestID)
}

// fieldTexts returns a sentence for each field that is wrong.
func fieldTexts(invalid *db.InvalidError) []string {
	var texts []string
	for _, f := range invalid.Fields {
		texts = append(texts, f.Field+": "+f.Detail)
	}
	return texts
}

// fail sends the page that says what went wrong.
func (w *Web) fail(v *visit, err error) {
	switch {
	case errors.Is(err, errSignIn):
		w.askToSignIn(v)
		return
	case errors.Is(err, staleForm) && v.Route == newRoute:
		_ = w.sendFormAgain(v, http.StatusForbidden, newPage{Wrong: []string{"The form was made before you signed in. Look at it once more and send it again."}})
		return
	case errors.Is(err, staleForm) && v.Route == crawlsRoute:
		form, _ := postedCrawl(v.posted)
		form.Wrong = map[string]string{"": "The form was made before you signed in. Look at it once more and send it again."}
		if err = w.sendCrawls(v, http.StatusForbidden, "", form); err == nil {
			return
		}
	}
	f := failureOf(err, v.ID)
	if f.Status == http.StatusInternalServerError {
		w.Log.Error("internal error", slog.Any("cause", err), slog.String("request_id", v.ID))
	}
	w.sendFailure(v, f)
}

// sendFailure sends the page of a failure. That of something that is not there is the same for everybody, signed in or not, so
// that it tells nothing.
func (w *Web) sendFailure(v *visit, f *failure) {
	if f.wait > 0 {
		v.Header().Set("Retry-After", strconv.Itoa(f.wait))
	}
	fr := v.frame(f.Title, "")
	if f.Status == http.StatusNotFound {
		fr = plainFrame(f.Title)
	}
	w.sendPage(v, f.Status, "failure", struct {
		frame
		Failure *failure
	}{fr, f})
}
