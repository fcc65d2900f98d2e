package bolt

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// UpdateReport is documented in db.Store.
func (d *DB) UpdateReport(ctx context.Context, account string, id uuid.UUID, c db.Change, check func(db.Report) error) (db.Report, *audit.Report, error) {
	passwordHash, err := c.HashPassword(ctx)
	if err != nil {
		return db.Report{}, nil, err
	}
	var shown db.Report
	var f findings
	if err := d.add(ctx, account, func(a *accountTx) error {
		r, err := d.checked(a, id, check)
		if err != nil {
			return err
		}
		if err := a.change(r, c, passwordHash, record.Milliseconds(d.options.Now())); err != nil {
			return err
		}
		shown, f, err = d.showWhole(a, r)
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

// checked returns a record that check, where not nil, lets pass.
func (d *DB) checked(a *accountTx, id uuid.UUID, check func(db.Report) error) (*record.Record, error) {
	r, err := a.liveRecord(id)
	if err != nil || check == nil {
		return r, err
	}
	shown, err := d.showRecord(a, r)
	if err != nil {
		return nil, err
	}
	return r, check(shown)
}

// change applies c to a record and stores it.
func (a *accountTx) change(r *record.Record, c db.Change, passwordHash string, now int64) error {
	old := *r
	if err := r.Change(c, passwordHash, now); err != nil {
		return err
	}
	if c.Regenerate {
		if err := errors.Join(a.unqueue(&old), a.enqueue(r)); err != nil {
			return err
		}
	}
	return a.putRecord(r)
}

// DeleteReport is documented in db.Store.
func (d *DB) DeleteReport(ctx context.Context, account string, id uuid.UUID, check func(db.Report) error) error {
	err := d.remove(ctx, account, func(a *accountTx) error {
		r, err := d.checked(a, id, check)
		if err != nil {
			return err
		}
		return a.delete(r)
	})
	if err == nil {
		d.Listeners.Tell(db.News{Account: account, Deleted: true})
		d.JudgeRest(account)
	}
	return err
}

// delete removes a record and its indexes. A project stays when its last report goes.
func (a *accountTx) delete(r *record.Record) error {
	if !r.Fresh {
		var x indexing
		x.replace(r, nil)
		if err := x.apply(a); err != nil {
			return err
		}
	}
	return a.removeRecord(r)
}
