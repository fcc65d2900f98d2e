package postgres

import (
	"context"
	"github.com/google/uuid"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// CreateForm is documented in db.Store.
func (d *DB) CreateForm(ctx context.Context, account string, n db.NewForm) (made db.Form, again bool, err error) {
	err = errNotBuilt
	return
}

// Forms is documented in db.Store.
func (d *DB) Forms(ctx context.Context, account string, q sortfilter.Query) (_ db.Page[db.Form], err error) {
	err = errNotBuilt
	return
}

// Form is documented in db.Store.
func (d *DB) Form(ctx context.Context, account string, id uuid.UUID) (_ db.Form, err error) {
	err = errNotBuilt
	return
}

// UpdateForm is documented in db.Store.
func (d *DB) UpdateForm(ctx context.Context, account string, id uuid.UUID, c db.FormChange, check func(db.Form) error) (_ db.Form, err error) {
	err = errNotBuilt
	return
}

// DeleteForm is documented in db.Store.
func (d *DB) DeleteForm(ctx context.Context, account string, id uuid.UUID, check func(db.Form) error) error {
	return errNotBuilt
}

// FormByShare is documented in db.Store.
func (d *DB) FormByShare(ctx context.Context, share string) (account string, f db.Form, err error) {
	err = errNotBuilt
	return
}

// CreateLead is documented in db.Store.
func (d *DB) CreateLead(ctx context.Context, share string, n db.NewLead) (_ db.Report, err error) {
	err = errNotBuilt
	return
}
