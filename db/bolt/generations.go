package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	shelves "sitegrade/db/bolt/internal/generations"
	"sitegrade/db/internal/generations"
	"sitegrade/db/internal/past"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// generations returns the account's generations.
func (a *accountTx) generations() generations.Store {
	return generations.Store{Shelf: a.shelf()}
}

// shelf returns where the account's generations stand.
func (a *accountTx) shelf() *shelves.Shelf {
	return &shelves.Shelf{
		Chunks: a.bucket(generationsBucket), Lists: a.bucket(checkListsBucket), Newest: a.bucket(foundBucket), Earlier: a.bucket(foundBeforeBucket),
	}
}

// viewReport is view with a report.
func (d *DB) viewReport(ctx context.Context, account string, id uuid.UUID, read func(*accountTx, *record.Record) error) error {
	return d.view(ctx, account, func(a *accountTx) error {
		r, err := a.liveRecord(id)
		if err != nil {
			return err
		}
		return read(a, r)
	})
}

// Generations is documented in db.Store.
func (d *DB) Generations(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (page db.Page[db.Generation], err error) {
	err = d.viewReport(ctx, account, id, func(a *accountTx, r *record.Record) error {
		standing, _, err := a.generations().Standing(r)
		if err != nil {
			return err
		}
		skipped := min(q.Offset(), standing.Newest)
		from, to := standing.Newest-skipped-q.PerPage+1, standing.Newest-skipped
		if q.Ascending {
			from, to = skipped+1, min(skipped+q.PerPage, standing.Newest)
		}
		page.Total = standing.Newest
		page.Rows, err = a.generations().Span(r, from, to)
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
	if err = d.viewReport(ctx, account, id, func(a *accountTx, r *record.Record) error {
		read, err := a.generations().Span(r, number, number)
		if err == nil && len(read) == 0 {
			err = fmt.Errorf("generation %d: %w", number, db.ErrNotFound)
		}
		if err != nil {
			return err
		}
		g = read[0]
		if packed, err = a.generations().FindingsOf(r, number); err != nil {
			return err
		}
		packed = bytes.Clone(packed)
		shown, err = d.showRecord(a, r)
		return err
	}); err == nil {
		found, err = record.UnpackFound(id, packed)
	}
	return g, shown, found, err
}

// latestDiff returns what differs between the last two successful generations of a report. It reports false if there are not two.
func (a *accountTx) latestDiff(r *record.Record) (diff db.Diff, found bool, err error) {
	standing, _, err := a.generations().Standing(r)
	if err != nil {
		return db.Diff{}, false, err
	}
	diff, err = past.Diff(standing, func(from, to int) ([]db.Generation, error) { return a.generations().Span(r, from, to) }, 0, 0)
	if errors.As(err, new(*db.InvalidError)) {
		return db.Diff{}, false, nil
	}
	return diff, err == nil, err
}

// Diff is documented in db.Store.
func (d *DB) Diff(ctx context.Context, account string, id uuid.UUID, from, to int) (db.Diff, error) {
	var standing past.Standing
	if err := d.viewReport(ctx, account, id, func(a *accountTx, r *record.Record) (err error) {
		standing, _, err = a.generations().Standing(r)
		return err
	}); err != nil {
		return db.Diff{}, err
	}
	return past.Diff(standing, func(from, to int) (read []db.Generation, err error) {
		err = d.viewReport(ctx, account, id, func(a *accountTx, r *record.Record) error {
			read, err = a.generations().Span(r, from, to)
			return err
		})
		return read, err
	}, from, to)
}
