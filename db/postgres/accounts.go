package postgres

import (
	"context"
	"sitegrade/db"
)

// Account is documented in db.Store.
func (d *DB) Account(ctx context.Context, name string) (_ db.Account, err error) {
	err = errNotBuilt
	return
}

// UpdateAccount is documented in db.Store.
func (d *DB) UpdateAccount(ctx context.Context, name string, c db.AccountChange, check func(db.Account) error) (_ db.Account, err error) {
	err = errNotBuilt
	return
}

// LogoByShare is documented in db.Store.
func (d *DB) LogoByShare(ctx context.Context, share string) (_ db.Logo, err error) {
	err = errNotBuilt
	return
}
