package postgres

import (
	"context"
	"github.com/google/uuid"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"time"
)

// Deliveries is documented in db.Store.
func (d *DB) Deliveries(ctx context.Context, account string, webhook uuid.UUID, q sortfilter.Query) (_ db.Page[db.Delivery], err error) {
	err = errNotBuilt
	return
}

// Delivery is documented in db.Store.
func (d *DB) Delivery(ctx context.Context, account string, webhook, delivery uuid.UUID) (_ db.Delivery, err error) {
	err = errNotBuilt
	return
}

// Resend is documented in db.Store.
func (d *DB) Resend(ctx context.Context, account string, webhook, delivery uuid.UUID, check func(db.Delivery) error) (_ db.Delivery, err error) {
	err = errNotBuilt
	return
}

// ClaimDeliveries is documented in db.Store.
func (d *DB) ClaimDeliveries(ctx context.Context, c db.Claiming) (due []db.DueDelivery, next time.Time, err error) {
	err = errNotBuilt
	return
}

// FinishDelivery is documented in db.Store.
func (d *DB) FinishDelivery(ctx context.Context, due db.DueDelivery, a db.Attempted) error {
	return errNotBuilt
}

// DeleteOldDeliveries is documented in db.Store.
func (d *DB) DeleteOldDeliveries(ctx context.Context, before time.Time) (removed int, err error) {
	err = errNotBuilt
	return
}

// DeliveryStats is documented in db.Store.
func (d *DB) DeliveryStats(ctx context.Context) (_ db.DeliveryStats, err error) {
	err = errNotBuilt
	return
}
