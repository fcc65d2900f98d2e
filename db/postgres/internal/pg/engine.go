package pg

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
)

// Engine is what a room needs of the engine around it.
type Engine struct {
	*Pool
	// Read runs read over an account in a transaction that sees one moment. The error is db.ErrNotFound if there is no such account.
	Read func(ctx context.Context, account string, read func(*Account) error) error
	// Add runs write over an account, which it makes if need be, and returns once that is stored. write may run twice.
	Add func(ctx context.Context, account string, write func(*Account) error) error
	// Remove is Add in an account that exists; the error is db.ErrNotFound otherwise.
	Remove func(ctx context.Context, account string, write func(*Account) error) error
	// Once runs make, which stores something, unless the idempotency key has made something before that is still there, as there reports; then it
	// returns the id of that one.
	Once func(a *Account, key string, asked any, there func(uuid.UUID) (bool, error), make func() (uuid.UUID, error)) (id uuid.UUID, again bool, err error)
	// Project returns a project of the account by id or name, with its number, or db.ErrNotFound.
	Project func(a *Account, nameOrID string) (number uint32, ref db.ProjectRef, err error)
	// Server returns the id under which this server claims things. Those of a server that is gone are given back by giveBackRooms.
	Server func() uuid.UUID
	Tell   func(db.News)    // after the commit
	NextID func() uuid.UUID // in rising order within the server
	Now    func() time.Time // in UTC, to the millisecond
}

// AlsoWrong returns what is wrong with a request beside what was found without looking at the account.
func (e *Engine) AlsoWrong(ctx context.Context, account string, wrong error, look func(*Account) error) error {
	err := e.Read(ctx, account, look)
	if errors.Is(err, db.ErrNotFound) {
		err = nil // an account that has nothing yet
	}
	return db.AlsoInvalid(wrong, err)
}
