package order

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"
)

// TestBackwardsOverEmptiedPages deletes runs of entries from a bucket of many pages, and compares what the functions that move backwards
// find in the same transaction with what is left.
func TestBackwardsOverEmptiedPages(t *testing.T) {
	const entries = 60 // nine on a page
	key := func(i int) []byte { return fmt.Appendf(nil, "%02d", i) }
	file, err := bbolt.Open(filepath.Join(t.TempDir(), "cursor.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket([]byte("b"))
		for i := 0; i < entries && err == nil; i++ {
			err = b.Put(key(i), make([]byte, 400))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		from, to := 0, entries // at first everything goes
		if round > 0 {
			from = random.IntN(entries)
			to = from + random.IntN(entries-from+1)
		}
		last := func(end int) []byte { // of what is left before end
			if from < end && end <= to {
				end = from
			}
			if end == 0 {
				return nil
			}
			return key(end - 1)
		}
		tx, err := file.Begin(true)
		if err != nil {
			t.Fatal(err)
		}
		b := tx.Bucket([]byte("b"))
		for i := from; i < to; i++ {
			if err := b.Delete(key(i)); err != nil {
				t.Fatal(err)
			}
		}
		if got, _ := LastEntry(b.Cursor()); !bytes.Equal(got, last(entries)) {
			t.Errorf("without %d to %d the last entry is %q", from, to, got)
		}
		for i := range entries + 1 {
			if got, _ := EntryBefore(b.Cursor(), key(i)); !bytes.Equal(got, last(i)) {
				t.Errorf("without %d to %d the entry before %d is %q", from, to, i, got)
			}
			if got, _ := EntryAtOrBefore(b.Cursor(), key(i)); i < entries && !bytes.Equal(got, last(i+1)) {
				t.Errorf("without %d to %d the entry at or before %d is %q", from, to, i, got)
			}
		}
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
	}
}
