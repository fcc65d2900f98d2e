package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/postgres/internal/pg"
)

// UpdateReport is documented in db.Store.
func (d *DB) UpdateReport(ctx context.Context, account string, id uuid.UUID, c db.Change, check func(db.Report) error) (db.Report, *audit.Report, error) {
	passwordHash, err := c.HashPassword(ctx)
	if err != nil {
		return db.Report{}, nil, err
	}
	var shown db.Report
	var f findings
	if err := d.remove(ctx, account, func(a *pg.Account) error {
		r, err := d.checked(a, id, check)
		if err != nil {
			return err
		}
		if err := r.Change(c, passwordHash, d.ms()); err != nil {
			return err
		}
		var b pgx.Batch
		update(&b, a.Number, &r.Record)
		if c.Regenerate {
			enqueue(&b, a.Number, &r)
		}
		if err := a.Send(&b); err != nil {
			return err
		}
		shown, f, err = d.showWhole(a, &r)
		return err
	}); err != nil {
		return db.Report{}, nil, err
	}
	if c.Regenerate {
		d.Listeners.Tell(db.News{Account: account, Queued: true})
	}
	found, err := f.compared()
	return shown, found, err
}

// enqueue has b note that a report waits. One that is being audited stays claimed.
func enqueue(b *pgx.Batch, account int32, r *row) {
	b.Queue("INSERT INTO queue (account, id, queued, url) VALUES ($1, $2, $3, $4) ON CONFLICT (account, id) DO UPDATE SET queued = EXCLUDED.queued", account, r.ID, r.Queued, r.URL)
}

// checked returns a report that check, where not nil, lets pass.
func (d *DB) checked(a *pg.Account, id uuid.UUID, check func(db.Report) error) (row, error) {
	r, err := liveRow(a.Tx, a.Number, id)
	if err != nil || check == nil {
		return r, err
	}
	shown, err := d.show(&r)
	if err != nil {
		return r, err
	}
	return r, check(shown)
}

// DeleteReport is documented in db.Store.
func (d *DB) DeleteReport(ctx context.Context, account string, id uuid.UUID, check func(db.Report) error) error {
	err := d.remove(ctx, account, func(a *pg.Account) error {
		r, err := d.checked(a, id, check)
		if err != nil {
			return err
		}
		return d.deleteReport(a, &r)
	})
	if err == nil {
		d.Listeners.Tell(db.News{Account: account, Deleted: true})
		d.Ledger.JudgeRest(account)
	}
	return err
}

// deleteReport removes a report with all that is derived from it. A project stays when its last report goes.
func (d *DB) deleteReport(a *pg.Account, r *row) error {
	var b pgx.Batch
	d.changeIndexes(&b, a.Ref, &r.Record, nil)
	if err := a.Send(&b); err != nil {
		return err
	}
	return d.removeReports(a, r.Project, []uuid.UUID{r.ID})
}

// removeReports removes reports of a project with all that stands under their ids.
func (d *DB) removeReports(a *pg.Account, project uint32, ids []uuid.UUID) error {
	var b pgx.Batch
	for _, table := range []string{"reports", "found", "queue"} {
		b.Queue("DELETE FROM "+table+" WHERE account = $1 AND id = ANY($2)", a.Number, ids)
	}
	b.Queue("DELETE FROM answers WHERE account = $1 AND report = ANY($2) AND others IS NULL", a.Number, ids)
	b.Queue("UPDATE answers SET status = 0, response = NULL WHERE account = $1 AND others IS NOT NULL AND (report = ANY($2) OR others && $2)", a.Number, ids)
	removeGenerations(&b, a.Number, ids)
	if err := a.Send(&b); err != nil {
		return err
	}
	return d.reportsRemoved(a, project, ids)
}
