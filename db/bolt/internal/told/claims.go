package told

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/tenant"
)

// claims are the deliveries that somebody attempts now. They are never stored: what was under way when the process died is due again.
type claims struct {
	mu    sync.Mutex
	taken map[uuid.UUID]uuid.UUID // delivery -> webhook
}

// take reports whether a delivery was free and its webhook has fewer than most taken.
func (c *claims) take(webhook, delivery uuid.UUID, most int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.taken == nil {
		c.taken = map[uuid.UUID]uuid.UUID{}
	}
	if _, isTaken := c.taken[delivery]; isTaken {
		return false
	}
	n := 0
	for _, w := range c.taken {
		if w == webhook {
			n++
		}
	}
	if n >= most {
		return false
	}
	c.taken[delivery] = webhook
	return true
}

func (c *claims) isTaken(delivery uuid.UUID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, isTaken := c.taken[delivery]
	return isTaken
}

func (c *claims) release(delivery uuid.UUID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.taken, delivery)
}

// ClaimDeliveries is documented in db.Store.
func (s *Outbox) ClaimDeliveries(ctx context.Context, perWebhook, limit int) (due []db.DueDelivery, next time.Time, err error) {
	now := s.Engine.Now()
	err = s.Engine.Each(ctx, func(a tenant.Account) error {
		all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
		if err != nil {
			return err
		}
		for _, w := range all {
			more, waits, err := s.claimOf(a, w, now, perWebhook, limit-len(due))
			if err != nil {
				return err
			}
			due = append(due, more...)
			if !waits.IsZero() && (next.IsZero() || waits.Before(next)) {
				next = waits
			}
		}
		return nil
	})
	if err != nil {
		for _, d := range due {
			s.claims.release(d.ID)
		}
		return nil, time.Time{}, err
	}
	slices.SortFunc(due, func(x, y db.DueDelivery) int {
		return cmp.Or(x.NextAttempt.Compare(y.NextAttempt), slices.Compare(x.ID[:], y.ID[:]))
	})
	return due, next, nil
}

// claimOf takes what is due of a webhook, and returns when the first of the rest becomes due. What waits only because perWebhook or limit is
// reached is due when something is given back, which the caller knows.
func (s *Outbox) claimOf(a tenant.Account, w db.Webhook, now time.Time, perWebhook, limit int) (due []db.DueDelivery, next time.Time, err error) {
	if !w.Enabled {
		return nil, next, nil
	}
	if w.Format == db.FormatEmail {
		perWebhook = db.MaxDigest
	}
	eachOf(a.Bucket(Due), w.ID, func(id uuid.UUID, _ []byte) bool {
		if s.claims.isTaken(id) {
			return true
		}
		var d db.DueDelivery
		if d, err = dueDelivery(a, w, id); err != nil {
			return false
		}
		if d.NextAttempt.After(now) {
			next = d.NextAttempt
			return false
		}
		if len(due) >= limit || !s.claims.take(w.ID, id, perWebhook) {
			return false
		}
		due = append(due, d)
		return true
	})
	return due, next, err
}

func dueDelivery(a tenant.Account, w db.Webhook, id uuid.UUID) (db.DueDelivery, error) {
	d, err := delivery(a, w.ID, id)
	if err != nil {
		return db.DueDelivery{}, err
	}
	e, err := tenant.Get[storedEvent](a.Bucket(Events), d.Event[:])
	if err != nil {
		return db.DueDelivery{}, fmt.Errorf("event: %w", err)
	}
	return db.DueDelivery{Account: a.Name, Webhook: w, Delivery: d, Event: e.Event}, nil
}

// FinishDelivery is documented in db.Store.
func (s *Outbox) FinishDelivery(ctx context.Context, due db.DueDelivery, came db.Attempted) error {
	raised := false
	err := s.Engine.Add(ctx, due.Account, func(a tenant.Account) error {
		old, err := delivery(a, due.Webhook.ID, due.ID)
		if err != nil {
			return err
		}
		if err := putDelivery(a, due.Webhook.ID, &old, attempted(old, came)); err != nil || came.Disable == "" {
			return err
		}
		raised, err = s.disable(a, due.Webhook.ID, came.Disable)
		return err
	})
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	s.claims.release(due.ID)
	if raised {
		s.Announce(db.News{Account: due.Account, Told: true})
	}
	return nil
}

