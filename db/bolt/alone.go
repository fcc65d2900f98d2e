package bolt

import (
	"context"
	"time"

	"sitegrade/db"
)

// Servers is documented in db.Store. Nobody else has the file open.
func (d *DB) Servers() int { return 1 }

// Server is documented in db.Store.
func (d *DB) Server() string { return "" }

// UseAllowances is documented in db.Store. They are kept in memory only.
func (d *DB) UseAllowances(_ context.Context, of []db.Allowance, use func(back []time.Duration)) error {
	d.allowances.Use(of, d.options.Now(), use)
	return nil
}

// Serve is documented in db.Store.
func (d *DB) Serve(_ context.Context, account string, n db.NewReport) (end func(), err error) {
	return d.served.Begin(account, n)
}
