package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/weburl"
)

// AccountsWaiting is documented in db.Store.
func (d *DB) AccountsWaiting(ctx context.Context) ([]string, error) {
	return pg.Column[string](d.pool.Direct(ctx), "SELECT name FROM accounts a WHERE EXISTS (SELECT FROM queue q WHERE q.account = a.account) ORDER BY name")
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

// Claim is documented in db.Store. A job is also refused while other servers have all places of its host.
func (d *DB) Claim(ctx context.Context, j db.Job) (bool, error) {
	a, err := d.account(ctx, j.Account)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	d.fleet.mu.Lock()
	defer d.fleet.mu.Unlock()
	if ok, err := d.takePlace(ctx, j.URL); !ok || err != nil {
		d.fleet.again = d.fleet.again || err == nil
		return false, err
	}
	claimed, err := d.pool.Lax(ctx).Exec("UPDATE queue SET server = $3 WHERE account = $1 AND id = $2 AND server IS NULL", a.Number, j.ID, d.fleet.server)
	if claimed == 0 {
		err = errors.Join(err, d.leavePlace(ctx, j.URL))
	}
	return claimed == 1, err
}

// takePlace takes a place of the host of an address, unless an audit of the address has one, and reports whether there is one. The caller holds
// the lock of the fleet.
func (d *DB) takePlace(ctx context.Context, address string) (bool, error) {
	if p := d.fleet.places[address]; p != nil {
		p.claims++
		return true, nil
	}
	host := weburl.Restore(address).HostKey()
	if time.Now().Before(d.fleet.refused[host]) {
		return false, nil
	}
	for n := range d.options.PerHost {
		taken, err := d.pool.Lax(ctx).Exec("INSERT INTO slots (host, n, server) VALUES ($1, $2, $3) ON CONFLICT (host, n) DO NOTHING", host, n, d.fleet.server)
		if err != nil {
			return false, err
		}
		if taken == 1 {
			d.fleet.places[address] = &place{host, n, 1}
			return true, nil
		}
	}
	d.fleet.refused[host] = time.Now().Add(lookEvery)
	if len(d.fleet.refused) > maxRefused {
		clear(d.fleet.refused)
	}
	return false, nil
}

// maxRefused bounds how many hosts are remembered whose places others have.
const maxRefused = 10_000

// leavePlace takes back what takePlace took. The caller holds the lock of the fleet.
func (d *DB) leavePlace(ctx context.Context, address string) error {
	p := d.fleet.places[address]
	if p == nil { // this server was taken for dead meanwhile
		return nil
	}
	if p.claims > 1 {
		p.claims--
		return nil
	}
	if err := d.pool.Lax(ctx).Write("DELETE FROM slots WHERE host = $1 AND n = $2 AND server = $3", p.host, p.n, d.fleet.server); err != nil {
		return err
	}
	delete(d.fleet.places, address)
	return nil
}

// Release is documented in db.Store. What cannot be released now is with a later beat.
func (d *DB) Release(ctx context.Context, j db.Job) error {
	a, err := d.account(ctx, j.Account)
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	d.fleet.mu.Lock()
	defer d.fleet.mu.Unlock()
	if err == nil {
		err = d.release(ctx, a, j)
	}
	if err != nil {
		d.fleet.owed = append(d.fleet.owed, j)
	}
	return err
}

// release is Release for who has the lock of the fleet.
func (d *DB) release(ctx context.Context, a pg.Ref, j db.Job) error {
	if err := d.pool.Lax(ctx).Write("UPDATE queue SET server = NULL WHERE account = $1 AND id = $2 AND server = $3", a.Number, j.ID, d.fleet.server); err != nil {
		return err
	}
	return d.leavePlace(ctx, j.URL)
}

// releaseOwed releases what could not be released before.
func (d *DB) releaseOwed(ctx context.Context) error {
	d.fleet.mu.Lock()
	owed := d.fleet.owed
	d.fleet.owed = nil
	d.fleet.mu.Unlock()
	var all error
	for _, j := range owed {
		all = errors.Join(all, d.Release(ctx, j))
	}
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
