package pg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"time"

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
	case strings.HasPrefix(e.Code, "08"), strings.HasPrefix(e.Code, stopsOrStarts), // connections, shutdown
		e.Code == "25006", // read only: a standby, which may be about to become the primary
		e.Code == "25P03", // the transaction was idle for too long
		e.Code == "53300": // too many connections
		return fmt.Errorf("%w: %w", db.ErrUnavailable, e)
	}
	return e
}

const (
	// attempts is how often a transaction runs that the database ends because of others.
	attempts = 20
	// longestPause bounds the pause before the next attempt, which grows from a hundredth of that and has a random length, so that those who were
	// in each other's way are not again.
	longestPause = 50 * time.Millisecond
)

// again runs a transaction until it is not transient what ends it.
func again(ctx context.Context, isTransient func(error) bool, run func() error) (err error) {
	for n := range attempts {
		if err = run(); err == nil || !isTransient(err) || ctx.Err() != nil {
			return err
		}
		pause := time.NewTimer(rand.N(min(longestPause, longestPause/100<<n)))
		select {
		case <-pause.C:
		case <-ctx.Done():
		}
		pause.Stop()
	}
	return fmt.Errorf("%w: %w", db.ErrUnavailable, err)
}

// isTransient reports whether a transaction may work when it is run again, and has done nothing so far: it could not be put in an order with
// others, or waited for one that waited for it, or its connection was lost before anything was sent.
func isTransient(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && (refused.Code == serializationFailure || refused.Code == deadlockDetected) {
		return true
	}
	return pgconn.SafeToRetry(err) && !errors.As(err, new(*pgconn.ConnectError))
}

// isHarmless is isTransient for what changes nothing, which may also be run again when nobody knows whether it was: the connection was lost, and
// there may be others.
func isHarmless(err error) bool {
	return isTransient(err) || errors.Is(err, db.ErrUnavailable) && !errors.Is(err, errAway) && !errors.As(err, new(*pgconn.ConnectError))
}

// The codes of PostgreSQL for what a transaction may be run again after.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
)
