package bolt

import (
	"context"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
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
		if err := a.change(r, c, passwordHash, milliseconds(d.options.Now())); err != nil {
			return err
		}
		shown, f, err = d.showWhole(a, r)
		return err
	}); err != nil {
		return db.Report{}, nil, err
	}
	if c.Regenerate {
		d.announce(db.News{Account: account, Queued: true})
	}
	found, err := f.compared()
	return shown, found, err
}

// checked returns a record that check, where not nil, lets pass.
func (d *DB) checked(a *accountTx, id uuid.UUID, check func(db.Report) error) (*record, error) {
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
func (a *accountTx) change(r *record, c db.Change, passwordHash string, now int64) error {
	privacy, hash, err := c.ApplyPrivacy(r.privacy, r.passwordHash, passwordHash)
	if err != nil {
		return err
	}
	r.privacy, r.passwordHash = privacy, hash
	if c.Regenerate {
		if err := a.unqueue(r); err != nil {
			return err
		}
		r.status, r.failure, r.queued = db.Queued, nil, max(now, r.queued+1) // another moment than the audit that may be running
		if err := a.enqueue(r); err != nil {
			return err
		}
	}
	r.updated = now
	r.revision++
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
		d.announce(db.News{Account: account, Deleted: true})
	}
	return err
}

// delete removes a record and its indexes. A project stays when its last report goes.
func (a *accountTx) delete(r *record) error {
	if !r.fresh {
		var x indexing
		x.replace(r, nil)
		if err := x.apply(a); err != nil {
			return err
		}
	}
	return a.removeRecord(r)
}
