package bolt

import (
	"context"
	"encoding/binary"
	"os"

	"go.etcd.io/bbolt"

	"sitegrade/db"
	"sitegrade/db/internal/record"
)

// Stats is documented in db.Store. It reads the rows of waiting reports by their pages, and nothing else.
func (d *DB) Stats() (db.Stats, error) {
	info, err := os.Stat(d.file.Path())
	if err != nil {
		return db.Stats{}, err
	}
	pages := d.file.Stats()
	s := db.Stats{WritingSince: d.file.WritingSince(), Gauges: []db.Gauge{
		{Name: "size_bytes", Help: "Size of the database file.", Value: float64(info.Size())},
		{Name: "free_pages", Help: "Pages of the file that the next writes can use.", Value: float64(pages.FreePageN)},
		{Name: "pending_pages", Help: "Pages that become free when their readers have ended.", Value: float64(pages.PendingPageN)},
		{Name: "open_transactions", Help: "Readers of the database.", Value: float64(pages.OpenTxN)},
	}}
	err = d.file.Read(context.Background(), func(tx *bbolt.Tx) error {
		return eachAccount(tx, func(a *accountTx) error {
			queued, oldest, err := a.queueLength()
			if s.Queued += queued; oldest > 0 && (s.OldestQueued.IsZero() || record.Instant(oldest).Before(s.OldestQueued)) {
				s.OldestQueued = record.Instant(oldest)
			}
			return err
		})
	})
	return s, err
}

// queueLength counts the waiting reports, with those of a deleted project that are still to be removed, and returns since when the first of
// them waits, 0 when nothing does.
func (a *accountTx) queueLength() (queued int, oldest int64, err error) {
	queue := a.bucket(queueBucket)
	queued = queue.Stats().KeyN
	if first, _ := queue.Cursor().First(); first != nil {
		oldest = int64(binary.BigEndian.Uint64(first)) % db.Background
	}
	err = a.eachFresh(func(r *record.Record) error {
		if r.Status == db.Queued {
			queued++
			if turn := r.Queued % db.Background; oldest == 0 || turn < oldest {
				oldest = turn
			}
		}
		return nil
	})
	return queued, oldest, err
}
