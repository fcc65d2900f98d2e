package postgres

import (
	"context"
	"github.com/google/uuid"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"time"
)

// SharedProject is documented in db.Store.
func (d *DB) SharedProject(ctx context.Context, share string) (account string, shown db.Project, err error) {
	err = errNotBuilt
	return
}

// UpdateProject is documented in db.Store.
func (d *DB) UpdateProject(ctx context.Context, account, nameOrID string, c db.ProjectChange, check func(db.Project) error) (_ db.Project, err error) {
	err = errNotBuilt
	return
}

// Accept is documented in db.Store.
func (d *DB) Accept(ctx context.Context, account, nameOrID string, n db.NewAccepted) (made db.Accepted, again bool, err error) {
	err = errNotBuilt
	return
}

// AcceptedOutcomes is documented in db.Store.
func (d *DB) AcceptedOutcomes(ctx context.Context, account, nameOrID string, q sortfilter.Query) (_ db.Page[db.Accepted], err error) {
	err = errNotBuilt
	return
}

// Unaccept is documented in db.Store.
func (d *DB) Unaccept(ctx context.Context, account, nameOrID string, id uuid.UUID) error {
	return errNotBuilt
}

// ExpireAccepted is documented in db.Store.
func (d *DB) ExpireAccepted(ctx context.Context) (next time.Time, err error) {
	err = errNotBuilt
	return
}
