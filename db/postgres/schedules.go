package postgres

import (
	"context"
	"github.com/google/uuid"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"time"
)

// CreateSchedule is documented in db.Store.
func (d *DB) CreateSchedule(ctx context.Context, account string, n db.NewSchedule) (made db.Schedule, again bool, err error) {
	err = errNotBuilt
	return
}

// Schedules is documented in db.Store.
func (d *DB) Schedules(ctx context.Context, account string, q sortfilter.Query) (_ db.Page[db.Schedule], err error) {
	err = errNotBuilt
	return
}

// Schedule is documented in db.Store.
func (d *DB) Schedule(ctx context.Context, account string, id uuid.UUID) (_ db.Schedule, err error) {
	err = errNotBuilt
	return
}

// UpdateSchedule is documented in db.Store.
func (d *DB) UpdateSchedule(ctx context.Context, account string, id uuid.UUID, c db.ScheduleChange, check func(db.Schedule) error) (_ db.Schedule, err error) {
	err = errNotBuilt
	return
}

// DeleteSchedule is documented in db.Store.
func (d *DB) DeleteSchedule(ctx context.Context, account string, id uuid.UUID, check func(db.Schedule) error) error {
	return errNotBuilt
}

// RunSchedules is documented in db.Store.
func (d *DB) RunSchedules(ctx context.Context, spread time.Duration, limit int) (queued int, next time.Time, err error) {
	err = errNotBuilt
	return
}

// ScheduleStats is documented in db.Store.
func (d *DB) ScheduleStats(ctx context.Context, spread time.Duration) (_ db.ScheduleStats, err error) {
	err = errNotBuilt
	return
}
