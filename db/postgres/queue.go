package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/postgres/internal/fleet"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/weburl"
)

// AccountsWaiting is documented in db.Store.
func (d *DB) AccountsWaiting(ctx context.Context) ([]string, error) {
	return pg.Column[string](d.pool.Direct(ctx), "SELECT (SELECT name FROM accounts a WHERE a.account = q.account) AS name FROM (SELECT DISTINCT account FROM queue) q ORDER BY name")
}

// Waiting is documented in db.Store. What other servers are auditing is left out.
func (d *DB) Waiting(ctx context.Context, account string, after db.Job, limit int) ([]db.Job, error) {
	a, err := d.account(ctx, account)
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return pg.All(d.pool.Direct(ctx), `SELECT id, url, queued FROM queue WHERE account = $1 AND (queued, id) > ($2, $3) AND (server IS NULL OR server = $5)
		ORDER BY queued, id LIMIT $4`, []any{a.Number, after.Queued, after.ID, limit, d.me()}, func(rows pgx.Rows) (db.Job, error) {
		j := db.Job{Account: account}
		err := rows.Scan(&j.ID, &j.URL, &j.Queued)
		return j, err
	})
}

// Claim is documented in db.Store. A job is also refused while another server asks its host.
func (d *DB) Claim(ctx context.Context, j db.Job) (bool, error) {
	a, err := d.account(ctx, j.Account)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	if held, err := d.fleet.Hold(ctx, fleet.Host, hostOf(j.URL)); !held || err != nil {
		return false, err
	}
	claimed, err := d.pool.Lax(ctx).Exec("UPDATE queue SET server = $3 WHERE account = $1 AND id = $2 AND server IS NULL", a.Number, j.ID, d.me())
	if claimed == 0 {
		err = errors.Join(err, d.fleet.Let(ctx, fleet.Host, hostOf(j.URL)))
	}
	return claimed == 1, err
}

// hostOf returns the host that the page of an address is asked of, as weburl has it for what belongs together.
func hostOf(address string) string { return weburl.Restore(address).HostKey() }

// Release is documented in db.Store. What cannot be released now is with a later beat.
func (d *DB) Release(ctx context.Context, j db.Job) error {
	err := d.release(ctx, j)
	if err != nil {
		d.waiting.mu.Lock()
		d.waiting.owed = append(d.waiting.owed, j)
		d.waiting.mu.Unlock()
	}
	return errors.Join(err, d.fleet.Let(ctx, fleet.Host, hostOf(j.URL)))
}

// release has a job wait again, unless it has ended.
func (d *DB) release(ctx context.Context, j db.Job) error {
	a, err := d.account(ctx, j.Account)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	} else if err != nil {
		return err
	}
	return d.pool.Lax(ctx).Write("UPDATE queue SET server = NULL WHERE account = $1 AND id = $2 AND server = $3", a.Number, j.ID, d.me())
}

// releaseOwed releases what could not be released before.
func (d *DB) releaseOwed(ctx context.Context) error {
	d.waiting.mu.Lock()
	owed := d.waiting.owed
	d.waiting.owed = nil
	d.waiting.mu.Unlock()
	var left []db.Job
	var all error
	for _, j := range owed {
		if err := d.release(ctx, j); err != nil {
			all, left = errors.Join(all, err), append(left, j)
		}
	}
	d.waiting.mu.Lock()
	defer d.waiting.mu.Unlock()
	d.waiting.owed = append(d.waiting.owed, left...)
	return all
}

// isElsewhere reports whether a job that this server has audited is another's now: that audits it, or has ended it.
func (d *DB) isElsewhere(r *row, server *uuid.UUID) bool {
	return r.Queued == 0 || server != nil && *server != d.me()
}

// Ended is documented in db.Store.
func (d *DB) Ended(ctx context.Context, waited []db.ReportKey) ([]db.ReportKey, error) {
	numbers, ids, index := make([]int32, 0, len(waited)), make([]uuid.UUID, 0, len(waited)), make([]int32, 0, len(waited))
	var ended []db.ReportKey
	for i, k := range waited {
		a, err := d.account(ctx, k.Account)
		if errors.Is(err, db.ErrNotFound) {
			ended = append(ended, k)
			continue
		} else if err != nil {
			return nil, err
		}
		numbers, ids, index = append(numbers, a.Number), append(ids, k.ID), append(index, int32(i))
	}
	more, err := pg.Column[int32](d.pool.Direct(ctx), `SELECT i FROM unnest($1::int[], $2::uuid[], $3::int[]) w(a, r, i)
		WHERE NOT EXISTS (SELECT FROM queue WHERE account = w.a AND id = w.r)`, numbers, ids, index)
	for _, i := range more {
		ended = append(ended, waited[i])
	}
	return ended, err
}
