package told

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// storedEvent is an event with the number of its deliveries.
type storedEvent struct {
	db.Event
	Deliveries int
}

// newEvent completes an event.
func (s *Outbox) newEvent(e db.Event) db.Event {
	e.ID, e.At = s.Engine.NextID(), s.Engine.Now()
	return e
}

// HasWebhooks reports whether anybody may be told of what happens in an account.
func HasWebhooks(a tenant.Account) bool {
	k, _ := a.Bucket(Webhooks).Cursor().First()
	return k != nil
}

// Raise writes an event for the webhooks of the account that want it, and reports whether there is one. It is for the transaction of what
// happened; the caller announces it once that is committed.
func (s *Outbox) Raise(a tenant.Account, e db.Event) (bool, error) {
	if !HasWebhooks(a) {
		return false, nil
	}
	all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
	if err != nil {
		return false, err
	}
	var wanting []db.Webhook
	for _, w := range all {
		if w.Wants(e) {
			wanting = append(wanting, w)
		}
	}
	if len(wanting) == 0 {
		return false, nil
	}
	return true, s.tell(a, s.newEvent(e), wanting...)
}

// tell writes an event with a delivery for each of the webhooks.
func (s *Outbox) tell(a tenant.Account, e db.Event, webhooks ...db.Webhook) error {
	if err := tenant.Put(a.Bucket(Events), e.ID[:], storedEvent{e, len(webhooks)}); err != nil {
		return err
	}
	for _, w := range webhooks {
		d := db.Delivery{ID: s.Engine.NextID(), Event: e.ID, Type: e.Type, Status: db.DeliveryPending, CreatedAt: e.At, NextAttempt: e.At}
		if err := putDelivery(a, w.ID, nil, d); err != nil {
			return err
		}
	}
	return nil
}

func deliveryKey(webhook, delivery uuid.UUID) []byte { return append(webhook[:], delivery[:]...) }

// dueKey is where a pending delivery stands among those of its webhook.
func dueKey(webhook uuid.UUID, d db.Delivery) []byte {
	return slices.Concat(webhook[:], tenant.MomentKey(d.NextAttempt), d.ID[:])
}

// putDelivery stores a delivery in the place of old, which is nil if it is new.
func putDelivery(a tenant.Account, webhook uuid.UUID, old *db.Delivery, d db.Delivery) error {
	due := a.Bucket(Due)
	if old != nil && old.Status == db.DeliveryPending {
		if err := due.Delete(dueKey(webhook, *old)); err != nil {
			return err
		}
	}
	if d.Status == db.DeliveryPending {
		if err := due.Put(dueKey(webhook, d), nil); err != nil {
			return err
		}
	}
	return tenant.Put(a.Bucket(Deliveries), deliveryKey(webhook, d.ID), d)
}

// removeDelivery removes a delivery, and its event where that was its last.
func removeDelivery(a tenant.Account, webhook, id uuid.UUID) error {
	d, err := delivery(a, webhook, id)
	if err != nil {
		return err
	}
	if d.Status == db.DeliveryPending {
		if err := a.Bucket(Due).Delete(dueKey(webhook, d)); err != nil {
			return err
		}
	}
	e, err := tenant.Get[storedEvent](a.Bucket(Events), d.Event[:])
	if err != nil {
		return fmt.Errorf("event: %w", err)
	}
	if e.Deliveries--; e.Deliveries == 0 {
		err = a.Bucket(Events).Delete(d.Event[:])
	} else {
		err = tenant.Put(a.Bucket(Events), d.Event[:], e)
	}
	return errors.Join(err, a.Bucket(Deliveries).Delete(deliveryKey(webhook, id)))
}

func delivery(a tenant.Account, webhook, id uuid.UUID) (db.Delivery, error) {
	d, err := tenant.Get[db.Delivery](a.Bucket(Deliveries), deliveryKey(webhook, id))
	if err != nil {
		return d, fmt.Errorf("delivery: %w", err)
	}
	return d, nil
}

// eachOf visits what stands under a webhook, the oldest first, until visit returns false.
func eachOf(b tenant.Bucket, webhook uuid.UUID, visit func(id uuid.UUID, stored []byte) bool) {
	c := b.Cursor()
	for k, v := c.Seek(webhook[:]); bytes.HasPrefix(k, webhook[:]); k, v = c.Next() {
		if !visit(uuid.UUID(k[len(k)-16:]), v) {
			return
		}
	}
}

