package pg

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// querier is a transaction or a pool.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
	CopyFrom(ctx context.Context, table pgx.Identifier, columns []string, rows pgx.CopyFromSource) (int64, error)
}

// Tx runs statements: in a transaction, or each in one of its own. It lives no longer than what it was made for, and so has the context of that.
// Its errors are those of db, where they have a meaning there; a row that is missing is db.ErrNotFound.
type Tx struct {
	ctx   context.Context
	q     querier
	alone bool // each statement is a transaction of its own
	wrote bool // something that a rollback must take back
	fault error
	later *pgx.Batch // see Later

	// Beside is what has something to write before the function ends that works in the transaction; nil for nothing.
	Beside interface{ Flush() error }
}

// Fail has the transaction fail in the end, whatever its function returns, since something could not be read.
func (t *Tx) Fail(err error) {
	if t.fault == nil {
		t.fault = err
	}
}

// Failure returns what Fail was given, nil if it was not called.
func (t *Tx) Failure() error { return t.fault }

// outcome returns the error of a function that worked in the transaction.
func (t *Tx) outcome(err error) error {
	if err == nil && t.fault == nil && t.Beside != nil {
		err = t.Beside.Flush()
	}
	if err == nil && t.fault == nil {
		err = t.catchUp(t.ctx)
	}
	if t.fault != nil {
		return t.fault
	}
	return err
}

// Account is one tenant inside a transaction. What is written with it is committed with what others write to the account, and nobody else
// writes to the account meanwhile, on no server.
type Account struct {
	*Tx
	Ref
}

// Ref names an account.
type Ref struct {
	Name   string
	Number int32
}

// Context returns the context of the transaction.
func (t *Tx) Context() context.Context { return t.ctx }

// Exec runs a statement and returns how many rows it wrote.
func (t *Tx) Exec(sql string, args ...any) (rows int64, err error) {
	err = t.write(func(ctx context.Context) error {
		tag, err := t.q.Exec(ctx, sql, args...)
		rows = tag.RowsAffected()
		return err
	})
	return rows, err
}

// write runs something that writes. Where that is a transaction of its own, the wait for its commit has an end.
func (t *Tx) write(statement func(context.Context) error) error {
	t.wrote = true
	ctx := t.ctx
	if t.alone {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, commitPatience, errStalled)
		defer cancel()
	}
	return t.run(ctx, isTransient, statement)
}

// read runs something that writes nothing.
func (t *Tx) read(statement func(context.Context) error) error {
	return t.run(t.ctx, isHarmless, statement)
}

// run runs something. Where that is a transaction of its own, it runs again as others do.
func (t *Tx) run(ctx context.Context, isTransient func(error) bool, statement func(context.Context) error) error {
	if err := t.catchUp(ctx); err != nil {
		return err
	}
	once := func() error { return Meaning(ctx, statement(ctx)) }
	if t.alone {
		return again(ctx, isTransient, once)
	}
	return once()
}

// Later runs statements before the next one of the transaction, or in the end, all of them in one round trip.
func (t *Tx) Later(b *pgx.Batch) {
	if t.later == nil {
		t.later = &pgx.Batch{}
	}
	t.later.QueuedQueries = append(t.later.QueuedQueries, b.QueuedQueries...)
}

// catchUp runs what Later has put off.
func (t *Tx) catchUp(ctx context.Context) error {
	b := t.later
	if b == nil {
		return nil
	}
	t.later, t.wrote = nil, true
	return Meaning(ctx, t.q.SendBatch(ctx, b).Close())
}

// Write runs a statement.
func (t *Tx) Write(sql string, args ...any) error {
	_, err := t.Exec(sql, args...)
	return err
}

// Send runs several statements in one round trip. Functions that the statements of b have (see pgx.QueuedQuery) are called in their order.
func (t *Tx) Send(b *pgx.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	if before := t.later; before != nil {
		t.later, before.QueuedQueries = nil, append(before.QueuedQueries, b.QueuedQueries...)
		b = before
	}
	return t.write(func(ctx context.Context) error { return t.q.SendBatch(ctx, b).Close() })
}

// Ask is Send for statements that write nothing.
func (t *Tx) Ask(b *pgx.Batch) error {
	return t.read(func(ctx context.Context) error { return t.q.SendBatch(ctx, b).Close() })
}

// Copy stores rows in a table, as fast as possible.
func (t *Tx) Copy(table string, columns []string, rows pgx.CopyFromSource) error {
	if err := t.catchUp(t.ctx); err != nil {
		return err
	}
	t.wrote = true
	_, err := t.q.CopyFrom(t.ctx, pgx.Identifier{table}, columns, rows)
	return Meaning(t.ctx, err)
}

// Row reads the only row of a query into what dest points to. The error is db.ErrNotFound if there is none. A statement that writes and returns
// what it wrote is read by Written.
func (t *Tx) Row(sql string, args []any, dest ...any) error {
	return t.read(func(ctx context.Context) error { return t.q.QueryRow(ctx, sql, args...).Scan(dest...) })
}

// Written is Row for a statement that writes.
func (t *Tx) Written(sql string, args []any, dest ...any) error {
	return t.write(func(ctx context.Context) error { return t.q.QueryRow(ctx, sql, args...).Scan(dest...) })
}

// Each calls read for each row of a query.
func (t *Tx) Each(sql string, args []any, read func(pgx.Rows) error) error {
	var rows pgx.Rows
	if err := t.read(func(ctx context.Context) (err error) {
		rows, err = t.q.Query(ctx, sql, args...)
		return err
	}); err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return Meaning(t.ctx, err)
		}
	}
	return Meaning(t.ctx, rows.Err())
}

// All returns what read makes of each row of a query.
func All[T any](t *Tx, sql string, args []any, read func(pgx.Rows) (T, error)) (all []T, err error) {
	err = t.Each(sql, args, func(rows pgx.Rows) error {
		one, err := read(rows)
		all = append(all, one)
		return err
	})
	return all, err
}

// Column returns the values of a query that has one column.
func Column[T any](t *Tx, sql string, args ...any) ([]T, error) {
	return All(t, sql, args, func(rows pgx.Rows) (value T, err error) {
		err = rows.Scan(&value)
		return value, err
	})
}
