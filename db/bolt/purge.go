package bolt

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db/bolt/internal/crawled"
)

// removalTime is about how long a transaction may take that removes many reports. Whoever writes meanwhile waits for it.
const removalTime = 8 * time.Millisecond

// A transaction removes so many reports at least and at most. Fewer take hardly less time, since most of it is the commit's.
const minRemoval, maxRemoval = 32, 500

// pace fits the number of reports that a transaction removes to the time that this takes, which depends on the disk and on how far
// apart in the file they stand.
type pace struct {
	reports int // for the next transaction
	began   time.Time
}

func newPace() *pace { return &pace{reports: minRemoval} }

// begin notes when a transaction begins its work. What it waited for before is no reason to do less.
func (p *pace) begin() { p.began = time.Now() }

// end notes that the transaction is on disk.
func (p *pace) end() { p.adapt(time.Since(p.began)) }

// adapt sets the number for the next transaction after one took so long. It moves by half or twice at most, so that a single slow
// commit changes little.
func (p *pace) adapt(took time.Duration) {
	wanted := int(int64(p.reports) * int64(removalTime) / max(1, int64(took)))
	p.reports = min(max(wanted, p.reports/2, minRemoval), 2*p.reports, maxRemoval)
}

// purge removes, in the background, what the account's deleted projects and its crawls left.
func (d *DB) purge(account string) {
	d.purging.Go(func() {
		_ = d.purgeAll(d.closing, account) // where it fails, the next start goes on
	})
}

// purgeAll removes what the account's deleted projects and its crawls left.
func (d *DB) purgeAll(ctx context.Context, account string) error {
	p := newPace()
	for more := true; more && ctx.Err() == nil; {
		if err := d.remove(ctx, account, func(a *accountTx) (err error) {
			p.begin()
			more, err = a.purgeSome(p.reports)
			return err
		}); err != nil {
			return err
		}
		p.end()
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
