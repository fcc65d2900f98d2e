package postgres

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/planned"
	"sitegrade/db/postgres/internal/pg"
)

// A transaction runs so many schedules at most, and queues so many reports: whoever writes meanwhile waits for it.
const (
	schedulesAtOnce = 100
	queuedAtOnce    = 200
)

// RunSchedules is documented in db.Store. All servers do it: whoever comes second to an account finds there what the first one did.
func (d *DB) RunSchedules(ctx context.Context, spread time.Duration, limit int) (queued int, next time.Time, err error) {
	for queued < limit {
		account, next, err := d.nextDue(ctx, spread)
		if err != nil || account == "" {
			return queued, next, err
		}
		n := 0
		if err := d.remove(ctx, account, func(a *pg.Account) (err error) {
			n, err = d.runDue(a, spread, min(limit-queued, queuedAtOnce))
			return err
		}); err != nil {
			return queued, next, err
		}
		if queued += n; n > 0 {
			d.Listeners.Tell(db.News{Account: account, Queued: true, Crawls: true})
		}
	}
	return queued, d.now(), nil
}

// nextDue returns the next account in turn that has a schedule whose start has come; "" and when the next is due if there is not one.
func (d *DB) nextDue(ctx context.Context, spread time.Duration) (account string, next time.Time, err error) {
	last, first := d.turn.Last(), ""
	if next, err = d.eachScheduleDue(ctx, spread, func(name string, start time.Time) {
		switch {
		case start.After(d.now()):
			next = earlier(next, start)
		case name > last && (account == "" || name < account):
			account = name
		case first == "" || name < first:
			first = name
		}
	}); err != nil {
		return "", next, err
	}
	if account = cmp.Or(account, first); account != "" {
		d.turn.Set(account)
	}
	return account, next, err
}

// runDue runs schedules of an account whose start has come, until limit reports are queued.
func (d *DB) runDue(a *pg.Account, spread time.Duration, limit int) (queued int, err error) {
	for range schedulesAtOnce {
		id, _, found := planned.NextDue(tenantOf(a), spread, d.now())
		if !found || queued >= limit {
			return queued, nil
		}
		n, err := d.runSchedule(a, id, limit-queued)
		if err != nil {
			return queued, err
		}
		queued += n
	}
	return queued, nil
}

// runSchedule begins a run, or goes on with it, and queues up to limit reports.
func (d *DB) runSchedule(a *pg.Account, id uuid.UUID, limit int) (queued int, err error) {
	old, err := planned.Get(tenantOf(a), id)
	if err != nil {
		return 0, err
	}
	s := *old
	run := db.Run{At: d.now()}
	if s.Running && s.After != uuid.Nil && s.LastRun != nil {
		run = *s.LastRun
	}
	if s.What == db.WorkCrawl {
		if run.Queued, run.Status, run.Detail, err = d.MakeScheduled(tenantOf(a), s.Schedule); err != nil {
			return 0, err
		}
		return run.Queued, d.endRun(a, old, &s, run)
	}
	ids := []uuid.UUID{s.Report}
	if s.Report == uuid.Nil {
		p, err := findProject(a.Tx, a.Number, s.Project.ID.String())
		if err != nil {
			return 0, err
		}
		ids = idsBehind(tenantOf(a), p.number, s.After, limit)
	}
	for _, id := range ids {
		isNew, err := d.queueScheduled(a, id)
		if err != nil {
			return 0, err
		}
		if isNew {
			queued++
		}
	}
	run.Queued += queued
	if s.Report == uuid.Nil && len(ids) == limit {
		s.GoOn(ids[len(ids)-1], d.now())
		s.LastRun = &run
		return queued, planned.Put(tenantOf(a), old, &s)
	}
	run.Status, run.Detail = planned.Ended(run.Queued)
	return queued, d.endRun(a, old, &s, run)
}

// endRun notes how a run ended.
func (d *DB) endRun(a *pg.Account, old, s *planned.Stored, run db.Run) error {
	s.Running, s.Since, s.After = false, time.Time{}, uuid.Nil
	s.Ran(run, d.now())
	return planned.Put(tenantOf(a), old, s)
}

// queueScheduled queues a report, and reports whether it did not wait already.
func (d *DB) queueScheduled(a *pg.Account, id uuid.UUID) (bool, error) {
	r, err := liveRow(a.Tx, a.Number, id)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	if err != nil || !r.Schedule(d.ms()) {
		return false, err
	}
	var b pgx.Batch
	update(&b, a.Number, &r.Record)
	enqueue(&b, a.Number, &r)
	return true, a.Send(&b)
}
