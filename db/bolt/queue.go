package bolt

import (
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

// Queued returns up to limit jobs that wait, of all accounts, those that wait longest first, without those that skip leaves out.
// Jobs that are running are still given: only FinishReport ends them.
func (d *DB) Queued(ctx context.Context, limit int, skip func(db.Job) bool) ([]db.Job, error) {
	var jobs []db.Job
	err := d.read(func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			waiting, err := a.waiting(limit, skip)
			jobs = append(jobs, waiting...)
			return err
		})
	})
	slices.SortStableFunc(jobs, func(x, y db.Job) int { return int(max(-1, min(1, x.Queued-y.Queued))) })
	return jobs[:min(limit, len(jobs))], err
}

// waiting returns up to limit jobs of one account, and up to limit fresh ones.
func (a *accountTx) waiting(limit int, skip func(db.Job) bool) ([]db.Job, error) {
	var jobs []db.Job
	take := func(r *record) {
		job := db.Job{Account: a.name, ID: r.id, URL: r.url, Queued: r.queued}
		if r.status == db.Queued && !a.isDropped(r.project) && !skip(job) {
			jobs = append(jobs, job)
		}
	}
	c := a.bucket(queueBucket).Cursor()
	for k, _ := c.First(); k != nil && len(jobs) < limit; k, _ = c.Next() {
		r, err := a.record(uuid.UUID(k[8:]))
		if err != nil {
			return nil, err
		}
		take(r)
	}
	err := a.eachFresh(func(r *record) error {
		take(r)
		return nil
	})
	return jobs, err
}

// Claim is documented in db.Store. Claims are kept in memory only.
func (d *DB) Claim(ctx context.Context, j db.Job) (bool, error) {
	if !d.running.add(j.Account, j.ID) {
		return false, nil
	}
	status, err := d.Status(ctx, j.Account, j.ID)
	if err == nil && status == db.Running {
		return true, nil
	}
	d.running.remove(j.Account, j.ID)
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return false, err
}

// Release is documented in db.Store.
func (d *DB) Release(ctx context.Context, j db.Job) error {
	d.running.remove(j.Account, j.ID)
	return nil
}

// FinishReport stores what an audit found, or why it failed: one of the two is nil. An earlier result is replaced in the same
// transaction by a new one, and kept by a failure. A report that was queued again meanwhile stays queued. The error is ErrNotFound
// when the report was deleted meanwhile.
func (d *DB) FinishReport(ctx context.Context, j db.Job, found *audit.Report, failure *audit.Failure) error {
	var packed []byte
	if found != nil {
		var err error
		if packed, err = packFound(found); err != nil {
			return err
		}
	}
	return d.writer.add(ctx, func(tx *bbolt.Tx) error {
		a, err := readAccount(tx, j.Account)
		if err != nil {
			return err
		}
		old, err := a.liveRecord(j.ID)
		if err != nil {
			return err
		}
		done := *old
		done.finish(j, found, failure, milliseconds(d.Now()))
		if packed != nil {
			if err := a.bucket(foundBucket).Put(done.id[:], packed); err != nil {
				return fmt.Errorf("storing what was found: %w", err)
			}
		}
		if err := a.replaceRecord(old, &done); err != nil || d.KeepGenerations == 0 {
			return err
		}
		return a.deleteSurplus(&done, d.KeepGenerations)
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
