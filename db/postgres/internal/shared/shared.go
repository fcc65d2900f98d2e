// Package shared keeps what all servers on one database must know of each other for a moment: how often something was done that is limited, and
// which of them serves a create that is to be done once.
package shared

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/live"
	"sitegrade/db/postgres/internal/pg"
)

// Board has the methods of db.Store for that.
type Board struct {
	Pool  *pg.Pool
	Me    func() uuid.UUID                                       // this server
	RefOf func(ctx context.Context, name string) (pg.Ref, error) // makes the account if need be

	Sum string // of this server's secret

	own live.Served

	mu    sync.Mutex
	swept time.Time
}

const (
	// sweepEvery is how often a server forgets the allowances of which all is back.
	sweepEvery = time.Minute
	// longestServed is how long a create is served at most, also where a server could not tell that it has ended.
	longestServed = 2 * time.Minute
	// endPatience bounds how long a response waits until that is told.
	endPatience = time.Second
)

// SecretDiffers reports whether another server that lives has another secret. It has to be asked once, since it tells the others this one.
func (b *Board) SecretDiffers(ctx context.Context) (differs bool, err error) {
	err = b.Pool.Direct(ctx).Written(`WITH mine AS (UPDATE servers SET secret = $2 WHERE id = $1)
		SELECT EXISTS (SELECT FROM servers WHERE id <> $1 AND secret <> $2 AND until > now())`, []any{b.Me(), b.Sum}, &differs)
	return differs, err
}

// UseAllowances is documented in db.Store. Time is that of the database. The rows are locked in their order, so that servers do not wait for
// each other in a circle.
func (b *Board) UseAllowances(ctx context.Context, of []db.Allowance, use func(back []time.Duration)) error {
	if err := b.sweep(ctx); err != nil {
		return err
	}
	kinds, names := make([]string, len(of)), make([]string, len(of))
	at := map[db.Allowance]int{}
	for i, a := range of {
		kinds[i], names[i], at[a] = a.Kind, a.Of, i
	}
	return b.Pool.Update(ctx, func(tx *pg.Tx) error {
		back := make([]time.Duration, len(of))
		if err := tx.Each(`INSERT INTO allowances (kind, name, back) SELECT kind, name, now() FROM unnest($1::text[], $2::text[]) AS n(kind, name) ORDER BY kind, name
			ON CONFLICT (kind, name) DO UPDATE SET back = allowances.back RETURNING kind, name, (extract(epoch FROM back - now()) * 1000000)::bigint`,
			[]any{kinds, names}, func(rows pgx.Rows) error {
				var a db.Allowance
				var microseconds int64
				err := rows.Scan(&a.Kind, &a.Of, &microseconds)
				back[at[a]] = max(0, time.Duration(microseconds)*time.Microsecond)
				return err
			}); err != nil {
			return err
		}
		use(back)
		microseconds := make([]int64, len(of))
		for i := range back {
			microseconds[i] = back[i].Microseconds()
		}
		return tx.Write(`UPDATE allowances a SET back = now() + n.back * interval '1 microsecond' FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n(kind, name, back)
			WHERE a.kind = n.kind AND a.name = n.name`, kinds, names, microseconds)
	})
}

// sweep forgets the allowances of which all is back, from time to time.
func (b *Board) sweep(ctx context.Context) error {
	b.mu.Lock()
	due := time.Since(b.swept) >= sweepEvery
	if due {
		b.swept = time.Now()
	}
	b.mu.Unlock()
	if !due {
		return nil
	}
	return b.Pool.Update(ctx, func(tx *pg.Tx) error { return tx.Write("DELETE FROM allowances WHERE back < now()") })
}

// Serve is documented in db.Store. Whoever finds that a server is dead also deletes what it served.
func (b *Board) Serve(ctx context.Context, account string, n db.NewReport) (end func(), err error) {
	ended, err := b.own.Begin(account, n)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			ended()
		}
	}()
	a, err := b.RefOf(ctx, account)
	if err != nil {
		return nil, err
	}
	asked, err := n.Asked("")
	if err != nil {
		return nil, err
	}
	me, key := b.Me(), sha256.Sum256([]byte(n.IdempotencyKey))
	ours, err := b.Pool.Lax(ctx).Exec(`INSERT INTO served (account, key, server, asked, until) VALUES ($1, $2, $3, $4, now() + $5) ON CONFLICT (account, key) DO UPDATE
		SET server = EXCLUDED.server, asked = EXCLUDED.asked, until = EXCLUDED.until WHERE served.server = EXCLUDED.server OR served.until < now()`,
		a.Number, key[:], me, asked.Sum[:], longestServed)
	if err == nil && ours == 0 {
		err = b.conflict(ctx, a.Number, key[:], asked)
	}
	if err != nil {
		return nil, err
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endPatience)
		defer cancel()
		_ = b.Pool.Lax(ctx).Write("DELETE FROM served WHERE account = $1 AND key = $2 AND server = $3", a.Number, key[:], me) // else it ends by itself
		ended()
	}, nil
}

// conflict returns the error for a create whose key another server has.
func (b *Board) conflict(ctx context.Context, account int32, key []byte, asked db.Asked) error {
	var other []byte
	err := b.Pool.Direct(ctx).Row("SELECT asked FROM served WHERE account = $1 AND key = $2", []any{account, key}, &other)
	switch {
	case errors.Is(err, db.ErrNotFound), err == nil && string(other) == string(asked.Sum[:]): // it has ended this moment: the next attempt finds that
		return db.ErrBeingServed
	case err == nil:
		return db.ErrIdempotencyMismatch
	}
	return err
}
