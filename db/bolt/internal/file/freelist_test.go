package file

import (
	"encoding/binary"
	"testing"

	"go.etcd.io/bbolt"
)

// TestFreePagesAreKeptByTheirNumber opens files with few free pages, with many, and with a list that was left out.
func TestFreePagesAreKeptByTheirNumber(t *testing.T) {
	for _, c := range []struct {
		name  string
		pages int // that become free
		list  bool
		want  bbolt.FreelistType
	}{
		{"few", 100, true, bbolt.FreelistArrayType},
		{"many", maxArray + 100, true, bbolt.FreelistMapType},
		{"unlisted", 100, false, bbolt.FreelistMapType},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := fileWithFreePages(t, c.pages, c.list)
			listed, err := ListedPages(path)
			if err != nil || (listed == Unlisted) == c.list || c.list && (listed < c.pages || listed > c.pages+100) {
				t.Errorf("%d pages are listed of somewhat more than %d, %v", listed, c.pages, err)
			}
			file, err := openFile(path, &bbolt.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if file.FreelistType != c.want {
				t.Errorf("%d free pages are kept as %q, want %q", listed, file.FreelistType, c.want)
			}
			if err := file.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// fileWithFreePages returns the path of a file with so many free pages and some more, and which it lists or not.
func fileWithFreePages(t *testing.T, pages int, list bool) string {
	t.Helper()
	path, bucket := t.TempDir()+"/some.db", []byte("bucket")
	file, err := bbolt.Open(path, 0o600, &bbolt.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	change := func(apply func(*bbolt.Bucket, []byte) error) {
		if err := file.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(bucket)
			for i := 0; err == nil && i < pages/10; i++ {
				err = apply(b, binary.BigEndian.AppendUint32(nil, uint32(i)))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	change(func(b *bbolt.Bucket, key []byte) error { return b.Put(key, make([]byte, 10*file.Info().PageSize-1000)) })
	change(func(b *bbolt.Bucket, key []byte) error { return b.Delete(key) })
	file.NoFreelistSync = !list
	change(func(b *bbolt.Bucket, key []byte) error { return nil }) // what the last one left is free now
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