// Deliveries is documented in db.Store.
func (s *Outbox) Deliveries(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (page db.Page[db.Delivery], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		if _, err := webhook(a, id); err != nil {
			return err
		}
		var found []uuid.UUID
		var broken error
		eachOf(a.Bucket(Deliveries), id, func(delivery uuid.UUID, stored []byte) bool {
			if q.Status != "" {
				var d db.Delivery
				if d, broken = tenant.Decode[db.Delivery](stored); broken != nil || string(d.Status) != q.Status {
					return broken == nil
				}
			}
			found = append(found, delivery)
			return true
		})
		if broken != nil {
			return broken
		}
		chosen := tenant.Page(found, sortfilter.Query{Ascending: q.Ascending, Page: q.Page, PerPage: q.PerPage}, nil)
		page.Total = chosen.Total
		for _, one := range chosen.Rows {
			d, err := delivery(a, id, one)
			if err != nil {
				return err
			}
			page.Rows = append(page.Rows, d)
		}
		return nil
	})
	return page, err
}

// Delivery is documented in db.Store.
func (s *Outbox) Delivery(ctx context.Context, account string, webhookID, id uuid.UUID) (d db.Delivery, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		d, err = delivery(a, webhookID, id)
		return err
	})
	return d, err
}

// Resend is documented in db.Store.
func (s *Outbox) Resend(ctx context.Context, account string, webhookID, id uuid.UUID, check func(db.Delivery) error) (d db.Delivery, err error) {
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		old, err := delivery(a, webhookID, id)
		if err == nil && check != nil {
			err = check(old)
		}
		if err != nil {
			return err
		}
		if w, err := webhook(a, webhookID); err != nil || !w.Enabled {
			disabled := &db.InvalidError{Fields: []db.FieldError{{Field: "resend", Detail: "is only possible while the webhook is enabled"}}}
			return cmp.Or(err, error(disabled))
		}
		d = old
		d.Status, d.Tries, d.NextAttempt = db.DeliveryPending, 0, s.Engine.Now()
		return putDelivery(a, webhookID, &old, d)
	})
	if err == nil {
		s.Announce(db.News{Account: account, Told: true})
	}
	return d, err
}

// oldBatch is how many deliveries are removed in one transaction.
const oldBatch = 500

// DeleteOldDeliveries is documented in db.Store.
func (s *Outbox) DeleteOldDeliveries(ctx context.Context, before time.Time) (removed int, err error) {
	for {
		name, old, err := s.oldDeliveries(ctx, before)
		if err != nil || len(old) == 0 {
			return removed, err
		}
		if err := s.Engine.Remove(ctx, name, func(a tenant.Account) error {
			for _, key := range old {
				err := removeDelivery(a, uuid.UUID(key[:16]), uuid.UUID(key[16:]))
				if err != nil && !errors.Is(err, db.ErrNotFound) { // the webhook was deleted since
					return err
				}
			}
			return nil
		}); err != nil {
			return removed, err
		}
		removed += len(old)
	}
}

// oldDeliveries returns the keys of deliveries that can go, of the first account that has some.
func (s *Outbox) oldDeliveries(ctx context.Context, before time.Time) (account string, keys [][]byte, err error) {
	err = s.Engine.Each(ctx, Webhooks, func(a tenant.Account) error {
		if len(keys) > 0 {
			return nil
		}
		account = a.Name
		all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
		if err != nil {
			return err
		}
		for _, w := range all {
			eachOf(a.Bucket(Deliveries), w.ID, func(id uuid.UUID, stored []byte) bool {
				d, broken := tenant.Decode[db.Delivery](stored)
				if broken != nil || !d.CreatedAt.Before(before) || len(keys) == oldBatch {
					err = broken
					return false
				}
				if d.Status != db.DeliveryPending {
					keys = append(keys, deliveryKey(w.ID, id))
				}
				return true
			})
		}
		return err
	})
	return account, keys, err
}

// DeliveryStats is documented in db.Store.
func (s *Outbox) DeliveryStats(ctx context.Context) (stats db.DeliveryStats, err error) {
	err = s.Engine.Each(ctx, Due, func(a tenant.Account) error {
		c := a.Bucket(Due).Cursor()
		for k, _ := c.First(); k != nil; k, _ = c.Next() {
			stats.Pending++
			made := MadeAt(uuid.UUID(k[24:]))
			if stats.OldestPending.IsZero() || made.Before(stats.OldestPending) {
				stats.OldestPending = made
			}
		}
		return nil
	})
	return stats, err
}

// MadeAt returns when a delivery was made, which its id tells.
func MadeAt(delivery uuid.UUID) time.Time {
	return time.Unix(delivery.Time().UnixTime()).UTC().Truncate(time.Millisecond)
}