// attempted returns a delivery after an attempt. One that somebody asked for again meanwhile stays due, unless it has arrived.
func attempted(d db.Delivery, came db.Attempted) db.Delivery {
	d.Attempts = append(slices.Clone(d.Attempts), came.Attempt)
	if n := len(d.Attempts) - db.MaxAttemptsKept; n > 0 {
		d.Attempts = d.Attempts[n:]
	}
	d.Tries++
	d.NextAttempt = came.Next
	switch {
	case came.Delivered:
		d.Status, d.NextAttempt = db.DeliveryDelivered, time.Time{}
	case came.Next.IsZero():
		d.Status = db.DeliveryFailed
	default:
		d.Status = db.DeliveryPending
	}
	return d
}

// disable gives a webhook up and tells the others of the account.
func (s *Outbox) disable(a tenant.Account, id uuid.UUID, reason string) (raised bool, err error) {
	w, err := webhook(a, id)
	if err != nil || !w.Enabled {
		return false, err
	}
	w.Enabled, w.DisabledReason, w.UpdatedAt = false, reason, s.Engine.Now()
	w.Revision++
	if err := tenant.Put(a.Bucket(Webhooks), id[:], w); err != nil {
		return false, err
	}
	if err := failPending(a, id); err != nil {
		return false, err
	}
	return s.Raise(a, db.Event{Type: db.WebhookDisabled, Project: w.Project, Webhook: &db.WebhookFault{ID: id, Format: w.Format, Reason: reason}})
}

// failPending has what a webhook still waits for fail, since it is disabled.
func failPending(a tenant.Account, id uuid.UUID) error {
	var pending []uuid.UUID
	eachOf(a.Bucket(Due), id, func(delivery uuid.UUID, _ []byte) bool {
		pending = append(pending, delivery)
		return true
	})
	for _, one := range pending {
		old, err := delivery(a, id, one)
		if err != nil {
			return err
		}
		failed := old
		failed.Status, failed.NextAttempt = db.DeliveryFailed, time.Time{}
		if err := putDelivery(a, id, &old, failed); err != nil {
			return err
		}
	}
	return nil
}

// Check compares what is derived from the deliveries with them, and calls differ for each difference.
func Check(a tenant.Account, differ func(format string, args ...any)) error {
	known := map[uuid.UUID]bool{}
	all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
	if err != nil {
		return err
	}
	for _, w := range all {
		known[w.ID] = true
	}
	ofEvent, pending := map[uuid.UUID]int{}, 0
	if err := a.Bucket(Deliveries).ForEach(func(k, stored []byte) error {
		d, err := tenant.Decode[db.Delivery](stored)
		if err != nil {
			return err
		}
		if !known[uuid.UUID(k[:16])] {
			differ("account %q: delivery %s has no webhook", a.Name, d.ID)
		}
		ofEvent[d.Event]++
		if d.Status == db.DeliveryPending {
			pending++
			if !has(a.Bucket(Due), dueKey(uuid.UUID(k[:16]), d)) {
				differ("account %q: deliveries_due lacks %s", a.Name, d.ID)
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if n := tenant.Count(a.Bucket(Due)); n != pending {
		differ("account %q: deliveries_due has %d entries for %d pending deliveries", a.Name, n, pending)
	}
	return a.Bucket(Events).ForEach(func(id, _ []byte) error {
		e, err := tenant.Get[storedEvent](a.Bucket(Events), id)
		if err == nil && e.Deliveries != ofEvent[e.ID] {
			differ("account %q: event %s counts %d deliveries, and there are %d", a.Name, e.ID, e.Deliveries, ofEvent[e.ID])
		}
		return err
	})
}

func has(b *bbolt.Bucket, key []byte) bool {
	k, _ := b.Cursor().Seek(key)
	return string(k) == string(key)
}
