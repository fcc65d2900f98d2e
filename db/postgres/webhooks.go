package postgres

import (
	"context"
	"github.com/google/uuid"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// CreateWebhook is documented in db.Store.
func (d *DB) CreateWebhook(ctx context.Context, account string, n db.NewWebhook) (made db.Webhook, again bool, err error) {
	err = errNotBuilt
	return
}

// Webhooks is documented in db.Store.
func (d *DB) Webhooks(ctx context.Context, account string, q sortfilter.Query) (_ db.Page[db.Webhook], err error) {
	err = errNotBuilt
	return
}

// Webhook is documented in db.Store.
func (d *DB) Webhook(ctx context.Context, account string, id uuid.UUID) (_ db.Webhook, err error) {
	err = errNotBuilt
	return
}

// UpdateWebhook is documented in db.Store.
func (d *DB) UpdateWebhook(ctx context.Context, account string, id uuid.UUID, c db.WebhookChange, check func(db.Webhook) error) (_ db.Webhook, err error) {
	err = errNotBuilt
	return
}

// DeleteWebhook is documented in db.Store.
func (d *DB) DeleteWebhook(ctx context.Context, account string, id uuid.UUID, check func(db.Webhook) error) error {
	return errNotBuilt
}
