package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/postgres/internal/pg"
)

// AccountsWaiting is documented in db.Store.
func (d *DB) AccountsWaiting(ctx context.Context) ([]string, error) {
	return pg.Column[string](d.pool.Direct(ctx), "SELECT name FROM accounts a WHERE EXISTS (SELECT FROM queue q WHERE q.account = a.account) ORDER BY name")
}

// Waiting is documented in db.Store.
func (d *DB) Waiting(ctx context.Context, account string, after db.Job, limit int) ([]db.Job, error) {
	a, err := d.account(ctx, account)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return pg.All(d.pool.Direct(ctx), "SELECT id, url, queued FROM queue WHERE account = $1 AND (queued, id) > ($2, $3) ORDER BY queued, id LIMIT $4",
		[]any{a.Number, after.Queued, after.ID, limit}, func(rows pgx.Rows) (db.Job, error) {
			j := db.Job{Account: account}
			return j, rows.Scan(&j.ID, &j.URL, &j.Queued)
		})
}

// Claim is documented in db.Store.
func (d *DB) Claim(ctx context.Context, j db.Job) (bool, error) {
	a, err := d.account(ctx, j.Account)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	claimed, err := d.pool.Direct(ctx).Exec("UPDATE queue SET server = $3 WHERE account = $1 AND id = $2 AND server IS NULL", a.Number, j.ID, d.server)
	return claimed == 1, err
}

// Release is documented in db.Store.
func (d *DB) Release(ctx context.Context, j db.Job) error {
	a, err := d.account(ctx, j.Account)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	return d.pool.Direct(ctx).Write("UPDATE queue SET server = NULL WHERE account = $1 AND id = $2 AND server = $3", a.Number, j.ID, d.server)
}

// isElsewhere reports whether a job that this server has audited is another's now: that audits it, or has ended it.
func (d *DB) isElsewhere(r *row, server *uuid.UUID) bool {
	return r.Queued == 0 || server != nil && *server != d.server
}
