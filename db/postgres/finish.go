package postgres

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/generations"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
)

// auditEnd is what came of an audit.
type auditEnd struct {
	job     db.Job        // zero for a crawl, which nobody has queued
	found   *audit.Report // nil where it failed
	packed  []byte
	failure *audit.Failure
	next    db.Generation
	now     int64
	row     *row       // the report as it was
	isNew   bool       // the report is yet to be stored
	read    *shelfRead // what was read ahead; nil for nothing
}

// FinishReport is documented in db.Store.
func (d *DB) FinishReport(ctx context.Context, j db.Job, found *audit.Report, failure *audit.Failure) error {
	now := d.ms()
	end := auditEnd{job: j, found: found, failure: failure, next: db.FailedGeneration(failure, record.Instant(now)), now: now}
	if found != nil {
		var err error
		if end.packed, err = record.PackFound(found); err != nil {
			return err
		}
		end.next = db.GenerationOf(found)
	}
	raised := false
	err := d.remove(ctx, j.Account, func(a *pg.Account) error {
		r, err := liveRow(a.Tx, a.Number, j.ID)
		if err != nil {
			return err
		}
		var server *uuid.UUID
		if r.running {
			if err := a.Row("SELECT server FROM queue WHERE account = $1 AND id = $2", []any{a.Number, j.ID}, &server); err != nil {
				return err
			}
		}
		if d.isElsewhere(&r, server) {
			return nil
		}
		end.row = &r
		if raised, err = d.finish(a, end); err != nil || d.options.KeepReports == 0 {
			return err
		}
		return d.deleteSurplus(a, &r.Record, d.options.KeepReports)
	})
	if err == nil && d.options.KeepReports > 0 {
		d.Ledger.JudgeRest(j.Account)
	}
	if err == nil && raised {
		d.Listeners.Tell(db.News{Account: j.Account, Told: true})
	}
	return err
}

// finish stores what came of the audit of a report, whose row is as it is stored from then on. It reports whether somebody is told of it.
func (d *DB) finish(a *pg.Account, o auditEnd) (raised bool, err error) {
	old := &o.row.Record
	if err := o.generations(a).Add(old, &o.next, d.options.KeepFindings); err != nil {
		return false, err
	}
	done := *old
	done.Finish(o.job, o.found, o.failure, o.now)
	done.Fresh = false
	var b pgx.Batch
	if o.packed != nil {
		b.Queue("INSERT INTO found (account, id, packed) VALUES ($1, $2, $3) ON CONFLICT (account, id) DO UPDATE SET packed = EXCLUDED.packed", a.Number, done.ID, o.packed)
	}
	if o.isNew {
		b.Queue(insertReport, values(a.Number, &done)...)
		d.changeIndexes(&b, a.Ref, nil, &done)
	} else {
		update(&b, a.Number, &done)
		d.changeIndexes(&b, a.Ref, old, &done)
	}
	if old.Queued > 0 && done.Status != db.Queued {
		b.Queue("DELETE FROM queue WHERE account = $1 AND id = $2", a.Number, done.ID)
	}
	a.Later(&b)
	if o.read != nil && o.packed != nil {
		o.read.found[done.ID] = o.packed
	}
	raised, err = d.finished(a, &done, &o)
	o.row.Record = done
	return raised, err
}

// generations returns the generations of the account.
func (o *auditEnd) generations(a *pg.Account) generations.Store {
	return generations.Store{Shelf: shelf{a, o.read}}
}

// shown returns the report as readers see it once the audit is done.
func (d *DB) shown(done *record.Record, o *auditEnd) (db.Report, error) {
	r := *o.row
	r.Record, r.running = *done, r.running && done.Status == db.Queued
	return d.show(&r)
}
