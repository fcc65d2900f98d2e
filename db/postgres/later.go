package postgres

import (
	"context"
	"errors"
	"github.com/google/uuid"
	"io"
	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"time"
)

var errNotBuilt = errors.New("not built yet")

// DeleteOlder is documented in db.Store.
func (d *DB) DeleteOlder(ctx context.Context, before time.Time) (removed int, err error) {
	err = errNotBuilt
	return
}

// Generations is documented in db.Store.
func (d *DB) Generations(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (_ db.Page[db.Generation], err error) {
	err = errNotBuilt
	return
}

// Generation is documented in db.Store.
func (d *DB) Generation(ctx context.Context, account string, id uuid.UUID, number int) (_ db.Generation, _ db.Report, _ *audit.Report, err error) {
	err = errNotBuilt
	return
}

// Diff is documented in db.Store.
func (d *DB) Diff(ctx context.Context, account string, id uuid.UUID, from, to int) (_ db.Diff, err error) {
	err = errNotBuilt
	return
}

// Export is documented in db.Store.
func (d *DB) Export(ctx context.Context, account string, w io.Writer) error { return errNotBuilt }

// Import is documented in db.Store.
func (d *DB) Import(ctx context.Context, account string, r io.Reader, progress func(db.ImportStats)) (_ db.ImportStats, err error) {
	err = errNotBuilt
	return
}
