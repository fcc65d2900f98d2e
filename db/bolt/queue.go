package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/record"
)

func queueKey(r *record.Record) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(r.Queued)), r.ID[:]...)
}

// enqueue notes that an indexed report waits. A fresh one needs no note.
func (a *accountTx) enqueue(r *record.Record) error {
	if r.Fresh || r.Status != db.Queued {
		return nil
	}
	return a.bucket(queueBucket).Put(queueKey(r), nil)
}

// unqueue takes back what enqueue noted.
func (a *accountTx) unqueue(r *record.Record) error {
	if r.Fresh || r.Status != db.Queued {
		return nil
	}
	return a.bucket(queueBucket).Delete(queueKey(r))
}

// AccountsWaiting is documented in db.Store.
func (d *DB) AccountsWaiting(ctx context.Context) ([]string, error) {
	var names []string
	err := d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			queued, _ := a.bucket(queueBucket).Cursor().First()
			fresh, _ := a.bucket(freshBucket).Cursor().First()
			if queued != nil || fresh != nil {
				names = append(names, a.name)
			}
			return ctx.Err()
		})
	})
	return names, err
}

// Waiting is documented in db.Store.
func (d *DB) Waiting(ctx context.Context, account string, after db.Job, limit int) ([]db.Job, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var waiting []*record.Record
	if err := d.view(ctx, account, func(a *accountTx) (err error) {
		waiting, err = a.waitingBehind(queueKey(&record.Record{Queued: after.Queued, ID: after.ID}), limit)
		return err
	}); err != nil && !errors.Is(err, db.ErrNotFound) {
		return nil, err
	}
	jobs := make([]db.Job, 0, min(limit, len(waiting)))
	for _, r := range waiting[:min(limit, len(waiting))] {
		jobs = append(jobs, db.Job{Account: account, ID: r.ID, URL: r.URL, Queued: r.Queued})
	}
	return jobs, nil
}

// waitingBehind returns the records whose queue key comes behind a key, in that order: all of the first limit, and perhaps more.
func (a *accountTx) waitingBehind(key []byte, limit int) ([]*record.Record, error) {
	var waiting []*record.Record
	c := a.bucket(queueBucket).Cursor()
	k, _ := c.Seek(key)
	if bytes.Equal(k, key) {
		k, _ = c.Next()
	}
	for ; k != nil && len(waiting) < limit; k, _ = c.Next() {
		r, err := a.record(uuid.UUID(k[8:]))
		if err != nil {
			return nil, err
		}
		if !a.isDropped(r.Project) {
			waiting = append(waiting, r)
		}
	}
	err := a.eachFresh(func(r *record.Record) error {
		if r.Status == db.Queued && !a.isDropped(r.Project) && bytes.Compare(queueKey(r), key) > 0 {
			waiting = append(waiting, r)
		}
		return nil
	})
	slices.SortFunc(waiting, func(x, y *record.Record) int { return bytes.Compare(queueKey(x), queueKey(y)) })
	return waiting, err
}

// FinishReport is documented in db.Store.
func (d *DB) FinishReport(ctx context.Context, j db.Job, found *audit.Report, failure *audit.Failure) error {
	var packed []byte
	now := record.Milliseconds(d.options.Now())
	next := db.FailedGeneration(failure, record.Instant(now))
	if found != nil {
		var err error
		if packed, err = record.PackFound(found); err != nil {
			return err
		}
		next = db.GenerationOf(found)
	}
	raised := false
	err := d.file.Add(ctx, func(tx *bbolt.Tx) error {
		a, err := readAccount(tx, j.Account)
		if err != nil {
			return err
		}
		old, err := a.liveRecord(j.ID)
		if err != nil {
			return err
		}
		var x indexing
		if raised, err = d.finish(a, old, auditEnd{j, found, packed, failure, next, now}, &x); err != nil {
			return err
		}
		if err := x.apply(a); err != nil || d.options.KeepReports == 0 {
			return err
		}
		return a.deleteSurplus(old, d.options.KeepReports)
	})
	if err == nil && d.options.KeepReports > 0 {
		d.JudgeRest(j.Account)
	}
	if err == nil && raised {
		d.Listeners.Tell(db.News{Account: j.Account, Told: true})
	}
	return err
}

// finish stores what came of the audit of a report, which is as it was before, and notes in x what changes in the indexes. It reports whether
// somebody is told of it.
func (d *DB) finish(a *accountTx, old *record.Record, o auditEnd, x *indexing) (raised bool, err error) {
	if err := a.generations().Add(old, &o.next, d.options.KeepFindings); err != nil {
		return false, err
	}
	done := *old
	done.Finish(o.job, o.found, o.failure, o.now)
	if o.packed != nil {
		if err := a.bucket(foundBucket).Put(done.ID[:], o.packed); err != nil {
			return false, fmt.Errorf("storing what was found: %w", err)
		}
		if err := issues.Set(a.tenant(), done.Project, done.ID, o.found); err != nil {
			return false, err
		}
	}
	if err := a.replaceRecord(old, &done, x); err != nil {
		return false, err
	}
	return d.raiseFinished(a, ending{old, &done, &o.next, o.failure, o.job.ID == uuid.Nil})
}

// replaceRecord stores new, which was old, with its place in the queue, and notes in x what changes in the indexes. A fresh report becomes an
// indexed one.
func (a *accountTx) replaceRecord(old, new *record.Record, x *indexing) error {
	if old.Fresh {
		return a.settle(new, x)
	}
	x.replace(old, new)
	return errors.Join(a.unqueue(old), a.enqueue(new), a.putRecord(new))
}
