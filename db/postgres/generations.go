package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/past"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// viewReport is view with a report.
func (d *DB) viewReport(ctx context.Context, account string, id uuid.UUID, read func(*pg.Account, *row) error) error {
	return d.view(ctx, account, func(a *pg.Account) error {
		r, err := liveRow(a.Tx, a.Number, id)
		if err != nil {
			return err
		}
		return read(a, &r)
	})
}

// Generations is documented in db.Store.
func (d *DB) Generations(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (page db.Page[db.Generation], err error) {
	err = d.viewReport(ctx, account, id, func(a *pg.Account, r *row) error {
		standing, _, err := generationsOf(a).Standing(&r.Record)
		if err != nil {
			return err
		}
		skipped := min(q.Offset(), standing.Newest)
		from, to := standing.Newest-skipped-q.PerPage+1, standing.Newest-skipped
		if q.Ascending {
			from, to = skipped+1, min(skipped+q.PerPage, standing.Newest)
		}
		page.Total = standing.Newest
		page.Rows, err = generationsOf(a).Span(&r.Record, from, to)
		return err
	})
	if !q.Ascending {
		slices.Reverse(page.Rows)
	}
	return page, err
}

// Generation is documented in db.Store.
func (d *DB) Generation(ctx context.Context, account string, id uuid.UUID, number int) (g db.Generation, shown db.Report, found *audit.Report, err error) {
	var packed []byte
	if err = d.viewReport(ctx, account, id, func(a *pg.Account, r *row) error {
		read, err := generationsOf(a).Span(&r.Record, number, number)
		if err == nil && len(read) == 0 {
			err = fmt.Errorf("generation %d: %w", number, db.ErrNotFound)
		}
		if err != nil {
			return err
		}
		g = read[0]
		if packed, err = generationsOf(a).FindingsOf(&r.Record, number); err != nil {
			return err
		}
		shown, err = d.show(r)
		return err
	}); err == nil {
		found, err = record.UnpackFound(id, packed)
	}
	return g, shown, found, err
}

// Diff is documented in db.Store.
func (d *DB) Diff(ctx context.Context, account string, id uuid.UUID, from, to int) (diff db.Diff, err error) {
	err = d.viewReport(ctx, account, id, func(a *pg.Account, r *row) error {
		standing, _, err := generationsOf(a).Standing(&r.Record)
		if err != nil {
			return err
		}
		diff, err = past.Diff(standing, func(from, to int) ([]db.Generation, error) { return generationsOf(a).Span(&r.Record, from, to) }, from, to)
		return err
	})
	return diff, err
}
