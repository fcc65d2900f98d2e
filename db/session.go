package db

import (
	"context"
	"time"
)

// Session is a sign-in to the pages, as its cookie says.
type Session struct {
	ID    [16]byte // random
	Began time.Time
	Ends  time.Time // by itself
}

// sessions are the methods of a Store for sign-ins that end before their time.
type sessions interface {
	// EndSession ends a sign-in to an account: from the next request on, wherever that goes. The error is ErrNotFound if there is no such
	// account.
	EndSession(ctx context.Context, account string, s Session) error
	// SessionHolds reports whether neither EndSession nor AccountChange.SignOut has ended a sign-in to an account. It does not ask for the time.
	SessionHolds(ctx context.Context, account string, s Session) (bool, error)
}
