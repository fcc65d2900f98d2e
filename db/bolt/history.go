package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/order"
	"sitegrade/sortfilter"
)

// History is documented in db.Store.
func (d *DB) History(ctx context.Context, account string, of db.Report, limit int) ([]db.Report, error) {
	reports := []db.Report{}
	err := d.view(ctx, account, func(a *accountTx) error {
		p, err := a.findProject(of.Project.ID.String())
		if err != nil {
			return err
		}
		reports, err = d.showAll(a, a.sameURL(p.number, of.URL, limit))
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return reports, nil
	}
	reports = slices.DeleteFunc(reports, func(r db.Report) bool { return r.URL != of.URL }) // the index folds case
	slices.SortFunc(reports, func(x, y db.Report) int {
		return cmp.Or(x.GeneratedAt.Compare(y.GeneratedAt), bytes.Compare(x.ID[:], y.ID[:]))
	})
	return reports, err
}

// sameURL returns the newest ids of rated reports of a project whose folded address is that of url.
func (a *accountTx) sameURL(project uint32, url string, limit int) []uuid.UUID {
	var ids []uuid.UUID
	for _, result := range []audit.Result{audit.Bad, audit.Decent, audit.Good} {
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
