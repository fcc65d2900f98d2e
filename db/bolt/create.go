package bolt

import (
	"context"
	"errors"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/internal/record"
)

// CreateReport is documented in db.Store.
func (d *DB) CreateReport(ctx context.Context, account string, n db.NewReport) (db.Report, error) {
	made, err := d.CreateReports(ctx, account, n, n.URL)
	if err != nil {
		return db.Report{}, err
	}
	return made[0], nil
}

// CreateReports is documented in db.Store.
func (d *DB) CreateReports(ctx context.Context, account string, n db.NewReport, addresses ...string) ([]db.Report, error) {
	for {
		if n.IdempotencyKey != "" {
			if earlier, err := d.createdEarlier(ctx, account, n, len(addresses)); !errors.Is(err, db.ErrNotFound) {
				return earlier, err
			}
		}
		if made, err := d.createAll(ctx, account, n, addresses); !errors.Is(err, db.ErrCreatedBefore) {
			return made, err
		}
	}
}

// createdEarlier returns the reports that a create like n made with its idempotency key, or ErrNotFound. Those deleted since are zero.
func (d *DB) createdEarlier(ctx context.Context, account string, n db.NewReport, addresses int) (shown []db.Report, err error) {
	if _, err := d.KeptResponse(ctx, account, n); err != nil {
		return nil, err
	}
	err = d.view(ctx, account, func(a *accountTx) error {
		k, err := a.kept(n.IdempotencyKey, record.Milliseconds(d.options.Now()))
		if err != nil {
			return err
		}
		shown = make([]db.Report, addresses)
		made := k.Made()
		if len(made) != addresses {
			return db.ErrIdempotencyMismatch
		}
		for i, id := range made {
			r, err := a.liveRecord(id)
			if err == nil {
				shown[i], err = d.showRecord(a, r)
			}
			if err != nil && !errors.Is(err, db.ErrNotFound) {
				return err
			}
		}
		return nil
	})
	return shown, err
}

// createAll is CreateReports but for an idempotency key that has made reports, which is ErrCreatedBefore.
func (d *DB) createAll(ctx context.Context, account string, n db.NewReport, addresses []string) ([]db.Report, error) {
	wanted, err := n.ForEach(addresses)
	if err != nil {
		return nil, err
	}
	passwordHash := ""
	if n.Privacy == db.Password {
		if passwordHash, err = auth.HashPassword(ctx, n.Password); err != nil {
			return nil, err
		}
	}
	var asked db.Asked
	if n.IdempotencyKey != "" {
		if asked, err = n.Asked(passwordHash); err != nil {
			return nil, err
		}
	}
	draft := record.New(n, passwordHash)
	shown := make([]db.Report, len(wanted))
	if err := d.add(ctx, account, func(a *accountTx) error {
		now := record.Milliseconds(d.options.Now())
		made := &record.Kept{Asked: asked, Stored: now}
		for i, n := range wanted {
			r, err := a.create(draft, n, &d.ids, now)
			if err != nil {
				return err
			}
			if i == 0 {
				made.ReportID = r.ID
			} else {
				made.Others = append(made.Others, r.ID)
			}
			if shown[i], err = d.showRecord(a, r); err != nil {
				return err
			}
		}
		if err := a.keepMade(n.IdempotencyKey, made); err != nil {
			return err
		}
		return a.limitFresh()
	}); err != nil {
		return nil, err
	}
	d.Listeners.Tell(db.News{Account: account, Queued: true})
	return shown, nil
}

func (a *accountTx) create(draft record.Record, n db.NewReport, ids *record.IDs, now int64) (*record.Record, error) {
	p, err := a.makeProject(n.Project, ids, now)
	if err != nil {
		return nil, err
	}
	r := draft
	r.URL = n.URL
	r.ID, r.Project, r.Fresh = ids.Next(record.Instant(now)), p.number, true
	r.Created, r.Updated, r.Queued = now, now, now
	return &r, a.putRecord(&r)
}

// keepMade notes what a create with an idempotency key made, unless another has made reports with that key.
func (a *accountTx) keepMade(idempotencyKey string, made *record.Kept) error {
	if idempotencyKey == "" {
		return nil
	}
	_, err := a.kept(idempotencyKey, made.Stored)
	switch {
	case err == nil:
		return db.ErrCreatedBefore
	case !errors.Is(err, db.ErrNotFound):
		return err
	}
	return kept.Put(a.tenant(), idempotencyKey, made)
}
