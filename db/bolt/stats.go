package bolt

import (
	"encoding/binary"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// Stats returns the numbers of this moment. It reads the rows of waiting reports by their pages, and nothing else.
func (d *DB) Stats() (db.Stats, error) {
	info, err := os.Stat(d.path)
	if err != nil {
		return db.Stats{}, err
	}
	bolt := d.bolt.Stats()
	s := db.Stats{Size: info.Size(), FreePages: bolt.FreePageN, PendingPages: bolt.PendingPageN, OpenTransactions: bolt.OpenTxN}
	if began := d.writer.since.Load(); began != 0 {
		s.WritingSince = time.Unix(0, began)
	}
	err = d.read(func(tx *bbolt.Tx) error { return eachAccount(tx, func(a *accountTx) error { return addQueue(&s, a) }) })
	return s, err
}

// addQueue counts the waiting reports of an account, with those of a deleted project that are still to be removed.
func addQueue(s *db.Stats, a *accountTx) error {
	queue := a.bucket(queueBucket)
	s.Queued += queue.Stats().KeyN
	if first, _ := queue.Cursor().First(); first != nil {
		waitsSince(s, int64(binary.BigEndian.Uint64(first)))
	}
	return a.eachFresh(func(r *record) error {
		if r.status == db.Queued {
			s.Queued++
			waitsSince(s, r.queued)
		}
		return nil
	})
}

func waitsSince(s *db.Stats, queued int64) {
	if t := instant(queued); s.OldestQueued.IsZero() || t.Before(s.OldestQueued) {
		s.OldestQueued = t
	}
}
