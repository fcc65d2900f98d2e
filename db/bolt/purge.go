package bolt

import (
	"context"
	"encoding/binary"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/live"
)

// purge removes, in the background, what the account's deleted projects and its crawls left.
func (d *DB) purge(account string) {
	d.purging.Go(func() {
		_ = d.purgeAll(d.closing, account) // where it fails, the next start goes on
	})
}

// purgeAll removes what the account's deleted projects and its crawls left.
func (d *DB) purgeAll(ctx context.Context, account string) error {
	p := live.NewPace()
	for more := true; more && ctx.Err() == nil; {
		if err := d.remove(ctx, account, func(a *accountTx) (err error) {
			p.Begin()
			more, err = a.purgeSome(p.Reports)
			return err
		}); err != nil {
			return err
		}
		p.End()
	}
	return ctx.Err()
}

// resumePurges goes on with what was being removed when the file was closed.
func (d *DB) resumePurges() error {
	names, err := d.accountsPurging()
	for _, name := range names {
		d.purge(name)
	}
	return err
}

// accountsPurging returns the accounts in which something is left of deleted projects or of crawls.
func (d *DB) accountsPurging() (names []string, err error) {
	err = d.file.Read(d.closing, func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			if a.dropped() != nil || crawled.Purging(a.tenant()) {
				names = append(names, a.name)
			}
			return nil
		})
	})
	return names, err
}

// purgeSome removes up to n reports of a deleted project, or else of what crawls have left, and says whether there may be more.
func (a *accountTx) purgeSome(n int) (more bool, err error) {
	number, _ := a.bucket(droppedBucket).Cursor().First()
	if number == nil {
		return crawled.PurgeSome(a.tenant(), n)
	}
	project := binary.BigEndian.Uint32(number)
	ids := a.idsOfProject(project, n)
	if len(ids) == 0 {
		return true, a.bucket(droppedBucket).Delete(numberKey(project))
	}
	var x indexing
	for _, id := range ids {
		r, err := a.record(id)
		if err != nil {
			return false, err
		}
		x.replace(r, nil)
		if err := a.removeRecord(r); err != nil {
			return false, err
		}
	}
	x.counts = nil // they went with the project
	return true, x.apply(a)
}

// idsOfProject returns up to n ids of a project's indexed reports, the oldest first: they stand together in most of what is stored.
func (a *accountTx) idsOfProject(project uint32, n int) []uuid.UUID {
	m := a.mergeRanges(byID, project, allResults, false)
	var ids []uuid.UUID
	for len(ids) < n {
		key := m.Next()
		if key == nil {
			break
		}
		ids = append(ids, keyID(key))
	}
	return ids
}
