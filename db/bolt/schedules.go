package bolt

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/record"
)

// A transaction runs so many schedules at most, and queues so many reports: whoever writes meanwhile waits for it.
const (
	schedulesAtOnce = 100
	queuedAtOnce    = 200
)

// RunSchedules is documented in db.Store.
func (d *DB) RunSchedules(ctx context.Context, spread time.Duration, limit int) (queued int, next time.Time, err error) {
	for queued < limit {
		account, next, err := d.nextDue(ctx, spread)
		if err != nil || account == "" {
			return queued, next, err
		}
		n := 0
		if err := d.add(ctx, account, func(a *accountTx) (err error) {
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
	err = d.file.Read(ctx, func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			_, at, found := planned.NextDue(a.tenant(), spread, d.now())
			if found && first == "" {
				first = a.name
			}
			if found && account == "" && a.name > last {
				account = a.name
			}
			if !at.IsZero() && (next.IsZero() || at.Before(next)) {
				next = at
			}
			return ctx.Err()
		})
	})
	if account = cmp.Or(account, first); account != "" {
		d.turn.Set(account)
	}
	return account, next, err
}

// runDue runs schedules of an account whose start has come, until limit reports are queued.
func (d *DB) runDue(a *accountTx, spread time.Duration, limit int) (queued int, err error) {
	for range schedulesAtOnce {
		id, _, found := planned.NextDue(a.tenant(), spread, d.now())
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
func (d *DB) runSchedule(a *accountTx, id uuid.UUID, limit int) (queued int, err error) {
	old, err := planned.Get(a.tenant(), id)
	if err != nil {
		return 0, err
	}
	s := *old
	run := db.Run{At: d.now()}
	if s.Running && s.After != uuid.Nil && s.LastRun != nil {
		run = *s.LastRun
	}
	if s.What == db.WorkCrawl {
		if run.Queued, run.Status, run.Detail, err = d.MakeScheduled(a.tenant(), s.Schedule); err != nil {
			return 0, err
		}
		return run.Queued, d.endRun(a, old, &s, run)
	}
	ids := []uuid.UUID{s.Report}
	if s.Report == uuid.Nil {
		p, err := a.findProject(s.Project.ID.String())
		if err != nil {
			return 0, err
		}
		ids = a.idsOfProjectBehind(p.number, s.After, limit)
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
		return queued, planned.Put(a.tenant(), old, &s)
	}
	run.Status, run.Detail = planned.Ended(run.Queued)
	return queued, d.endRun(a, old, &s, run)
}

// endRun notes how a run ended.
func (d *DB) endRun(a *accountTx, old, s *planned.Stored, run db.Run) error {
	s.Running, s.Since, s.After = false, time.Time{}, uuid.Nil
	s.Ran(run, d.now())
	return planned.Put(a.tenant(), old, s)
}

// queueScheduled queues a report, and reports whether it did not wait already.
func (d *DB) queueScheduled(a *accountTx, id uuid.UUID) (bool, error) {
	r, err := a.liveRecord(id)
	if errors.Is(err, db.ErrNotFound) {
		return false, nil
	}
	if err != nil || !r.Schedule(record.Milliseconds(d.now())) {
		return false, err
	}
	return true, errors.Join(a.enqueue(r), a.putRecord(r))
}

// idsOfProjectBehind returns up to n ids of a project's indexed reports behind an id, the oldest first.
func (a *accountTx) idsOfProjectBehind(project uint32, after uuid.UUID, n int) []uuid.UUID {
	var ids []uuid.UUID
	for _, result := range allResults {
		prefix := appendRange(nil, byID, project, result)
		c := a.bucket(orderBucket).Cursor()
		start := append(bytes.Clone(prefix), after[:]...)
		k, _ := c.Seek(start)
		if bytes.Equal(k, start) {
			k, _ = c.Next()
		}
		for i := 0; i < n && bytes.HasPrefix(k, prefix); i++ {
			ids = append(ids, keyID(k))
			k, _ = c.Next()
		}
	}
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return bytes.Compare(x[:], y[:]) })
	return ids[:min(n, len(ids))]
}
