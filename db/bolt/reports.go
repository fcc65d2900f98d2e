package bolt

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// record returns a report by its id, or ErrNotFound. A report of a deleted project that is not removed yet is still given.
func (a *accountTx) record(id uuid.UUID) (*record, error) {
	r := new(record)
	if err := a.readRecord(id, r); err != nil {
		return nil, err
	}
	return r, nil
}

// readRecord is record into memory that the caller has.
func (a *accountTx) readRecord(id uuid.UUID, r *record) error {
	stored := a.get(reportsBucket, id[:])
	fresh := stored == nil
	if fresh {
		stored = a.get(freshBucket, id[:])
	}
	if stored == nil {
		return fmt.Errorf("report: %w", db.ErrNotFound)
	}
	if err := r.decode(id, stored); err != nil {
		return err
	}
	r.fresh = fresh
	return nil
}

// liveRecord returns a report by its id, or ErrNotFound, also when its project was deleted.
func (a *accountTx) liveRecord(id uuid.UUID) (*record, error) {
	r, err := a.record(id)
	if err == nil && a.isDropped(r.project) {
		return nil, fmt.Errorf("report: %w", db.ErrNotFound)
	}
	return r, err
}

// putRecord stores a record where it stands, without its indexes.
func (a *accountTx) putRecord(r *record) error {
	if r.fresh {
		return a.bucket(freshBucket).Put(r.id[:], r.encode())
	}
	return a.bucket(reportsBucket).Put(r.id[:], r.encode())
}

// removeRecord removes a record, what was found and the kept response to its create, without its indexes.
func (a *accountTx) removeRecord(r *record) error {
	if err := a.removeKeptOf(r); err != nil {
		return err
	}
	if r.fresh {
		return a.bucket(freshBucket).Delete(r.id[:])
	}
	return errors.Join(
		a.bucket(reportsBucket).Delete(r.id[:]),
		a.bucket(foundBucket).Delete(r.id[:]),
		a.unqueue(r))
}

// show returns a record as readers see it.
func (a *accountTx) show(r *record, ref db.ProjectRef, status db.Status) (db.Report, error) {
	shown := db.Report{
		ID: r.id, Project: ref, URL: r.url, Status: status, Result: r.result, Score: int(r.score), Privacy: r.privacy,
		PasswordHash: r.passwordHash, GeneratedAt: instant(r.generated), CreatedAt: instant(r.created), UpdatedAt: instant(r.updated),
		Failure: r.failure, Revision: r.revision,
	}
	if r.score == noScore {
		shown.Score = db.NoScore
	}
	if r.privacy == db.Private {
		return shown, nil
	}
	share, err := a.share(r.id)
	shown.Share = share
	return shown, err
}

// showRecord is show with the project looked up.
func (d *DB) showRecord(a *accountTx, r *record) (db.Report, error) {
	p, err := a.project(r.project)
	if err != nil {
		return db.Report{}, err
	}
	return a.show(r, p.ref(), d.statusOf(a, r))
}

// Report is documented in db.Store.
func (d *DB) Report(ctx context.Context, account string, id uuid.UUID) (db.Report, *audit.Report, error) {
	var shown db.Report
	var f findings
	if err := d.view(account, func(a *accountTx) (err error) {
		shown, f, err = d.reportIn(a, id)
		return err
	}); err != nil {
		return db.Report{}, nil, err
	}
	found, err := f.compared()
	return shown, found, err
}

// Status is documented in db.Store.
func (d *DB) Status(ctx context.Context, account string, id uuid.UUID) (status db.Status, err error) {
	err = d.view(account, func(a *accountTx) error {
		r, err := a.liveRecord(id)
		if err == nil {
			status = d.statusOf(a, r)
		}
		return err
	})
	return status, err
}

// statusOf returns where a record stands for readers.
func (d *DB) statusOf(a *accountTx, r *record) db.Status {
	if r.status == db.Queued && d.running.has(a.name, r.id) {
		return db.Running
	}
	return r.status
}

func (d *DB) reportIn(a *accountTx, id uuid.UUID) (db.Report, findings, error) {
	r, err := a.liveRecord(id)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	return d.showWhole(a, r)
}

// showWhole is showRecord with what is known of the page.
func (d *DB) showWhole(a *accountTx, r *record) (db.Report, findings, error) {
	shown, err := d.showRecord(a, r)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	f, err := a.findings(r)
	return shown, f, err
}
