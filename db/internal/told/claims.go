package told

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
)

// claims are the deliveries that somebody attempts now. They are never stored: what was under way when the process died is due again.
type claims struct {
	mu       sync.Mutex
	taken    map[uuid.UUID]claim // by delivery
	webhooks map[uuid.UUID]int   // deliveries that are taken
	accounts map[string]int      // places that are taken
	places   int                 // of all accounts together
}

// claim is whose delivery is taken.
type claim struct {
	account string
	webhook uuid.UUID
	isMail  bool
}

// allows reports whether a delivery may be taken. begun is how many this round has taken of its webhook: a mail tells of those together, and
// another waits until it has gone.
func (c *claims) allows(one claim, begun int, limits db.Claiming) bool {
	has := c.webhooks[one.webhook]
	if one.isMail && begun > 0 {
		return has < db.MaxDigest
	}
	if one.isMail && has > 0 || has >= limits.PerWebhook {
		return false
	}
	return c.accounts[one.account] < limits.Places-c.places
}

func (c *claims) take(delivery uuid.UUID, one claim) {
	if c.taken == nil {
		c.taken, c.webhooks, c.accounts = map[uuid.UUID]claim{}, map[uuid.UUID]int{}, map[string]int{}
	}
	c.taken[delivery] = one
	if c.webhooks[one.webhook]++; !one.isMail || c.webhooks[one.webhook] == 1 {
		c.accounts[one.account]++
		c.places++
	}
}

func (c *claims) release(delivery uuid.UUID) {
	one, isTaken := c.taken[delivery]
	if !isTaken {
		return
	}
	delete(c.taken, delivery)
	if decrement(c.webhooks, one.webhook); !one.isMail || c.webhooks[one.webhook] == 0 {
		decrement(c.accounts, one.account)
		c.places--
	}
}

// decrement counts down without leaving zeros behind.
func decrement[K comparable](counts map[K]int, key K) {
	if counts[key]--; counts[key] == 0 {
		delete(counts, key)
	}
}

// ClaimDeliveries is documented in db.Store.
func (s *Outbox) ClaimDeliveries(ctx context.Context, c db.Claiming) (due []db.DueDelivery, next time.Time, err error) {
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	now := s.Engine.Now()
	var later time.Time
	next, err = s.eachDue(ctx, now, func(a tenant.Account, webhook uuid.UUID, first time.Time) error {
		if c.NotBefore != nil {
			first = latest(first, c.NotBefore(webhook))
		}
		if !first.After(now) {
			var more []db.DueDelivery
			var err error
			if more, first, err = s.claimOf(a, webhook, now, c); err != nil {
				return err
			}
			due = append(due, more...)
		}
		later = earlier(later, first)
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
	return due, earlier(next, later), nil
}

// Telling reports whether a delivery to a webhook is taken.
func (s *Outbox) Telling(webhook uuid.UUID) bool {
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	return s.claims.webhooks[webhook] > 0
}

// eachDue is EachDue, also where there is no other process.
func (s *Outbox) eachDue(ctx context.Context, now time.Time, visit Visit) (next time.Time, err error) {
	if s.EachDue != nil {
		return s.EachDue(ctx, now, visit)
	}
	err = s.Engine.Each(ctx, Due, func(a tenant.Account) error {
		return eachWebhook(a, func(webhook uuid.UUID, first time.Time) error {
			if first.After(now) {
				next = earlier(next, first)
				return nil
			}
			return visit(a, webhook, first)
		})
	})
	return next, err
}

// earlier returns the earlier of two moments, of which the zero time is none.
func earlier(x, y time.Time) time.Time {
	if x.IsZero() || !y.IsZero() && y.Before(x) {
		return y
	}
	return x
}

func latest(x, y time.Time) time.Time {
	if y.After(x) {
		return y
	}
	return x
}

// eachWebhook visits the webhooks that deliveries wait for, with the moment of the first of them.
func eachWebhook(a tenant.Account, visit func(webhook uuid.UUID, first time.Time) error) error {
	c := a.Bucket(Due).Cursor()
	k, _ := c.First()
	for k != nil {
		webhook := uuid.UUID(k[:16])
		if err := visit(webhook, momentOf(k)); err != nil {
			return err
		}
		k, _ = c.Seek(append(webhook[:], bytes.Repeat([]byte{0xff}, 24)...)) // no id is that large
	}
	return nil
}

// momentOf returns when a delivery is due, by its key among those that are pending.
func momentOf(key []byte) time.Time {
	return tenant.MomentOf(key[16:])
}

// claimOf takes what is due of a webhook, and returns when the first of the rest becomes due. What waits for a place is due when something is
// given back, which the caller knows.
func (s *Outbox) claimOf(a tenant.Account, id uuid.UUID, now time.Time, c db.Claiming) (due []db.DueDelivery, next time.Time, err error) {
	w, err := webhook(a, id)
	if err != nil {
		return nil, next, err
	}
	one := claim{a.Name, id, w.Format == db.FormatEmail}
	cursor := a.Bucket(Due).Cursor()
	for k, _ := cursor.Seek(id[:]); bytes.HasPrefix(k, id[:]); k, _ = cursor.Next() {
		if momentOf(k).After(now) {
			return due, momentOf(k), nil
		}
		delivery := uuid.UUID(k[24:])
		if _, isTaken := s.claims.taken[delivery]; isTaken {
			continue
		}
		if !s.claims.allows(one, len(due), c) {
			break
		}
		d, err := dueDelivery(a, w, delivery)
		if err != nil {
			return due, next, err
		}
		s.claims.take(delivery, one)
		due = append(due, d)
	}
	return due, next, nil
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
	s.release(due.ID)
	if raised {
		s.Announce(db.News{Account: due.Account, Told: true})
	}
	return nil
}

func (s *Outbox) release(delivery uuid.UUID) {
	s.claims.mu.Lock()
	defer s.claims.mu.Unlock()
	s.claims.release(delivery)
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
			if !tenant.Has(a.Bucket(Due), dueKey(uuid.UUID(k[:16]), d)) {
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
