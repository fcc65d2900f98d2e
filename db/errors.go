package db

import (
	"errors"
	"slices"
	"strings"

	"sitegrade/sortfilter"
)

// What can go wrong besides faults of the machine. A store only names a failure; which status it becomes, the API knows.
var (
	// ErrNotFound says that the account has no such thing, even if another account has.
	ErrNotFound = errors.New("not found")
	// ErrFull says that the database has reached max_size or that the disk is full. Reading and deleting go on.
	ErrFull = errors.New("the database is full")
	// ErrIdempotencyMismatch says that an idempotency key was used before for something else.
	ErrIdempotencyMismatch = errors.New("this idempotency key was used with another body")
	// ErrBeingServed says that another request with this idempotency key is being served.
	ErrBeingServed = errors.New("a request with this idempotency key is being served")
	// ErrLastAdmin says that no other key of the account could make and revoke keys.
	ErrLastAdmin = errors.New("this is the last key of the account with the scope admin")
	// ErrCreatedBefore says that another create with this idempotency key was stored at the same time. Engines begin anew then: no method of a
	// store returns it.
	ErrCreatedBefore = errors.New("created before with this idempotency key")
	// ErrUnavailable says that the server of the database cannot be reached now, or does not take what is to be stored. It may pass by itself. What
	// was being written may have been stored or not.
	ErrUnavailable = errors.New("the database cannot be reached")
	// ErrElsewhere says that another process that has the store open does the work by now, since this one was taken for dead.
	ErrElsewhere = errors.New("another process does this now")
	// ErrClosed says that the database is shutting down.
	ErrClosed = errors.New("the database is closed")
)

// InvalidError says which fields of a create or an update are wrong, and what would be right.
type InvalidError struct{ Fields []FieldError }

// FieldError is one wrong field.
type FieldError = sortfilter.FieldError

func (e *InvalidError) Error() string {
	var b strings.Builder
	for i, f := range e.Fields {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(f.Field + ": " + f.Detail)
	}
	return b.String()
}

// AlsoInvalid returns what two checks of a request found: the wrong fields of both. An error that is not about fields comes before those that are.
func AlsoInvalid(first, second error) error {
	x, isFirst := errors.AsType[*InvalidError](first)
	y, isSecond := errors.AsType[*InvalidError](second)
	switch {
	case isFirst && isSecond:
		return &InvalidError{append(slices.Clone(x.Fields), y.Fields...)}
	case first == nil || isFirst && second != nil:
		return second
	}
	return first
}
