package postgres

import (
	"context"

	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// Stats is documented in db.Store.
func (d *DB) Stats() (db.Stats, error) {
	s := db.Stats{WritingSince: d.pool.WritingSince()}
	var size, oldest int64
	err := d.pool.Direct(context.Background()).Row(`SELECT count(*), coalesce(min(queued % $1), 0), pg_database_size(current_database()) FROM queue`,
		[]any{int64(db.Background)}, &s.Queued, &oldest, &size)
	if s.Queued > 0 {
		s.OldestQueued = record.Instant(oldest)
	}
	taken, open := d.pool.Connections()
	s.Gauges = []db.Gauge{
		{Name: "size_bytes", Help: "Size of the database.", Value: float64(size)},
		{Name: "connections", Help: "Connections of this server to the database.", Value: float64(open)},
		{Name: "connections_in_use", Help: "Connections of this server to the database that are in use.", Value: float64(taken)},
	}
	return s, err
}
