package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/told"
	"sitegrade/db/postgres/internal/fleet"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/db/postgres/internal/things"
)

// earlier returns the earlier of two moments, of which the zero time is none.
func earlier(x, y time.Time) time.Time {
	if x.IsZero() || !y.IsZero() && y.Before(x) {
		return y
	}
	return x
}

// eachScheduleDue calls visit with the account and the start of each schedule whose moment has come, the earliest moment first, and returns the
// first moment of the others.
func (d *DB) eachScheduleDue(ctx context.Context, spread time.Duration, visit func(account string, start time.Time)) (next time.Time, err error) {
	return things.EachSchedule(ctx, d.pool, d.now(), func(account string, key, mark []byte) { visit(account, planned.StartOf(key, mark, spread)) })
}

// ScheduleStats is documented in db.Store.
func (d *DB) ScheduleStats(ctx context.Context, spread time.Duration) (stats db.ScheduleStats, err error) {
	now := d.now()
	_, err = d.eachScheduleDue(ctx, spread, func(_ string, start time.Time) {
		if !start.After(now) {
			stats.Late++
			stats.Oldest = earlier(stats.Oldest, start)
		}
	})
	return stats, err
}

// DeliveryStats is documented in db.Store.
func (d *DB) DeliveryStats(ctx context.Context) (stats db.DeliveryStats, err error) {
	var oldest *uuid.UUID
	err = d.pool.Direct(ctx).Row("SELECT count(*), min(encode(substring(key FROM 25), 'hex'))::uuid FROM things WHERE bucket = 'deliveries_due'", nil, &stats.Pending, &oldest)
	if oldest != nil {
		stats.OldestPending = told.MadeAt(*oldest)
	}
	return stats, err
}

// eachWebhookDue is documented in told.Outbox. This server tells the webhooks that it visits until nothing of them is under way any more.
func (d *DB) eachWebhookDue(ctx context.Context, now time.Time, visit told.Visit) (next time.Time, err error) {
	all, next, err := things.Webhooks(ctx, d.pool, now)
	if err != nil {
		return next, err
	}
	var wanted []string
	for _, w := range all {
		if name := w.ID.String(); !d.fleet.Has(fleet.Webhook, name) {
			wanted = append(wanted, name)
		}
	}
	if _, err := d.fleet.HoldSome(ctx, fleet.Webhook, wanted...); err != nil {
		return next, err
	}
	// What is read from here on is as the servers have left it that told these webhooks before.
	return next, d.pool.View(ctx, func(tx *pg.Tx) error {
		for _, w := range all {
			if !d.fleet.Has(fleet.Webhook, w.ID.String()) {
				continue
			}
			if err := visit(tenantOf(&pg.Account{Tx: tx, Ref: w.Ref}), w.ID, w.First); err != nil {
				return err
			}
		}
		return nil
	})
}

// ClaimDeliveries is documented in db.Store. A webhook is told by one server at a time; that keeps one by mail until it may have the next mail.
func (d *DB) ClaimDeliveries(ctx context.Context, c db.Claiming) (due []db.DueDelivery, next time.Time, err error) {
	due, next, err = d.Outbox.ClaimDeliveries(ctx, c)
	var idle []string
	for _, name := range d.fleet.Held(fleet.Webhook) {
		id, bad := uuid.Parse(name)
		if bad == nil && !d.Outbox.Telling(id) && (c.NotBefore == nil || !c.NotBefore(id).After(d.now())) {
			idle = append(idle, name)
		}
	}
	_ = d.fleet.Let(ctx, fleet.Webhook, idle...) // what cannot be given back now is with a later beat
	return due, next, err
}
