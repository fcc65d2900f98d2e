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
)

func queueKey(r *record) []byte {
	return append(binary.BigEndian.AppendUint64(nil, uint64(r.queued)), r.id[:]...)
}

// enqueue notes that an indexed report waits. A fresh one needs no note.
func (a *accountTx) enqueue(r *record) error {
	if r.fresh || r.status != db.Queued {
		return nil
	}
	return a.bucket(queueBucket).Put(queueKey(r), nil)
}

// unqueue takes back what enqueue noted.
func (a *accountTx) unqueue(r *record) error {
	if r.fresh || r.status != db.Queued {
		return nil
	}
	return a.bucket(queueBucket).Delete(queueKey(r))
}

// AccountsWaiting is documented in db.Store.
func (d *DB) AccountsWaiting(ctx context.Context) ([]string, error) {
	var names []string
	err := d.file.Read(func(tx *bbolt.Tx) error {
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
	var waiting []*record
	if err := d.view(account, func(a *accountTx) (err error) {
		waiting, err = a.waitingBehind(queueKey(&record{queued: after.Queued, id: after.ID}), limit)
		return err
	}); err != nil && !errors.Is(err, db.ErrNotFound) {
		return nil, err
	}
	jobs := make([]db.Job, 0, min(limit, len(waiting)))
	for _, r := range waiting[:min(limit, len(waiting))] {
		jobs = append(jobs, db.Job{Account: account, ID: r.id, URL: r.url, Queued: r.queued})
	}
	return jobs, nil
}

// waitingBehind returns the records whose queue key comes behind a key, in that order: all of the first limit, and perhaps more.
func (a *accountTx) waitingBehind(key []byte, limit int) ([]*record, error) {
	var waiting []*record
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
		if !a.isDropped(r.project) {
			waiting = append(waiting, r)
		}
	}
	err := a.eachFresh(func(r *record) error {
		if r.status == db.Queued && !a.isDropped(r.project) && bytes.Compare(queueKey(r), key) > 0 {
			waiting = append(waiting, r)
		}
		return nil
	})
	slices.SortFunc(waiting, func(x, y *record) int { return bytes.Compare(queueKey(x), queueKey(y)) })
	return waiting, err
}

// FinishReport is documented in db.Store.
func (d *DB) FinishReport(ctx context.Context, j db.Job, found *audit.Report, failure *audit.Failure) error {
	var packed []byte
	if found != nil {
		var err error
		if packed, err = packFound(found); err != nil {
			return err
		}
	}
	return d.file.Add(ctx, func(tx *bbolt.Tx) error {
		a, err := readAccount(tx, j.Account)
		if err != nil {
			return err
		}
		old, err := a.liveRecord(j.ID)
		if err != nil {
			return err
		}
		done := *old
		done.finish(j, found, failure, milliseconds(d.options.Now()))
		if packed != nil {
			if err := a.bucket(foundBucket).Put(done.id[:], packed); err != nil {
				return fmt.Errorf("storing what was found: %w", err)
			}
		}
		if err := a.replaceRecord(old, &done); err != nil || d.options.KeepGenerations == 0 {
			return err
		}
		return a.deleteSurplus(&done, d.options.KeepGenerations)
	})
}

// finish changes a record to what an audit brought.
func (r *record) finish(j db.Job, found *audit.Report, failure *audit.Failure, now int64) {
	again := r.queued != j.Queued
	if found != nil {
		r.result, r.score, r.generated, r.traits = found.Result, uint8(found.Score), milliseconds(found.GeneratedAt), traitsOf(&found.Page)
	}
	switch {
	case again:
		r.status = db.Queued
	case found != nil:
		r.status, r.failure, r.queued = db.Done, nil, 0
	default:
		r.status, r.failure, r.queued = db.Failed, failure, 0
	}
	r.updated = now
	r.revision++
}

// replaceRecord stores new, which was old, with its indexes and its place in the queue. A fresh report becomes an indexed one.
func (a *accountTx) replaceRecord(old, new *record) error {
	var x indexing
	if old.fresh {
		if err := a.settle(new, &x); err != nil {
			return err
		}
		return x.apply(a)
	}
	x.replace(old, new)
	return errors.Join(a.unqueue(old), a.enqueue(new), a.putRecord(new), x.apply(a))
}
