package bolt

import (
	"context"
	"errors"

	"sitegrade/db"
)

// Claim is documented in db.Store. Claims are kept in memory only.
func (d *DB) Claim(ctx context.Context, j db.Job) (bool, error) {
	if !d.running.Add(j.Account, j.ID) {
		return false, nil
	}
	status, err := d.Status(ctx, j.Account, j.ID)
	if err == nil && status == db.Running {
		return true, nil
	}
	d.running.Remove(j.Account, j.ID)
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return false, err
}

// Release is documented in db.Store.
func (d *DB) Release(ctx context.Context, j db.Job) error {
	d.running.Remove(j.Account, j.ID)
	return nil
}

// Ended is documented in db.Store. Nobody else has the file open.
func (d *DB) Ended(context.Context, []db.ReportKey) ([]db.ReportKey, error) { return nil, nil }
