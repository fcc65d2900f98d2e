package bolt

import (
	"context"
	"errors"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// CreateReport is documented in db.Store.
func (d *DB) CreateReport(ctx context.Context, account string, n db.NewReport) (db.Report, error) {
	for {
		if n.IdempotencyKey != "" {
			if earlier, err := d.createdEarlier(ctx, account, n); !errors.Is(err, db.ErrNotFound) {
				return earlier, err
			}
		}
		made, err := d.CreateReports(ctx, account, n, n.URL)
		if err == nil {
			return made[0], nil
		} else if !errors.Is(err, db.ErrCreatedBefore) {
			return db.Report{}, err
		}
	}
}

// createdEarlier returns the report that a create like n made with its idempotency key, or ErrNotFound.
func (d *DB) createdEarlier(ctx context.Context, account string, n db.NewReport) (shown db.Report, err error) {
	earlier, err := d.KeptResponse(ctx, account, n)
	if err != nil {
		return db.Report{}, err
	}
	err = d.view(ctx, account, func(a *accountTx) error {
		r, err := a.liveRecord(earlier.ReportID)
		if err != nil {
			return err
		}
		shown, err = d.showRecord(a, r)
		return err
	})
	return shown, err
}

// CreateReports is documented in db.Store.
func (d *DB) CreateReports(ctx context.Context, account string, n db.NewReport, addresses ...string) ([]db.Report, error) {
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
		for i, n := range wanted {
			r, err := a.create(draft, n, &d.ids, record.Milliseconds(d.options.Now()))
			if err != nil {
				return err
			}
			if i == 0 { // the first stands for all
				if err := a.keepAsked(n.IdempotencyKey, asked, r); err != nil {
					return err
				}
			}
			if shown[i], err = d.showRecord(a, r); err != nil {
				return err
			}
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

// keepAsked notes what a create with an idempotency key asked for, unless another has made a report with that key.
func (a *accountTx) keepAsked(idempotencyKey string, asked db.Asked, r *record.Record) error {
	if idempotencyKey == "" {
		return nil
	}
	_, err := a.kept(idempotencyKey, r.Created)
	switch {
	case err == nil:
		return db.ErrCreatedBefore
	case !errors.Is(err, db.ErrNotFound):
		return err
	}
	return a.putKept(idempotencyKey, &record.Kept{ReportID: r.ID, Asked: asked, Stored: r.Created})
}
