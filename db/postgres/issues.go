package postgres

import (
	"context"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// Issues is documented in db.Store.
func (d *DB) Issues(ctx context.Context, account, nameOrID string, q sortfilter.Query) (_ db.Page[db.Issue], err error) {
	err = errNotBuilt
	return
}

// IssueRows is documented in db.Store.
func (d *DB) IssueRows(ctx context.Context, account, nameOrID, check string, q sortfilter.Query) (_ db.Page[db.IssueRow], err error) {
	err = errNotBuilt
	return
}
