// Package pg has what all parts of the engine share that speak to PostgreSQL: connections, transactions, the groups in which an account's
// writes are committed, and what the server's errors mean.
package pg

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sitegrade/db"
)

// Pool is connections to a database. It is safe for concurrent use.
type Pool struct {
	pool   *pgxpool.Pool
	lax    *pgxpool.Pool
	groups groups

	watching sync.WaitGroup
	endWatch context.CancelFunc
}

const (
	// connectTimeout bounds the wait for one host, where the address does not say otherwise.
	connectTimeout = 2 * time.Second
	// fewestConnections is what a pool may open at least, where the address does not say otherwise.
	fewestConnections = 16
	// laxConnections is how many more there are for what need not wait for the disk.
	laxConnections = 4
	// commitPatience bounds the wait for a commit alone. One that takes longer waits for something that is away, such as the only synchronous
	// standby, and its outcome is unknown: the commit may have been made and not be told to anybody.
	commitPatience = 4 * time.Second
)

// settings hold for every session. A commit is only acknowledged once it is on the standby too, where there is a synchronous one, whatever the
// database's own setting is; searches look through what is to be indexed yet, so that is little; a server that has gone away in the middle of a transaction holds its locks no longer than half a minute.
var settings = map[string]string{
	"application_name": "sitegrade", "synchronous_commit": "on", "jit": "off", "idle_in_transaction_session_timeout": "30s", "timezone": "UTC",
	"gin_pending_list_limit": "256kB",
}

// Open connects to the database at an address as libpq knows them, postgres://user@host,host/name?option=value. prepare is given the first
// connection before there are others. The error is db.ErrUnavailable where no host can be reached.
func Open(ctx context.Context, address string, prepare func(context.Context, *pgx.Conn) error) (*Pool, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("the address of the database: %w", err)
	}
	for name, value := range settings {
		if _, given := config.ConnConfig.RuntimeParams[name]; !given || name == "synchronous_commit" {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	config.MaxConns = max(config.MaxConns, fewestConnections)
	watch := newWatch(config)
	first, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, Meaning(ctx, err)
	}
	defer first.Close(context.WithoutCancel(ctx))
	if err := prepare(ctx, first); err != nil {
		return nil, Meaning(ctx, err)
	}
	distributed, err := isDistributed(ctx, first)
	if err != nil {
		return nil, Meaning(ctx, err)
	}
	if !distributed { // there, a plan that was made without the account would not know where to go
		config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	}
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, Meaning(ctx, err)
	}
	lax := config.Copy()
	lax.ConnConfig.RuntimeParams["synchronous_commit"] = "off"
	lax.MaxConns, lax.MinConns, lax.MinIdleConns = laxConnections, 0, 0
	other, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), lax)
	if err != nil {
		pool.Close()
		return nil, Meaning(ctx, err)
	}
	watch.pools = []*pgxpool.Pool{pool, other}
	p := &Pool{pool: pool, lax: other}
	var watching context.Context
	watching, p.endWatch = context.WithCancel(context.WithoutCancel(ctx))
	p.watching.Go(func() { watch.run(watching) })
	return p, nil
}

// isDistributed reports whether Citus spreads the tables over several servers.
func isDistributed(ctx context.Context, conn *pgx.Conn) (found bool, err error) {
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus')").Scan(&found)
	return found, err
}

// Close waits for the groups that are being committed and closes the connections.
func (p *Pool) Close() {
	p.groups.close()
	p.endWatch()
	p.watching.Wait()
	p.pool.Close()
	p.lax.Close()
}

// Direct returns what runs single statements, each in a transaction of its own.
func (p *Pool) Direct(ctx context.Context) *Tx { return &Tx{ctx: ctx, q: p.pool, alone: true} }

// Lax is Direct for what may be lost when the database's machine fails, such as a claim: then it is made again.
func (p *Pool) Lax(ctx context.Context) *Tx { return &Tx{ctx: ctx, q: p.lax, alone: true} }

// View runs read in a transaction that sees one moment of the database.
func (p *Pool) View(ctx context.Context, read func(*Tx) error) error {
	return p.transaction(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, read)
}

// Update runs write in a transaction, which it may run twice, and returns once that is stored.
func (p *Pool) Update(ctx context.Context, write func(*Tx) error) error {
	return again(ctx, isTransient, func() error { return p.transaction(ctx, pgx.TxOptions{}, write) })
}

func (p *Pool) transaction(ctx context.Context, o pgx.TxOptions, run func(*Tx) error) error {
	tx, err := p.begin(ctx, o)
	if err != nil {
		return err
	}
	defer tx.Rollback(context.WithoutCancel(ctx)) // after a commit it does nothing
	t := &Tx{ctx: ctx, q: tx}
	if err := t.outcome(run(t)); err != nil {
		return err
	}
	return commit(ctx, tx)
}

// begin begins a transaction, over another connection where one turns out to be lost.
func (p *Pool) begin(ctx context.Context, o pgx.TxOptions) (tx pgx.Tx, err error) {
	err = again(ctx, isHarmless, func() error {
		tx, err = p.pool.BeginTx(ctx, o)
		return Meaning(ctx, err)
	})
	return tx, err
}

// errStalled says that a commit has not ended within commitPatience.
var errStalled = fmt.Errorf("%w: a commit has not ended within %v", db.ErrUnavailable, commitPatience)

// commit stores what was done in a transaction.
func commit(ctx context.Context, tx pgx.Tx) error {
	ctx, cancel := context.WithTimeoutCause(ctx, commitPatience, errStalled)
	defer cancel()
	return Meaning(ctx, tx.Commit(ctx))
}

// Connections returns how many connections are in use, and how many there are.
func (p *Pool) Connections() (taken, open int32) {
	s := p.pool.Stat()
	return s.AcquiredConns(), s.TotalConns()
}
