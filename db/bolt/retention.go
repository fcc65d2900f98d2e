package bolt

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/db/internal/live"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// DeleteOlder is documented in db.Store.
func (d *DB) DeleteOlder(ctx context.Context, before time.Time) (removed int, err error) {
	p := live.NewPace()
	for {
		n := 0
		err := d.file.Remove(ctx, func(tx *bbolt.Tx) error {
			p.Begin()
			n = 0
			return eachAccount(tx, func(a *accountTx) error {
				deleted, err := a.deleteOlder(record.Milliseconds(before), p.Reports-n)
				n += deleted
				return err
			})
		})
		if err != nil || n == 0 {
			return removed, errors.Join(err, d.Ledger.Resume())
		}
		p.End()
		removed += n
	}
}

// deleteOlder removes up to n reports.
func (a *accountTx) deleteOlder(before int64, n int) (removed int, err error) {
	var old []*record.Record
	for result := audit.Unrated; result <= audit.Good && len(old) < n; result++ {
		more, err := a.olderOf(result, before, n-len(old))
		if err != nil {
			return 0, err
		}
		old = append(old, more...)
	}
	for _, r := range old {
		if err := a.delete(r); err != nil {
			return 0, err
		}
	}
	return len(old), nil
}

// olderOf returns up to n records of one result that are older. It reads the range of the index that begins with the oldest, and no more.
func (a *accountTx) olderOf(result audit.Result, before int64, n int) ([]*record.Record, error) {
	column := byGenerated
	if result == audit.Unrated {
		column = byID
	}
	prefix := appendRange(nil, column, wholeAccount, result)
	var old []*record.Record
	c := a.bucket(orderBucket).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix) && len(old) < n; k, _ = c.Next() {
		if column.timeOf(k) >= before {
			break
		}
		r, err := a.record(keyID(k))
		if err != nil {
			return nil, err
		}
		if r.Status != db.Queued && !a.isDropped(r.Project) && (result != audit.Unrated || r.Created < before) {
			old = append(old, r)
		}
	}
	return old, nil
}

// surplusBatch is how many reports of an address go at most when one comes, where there are more than are kept.
const surplusBatch = 20

// deleteSurplus removes the rated reports of r's address in its project that are older than the newest keep of them, and that do
// not wait for an audit.
func (a *accountTx) deleteSurplus(r *record.Record, keep int) error {
	var same []uuid.UUID
	for _, id := range a.sameURL(r.Project, r.URL, ratedResults, keep+surplusBatch) {
		other, err := a.record(id)
		if err != nil {
			return err
		}
		if other.URL == r.URL { // the index folds case
			same = append(same, id)
		}
	}
	for _, id := range same[min(keep, len(same)):] {
		other, err := a.record(id)
		if err != nil {
			return err
		}
		if other.Status != db.Queued && other.ID != r.ID {
			if err := a.delete(other); err != nil {
				return err
			}
		}
	}
	return nil
}

// ratedResults are the results of the reports that have one.
var ratedResults = allResults[1:]

// sameURL returns the newest ids of the reports of a project with one of these results whose folded address is that of url.
func (a *accountTx) sameURL(project uint32, url string, results []audit.Result, limit int) []uuid.UUID {
	var ids []uuid.UUID
	for _, result := range results {
		prefix := appendSortKey(appendRange(nil, byURL, project, result), byURL, nil, sortfilter.Fold(url))
		c := a.bucket(orderBucket).Cursor()
		key, _ := order.EntryAtOrBefore(c, append(bytes.Clone(prefix), bytes.Repeat([]byte{0xff}, 16)...))
		for n := 0; n < limit && bytes.HasPrefix(key, prefix); n++ {
			ids = append(ids, keyID(key))
			key, _ = order.EntryBefore(c, key)
		}
	}
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return bytes.Compare(y[:], x[:]) })
	return ids[:min(limit, len(ids))]
}
