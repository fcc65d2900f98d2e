package db

import (
	"encoding/binary"
	"os"
	"time"

	"go.etcd.io/bbolt"
)

// Stats is how a database is at one moment.
type Stats struct {
	Size             int64     // bytes of the file
	FreePages        int       // pages of the file that the next writes can use
	PendingPages     int       // pages that become free when the readers of now have ended
	OpenTransactions int       // readers
	Queued           int       // reports that wait for an audit or are in one, of all accounts
	OldestQueued     time.Time // since when the first of them waits; zero for none
}

// Stats returns the numbers of this moment. It reads the rows of waiting reports by their pages, and nothing else.
func (d *DB) Stats() (Stats, error) {
	info, err := os.Stat(d.path)
	if err != nil {
		return Stats{}, err
	}
	bolt := d.bolt.Stats()
	s := Stats{Size: info.Size(), FreePages: bolt.FreePageN, PendingPages: bolt.PendingPageN, OpenTransactions: bolt.OpenTxN}
	err = d.read(func(tx *bbolt.Tx) error { return eachAccount(tx, s.addQueue) })
	return s, err
}

// addQueue counts the waiting reports of an account, with those of a deleted project that are still to be removed.
func (s *Stats) addQueue(a *accountTx) error {
	queue := a.bucket(queueBucket)
	s.Queued += queue.Stats().KeyN
	if first, _ := queue.Cursor().First(); first != nil {
		s.waitsSince(int64(binary.BigEndian.Uint64(first)))
	}
	return a.eachFresh(func(r *record) error {
		if r.status == Queued {
			s.Queued++
			s.waitsSince(r.queued)
		}
		return nil
	})
}

func (s *Stats) waitsSince(queued int64) {
	if t := instant(queued); s.OldestQueued.IsZero() || t.Before(s.OldestQueued) {
		s.OldestQueued = t
	}
}
