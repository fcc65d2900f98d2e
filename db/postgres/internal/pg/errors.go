package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sitegrade/db"
)

// Meaning returns an error of a connection as what it means to whoever uses a store. ctx is that of the statement.
func Meaning(ctx context.Context, err error) error {
	if err == nil || isMeant(err) {
		return err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	var refused *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return db.ErrNotFound
	case errors.As(err, &refused):
		return refusal(refused)
	case strings.Contains(err.Error(), "closed pool"):
		return db.ErrClosed
	case isLost(err):
		return fmt.Errorf("%w: %w", db.ErrUnavailable, err)
	}
	return err
}

// isMeant reports whether an error says what it means already.
func isMeant(err error) bool {
	return errors.Is(err, db.ErrNotFound) || errors.Is(err, db.ErrUnavailable) || errors.Is(err, db.ErrFull) || errors.Is(err, db.ErrClosed)
}

// isLost reports whether the connection is lost, or could not be made.
func isLost(err error) bool {
	return errors.As(err, new(*pgconn.ConnectError)) || errors.As(err, new(net.Error)) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, net.ErrClosed) || pgconn.Timeout(err) || strings.Contains(err.Error(), "conn closed")
}

// refusal returns what the server's refusal of a statement means.
func refusal(e *pgconn.PgError) error {
	switch {
	case e.Code == "53100" || e.Code == "53200": // disk full, out of memory
		return fmt.Errorf("%w: %w", db.ErrFull, e)
	case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, "57P"), // connections, shutdown
		e.Code == "25006", // read only: a standby, which may be about to become the primary
		e.Code == "25P03", // the transaction was idle for too long
		e.Code == "53300": // too many connections
		return fmt.Errorf("%w: %w", db.ErrUnavailable, e)
	}
	return e
}

// attempts is how often a transaction runs that the database ends because of others.
const attempts = 20

// again runs a transaction until the database does not ask for another attempt.
func again(ctx context.Context, run func() error) (err error) {
	for range attempts {
		if err = run(); !isTransient(err) || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("%w: %w", db.ErrUnavailable, err)
}

// isTransient reports whether the database ended a transaction that may work when it is run again: it could not be put in an order with
// others, or waited for one that waited for it.
func isTransient(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "40001" || refused.Code == "40P01")
}
