package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// TestProblemOf has every error that the packages below name.
func TestProblemOf(t *testing.T) {
	tests := []struct {
		err    error
		status int
	}{
		{db.ErrNotFound, 404},
		{db.ErrFull, 507}, {db.ErrUnavailable, 503},
		{db.ErrClosed, 503},
		{db.ErrIdempotencyMismatch, 422},
		{db.ErrBeingServed, 409},
		{&db.InvalidError{Fields: []db.FieldError{{Field: "url", Detail: "x"}}}, 422},
		{&sortfilter.InvalidError{Fields: []sortfilter.FieldError{{Field: "page", Detail: "x"}}}, 422},
		{&sortfilter.MalformedError{Parameter: "page", Detail: "x"}, 400},
		{context.Canceled, 503},
		{context.DeadlineExceeded, 503},
		{preconditionFailed, 412},
		{errors.New("the disk is on fire"), 500},
	}
	for _, test := range tests {
		for _, err := range []error{test.err, fmt.Errorf("doing something: %w", test.err)} {
			p := problemOf(err)
			if p.status != test.status {
				t.Errorf("%v is %d, not %d", err, p.status, test.status)
			}
			if strings.Contains(string(p.document("id")), "fire") {
				t.Errorf("%v tells of the inside", err)
			}
		}
	}
}

// TestProblemsDiffer holds that programs can tell all problems apart.
func TestProblemsDiffer(t *testing.T) {
	names := map[string]bool{}
	for _, p := range problems {
		if names[p.name] || p.title == "" || p.detail == "" || http.StatusText(p.status) == "" {
			t.Errorf("%+v", p)
		}
		names[p.name] = true
	}
}
