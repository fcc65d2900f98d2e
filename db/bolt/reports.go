package bolt

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
)

// record returns a report by its id, or ErrNotFound. A report of a deleted project that is not removed yet is still given.
func (a *accountTx) record(id uuid.UUID) (*record.Record, error) {
	r := new(record.Record)
	if err := a.readRecord(id, r); err != nil {
		return nil, err
	}
	return r, nil
}

// readRecord is record into memory that the caller has.
func (a *accountTx) readRecord(id uuid.UUID, r *record.Record) error {
	stored := a.get(reportsBucket, id[:])
	fresh := stored == nil
	if fresh {
		stored = a.get(freshBucket, id[:])
	}
	if stored == nil {
		return fmt.Errorf("report: %w", db.ErrNotFound)
	}
	if err := form.ReadInto(r, id, stored); err != nil {
		return err
	}
	r.Fresh = fresh
	return nil
}

// liveRecord returns a report by its id, or ErrNotFound, also when its project was deleted.
func (a *accountTx) liveRecord(id uuid.UUID) (*record.Record, error) {
	r, err := a.record(id)
	if err == nil && a.isDropped(r.Project) {
		return nil, fmt.Errorf("report: %w", db.ErrNotFound)
	}
	return r, err
}

// putRecord stores a record where it stands, without its indexes.
func (a *accountTx) putRecord(r *record.Record) error {
	if r.Fresh {
		return a.bucket(freshBucket).Put(r.ID[:], form.Record(r))
	}
	return a.bucket(reportsBucket).Put(r.ID[:], form.Record(r))
}

// removeRecord removes a record, what was found and the kept response to its create, without its indexes.
func (a *accountTx) removeRecord(r *record.Record) error {
	if err := errors.Join(kept.RemoveOf(a.tenant(), r.ID, r.Created), promised.Forget(a.tenant(), r.Project, r.ID)); err != nil {
		return err
	}
	if r.Fresh {
		return errors.Join(planned.Drop(a.tenant(), r.ID), a.bucket(freshBucket).Delete(r.ID[:]))
	}
	return errors.Join(
		planned.Drop(a.tenant(), r.ID),
		a.bucket(reportsBucket).Delete(r.ID[:]),
		a.bucket(foundBucket).Delete(r.ID[:]),
		a.shelf().Remove(r.ID),
		issues.Remove(a.tenant(), r.Project, r.ID),
		a.unqueue(r))
}

// show returns a record as readers see it.
func (a *accountTx) show(r *record.Record, ref db.ProjectRef, status db.Status) (db.Report, error) {
	shown := r.Show(ref, status)
	if r.Privacy == db.Private {
		return shown, nil
	}
	share, err := a.share(r.ID)
	shown.Share = share
	return shown, err
}

// showRecord is show with the project looked up.
func (d *DB) showRecord(a *accountTx, r *record.Record) (db.Report, error) {
	p, err := a.project(r.Project)
	if err != nil {
		return db.Report{}, err
	}
	return a.show(r, p.ref(), d.statusOf(a, r))
}

// Report is documented in db.Store.
func (d *DB) Report(ctx context.Context, account string, id uuid.UUID) (db.Report, *audit.Report, error) {
	var shown db.Report
	var f findings
	if err := d.view(ctx, account, func(a *accountTx) (err error) {
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
	err = d.view(ctx, account, func(a *accountTx) error {
		r, err := a.liveRecord(id)
		if err == nil {
			status = d.statusOf(a, r)
		}
		return err
	})
	return status, err
}

// statusOf returns where a record stands for readers.
func (d *DB) statusOf(a *accountTx, r *record.Record) db.Status {
	if r.Status == db.Queued && d.running.Has(a.name, r.ID) {
		return db.Running
	}
	return r.Status
}

func (d *DB) reportIn(a *accountTx, id uuid.UUID) (db.Report, findings, error) {
	r, err := a.liveRecord(id)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	return d.showWhole(a, r)
}

// showWhole is showRecord with what is known of the page.
func (d *DB) showWhole(a *accountTx, r *record.Record) (db.Report, findings, error) {
	shown, err := d.showRecord(a, r)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	f, err := d.findings(a, r)
	return shown, f, err
}
