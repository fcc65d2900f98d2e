// Package told keeps what others are told: the webhooks of an account, the events that happened, and their deliveries.
//
// An event is written in the transaction of what happened, with one delivery for each webhook that wants it, and not at all where nobody does.
// Its record goes with the last of its deliveries.
package told

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// The buckets of an account that this package keeps; the schema tells what is in them.
const (
	Webhooks   = "webhooks"
	Events     = "events"
	Deliveries = "deliveries"
	Due        = "deliveries_due"
)

// Outbox keeps webhooks, events and deliveries. It has the methods of db.Store for them.
type Outbox struct {
	Engine tenant.Engine
	// Announce tells the process that deliveries wait.
	Announce func(db.News)
	// EachDue calls visit, inside a transaction, for each webhook that deliveries wait for whose moment has come, by account, and returns the first
	// moment of the others. It leaves out what other processes tell. nil: there are no others.
	EachDue func(ctx context.Context, now time.Time, visit Visit) (next time.Time, err error)

	claims claims
}

// Visit is told of a webhook that deliveries wait for, and since when the first of them does.
type Visit func(a tenant.Account, webhook uuid.UUID, first time.Time) error

// CreateWebhook is documented in db.Store.
func (s *Outbox) CreateWebhook(ctx context.Context, account string, n db.NewWebhook) (made db.Webhook, again bool, err error) {
	wanted, err := n.Validate()
	if err != nil {
		return db.Webhook{}, false, s.Engine.AlsoWrong(ctx, account, err, func(a tenant.Account) error {
			return s.setProject(a, &wanted, n.Project)
		})
	}
	err = s.Engine.Add(ctx, account, func(a tenant.Account) (err error) {
		var id uuid.UUID
		id, again, err = s.Engine.Once(a, n.IdempotencyKey, a.Bucket(Webhooks), n, func() (uuid.UUID, error) {
			w := wanted
			w.ID, w.CreatedAt = s.Engine.NextID(), s.Engine.Now()
			w.UpdatedAt = w.CreatedAt
			if err := s.setProject(a, &w, n.Project); err != nil {
				return uuid.Nil, err
			}
			if tenant.Count(a.Bucket(Webhooks)) >= db.MaxWebhooks {
				return uuid.Nil, &db.InvalidError{Fields: []db.FieldError{{Field: "url", Detail: fmt.Sprintf("is one too many: an account has at most %d webhooks; delete one first", db.MaxWebhooks)}}}
			}
			return w.ID, tenant.Put(a.Bucket(Webhooks), w.ID[:], w)
		})
		if err != nil {
			return err
		}
		made, err = webhook(a, id)
		return err
	})
	return made, again, err
}

// setProject has a webhook told of one project, or of all where nameOrID is "".
func (s *Outbox) setProject(a tenant.Account, w *db.Webhook, nameOrID string) error {
	w.Project = db.ProjectRef{}
	if nameOrID == "" {
		return nil
	}
	ref, err := s.Engine.Project(a, nameOrID)
	if errors.Is(err, db.ErrNotFound) {
		return &db.InvalidError{Fields: []db.FieldError{{Field: "project", Detail: "is unknown: give the id or the name of one of your projects, or nothing for all"}}}
	}
	w.Project = ref
	return err
}

func webhook(a tenant.Account, id uuid.UUID) (db.Webhook, error) {
	w, err := tenant.Get[db.Webhook](a.Bucket(Webhooks), id[:])
	if err != nil {
		return w, fmt.Errorf("webhook: %w", err)
	}
	return w, nil
}

// Webhooks is documented in db.Store.
func (s *Outbox) Webhooks(ctx context.Context, account string, q sortfilter.Query) (page db.Page[db.Webhook], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
		page = tenant.Page(all, q, func(w db.Webhook) string { return w.URL })
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return page, err
}

// Webhook is documented in db.Store.
func (s *Outbox) Webhook(ctx context.Context, account string, id uuid.UUID) (w db.Webhook, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		w, err = webhook(a, id)
		return err
	})
	return w, err
}

// UpdateWebhook is documented in db.Store.
func (s *Outbox) UpdateWebhook(ctx context.Context, account string, id uuid.UUID, c db.WebhookChange, check func(db.Webhook) error) (w db.Webhook, err error) {
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		old, err := checked(a, id, check)
		if err != nil {
			return err
		}
		if w, err = s.changed(a, old, c); err != nil {
			return err
		}
		if old.Enabled && !w.Enabled {
			if err := failPending(a, id); err != nil {
				return err
			}
		}
		if c.Test {
			if err := s.tell(a, s.newEvent(db.Event{Type: db.WebhookTest}), w); err != nil {
				return err
			}
		}
		return tenant.Put(a.Bucket(Webhooks), id[:], w)
	})
	if err == nil && c.Test {
		s.Announce(db.News{Account: account, Told: true})
	}
	return w, err
}

// changed returns a webhook as a change makes it.
func (s *Outbox) changed(a tenant.Account, w db.Webhook, c db.WebhookChange) (db.Webhook, error) {
	of, err := w, error(nil)
	if c.Project != nil {
		err = s.setProject(a, &of, *c.Project)
	}
	err = db.AlsoInvalid(c.Apply(&w, of.Project, s.Engine.Now()), err)
	return w, err
}

// checked returns a webhook that check, where not nil, lets pass.
func checked(a tenant.Account, id uuid.UUID, check func(db.Webhook) error) (db.Webhook, error) {
	w, err := webhook(a, id)
	if err == nil && check != nil {
		err = check(w)
	}
	return w, err
}

// DeleteWebhook is documented in db.Store.
func (s *Outbox) DeleteWebhook(ctx context.Context, account string, id uuid.UUID, check func(db.Webhook) error) error {
	return s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		if _, err := checked(a, id, check); err != nil {
			return err
		}
		return removeWebhook(a, id)
	})
}

func removeWebhook(a tenant.Account, id uuid.UUID) error {
	var all []uuid.UUID
	eachOf(a.Bucket(Deliveries), id, func(delivery uuid.UUID, _ []byte) bool {
		all = append(all, delivery)
		return true
	})
	for _, delivery := range all {
		if err := removeDelivery(a, id, delivery); err != nil {
			return err
		}
	}
	return a.Bucket(Webhooks).Delete(id[:])
}

// DropProject deletes the webhooks that are told of a project alone. It is for the transaction that deletes the project.
func DropProject(a tenant.Account, project uuid.UUID) error {
	all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
	if err != nil {
		return err
	}
	for _, w := range all {
		if w.Project.ID == project {
			if err := removeWebhook(a, w.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// RenameProject has the webhooks of a project show its new name.
func RenameProject(a tenant.Account, renamed db.ProjectRef) error {
	all, err := tenant.All[db.Webhook](a.Bucket(Webhooks))
	if err != nil {
		return err
	}
	for _, w := range all {
		if w.Project.ID == renamed.ID {
			w.Project = renamed
			if err := tenant.Put(a.Bucket(Webhooks), w.ID[:], w); err != nil {
				return err
			}
		}
	}
	return nil
}

// Import stores a webhook of an export unless there is one with its id, and reports whether it did.
func Import(a tenant.Account, w db.Webhook) (bool, error) {
	if a.Bucket(Webhooks).Get(w.ID[:]) != nil {
		return false, nil
	}
	return true, tenant.Put(a.Bucket(Webhooks), w.ID[:], w)
}
