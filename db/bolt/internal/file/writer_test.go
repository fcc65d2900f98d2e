package file

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// open returns a file with one bucket, which may grow to maxSize bytes.
func open(t *testing.T, bucket []byte, maxSize int64) *File {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "some.db"), Options{
		MaxSize: maxSize,
		Init: func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket(bucket)
			return err
		},
		Migrate: func(*bbolt.DB) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// TestFailuresAreToldAfterTheCommit has a change fail because of another in its group: whoever learns of it must find the other stored.
func TestFailuresAreToldAfterTheCommit(t *testing.T) {
	bucket, key := []byte("bucket"), []byte("first")
	f := open(t, bucket, 0)
	first := &change{ctx: t.Context(), err: make(chan error, 1), apply: func(tx *bbolt.Tx) error {
		return tx.Bucket(bucket).Put(key, key)
	}}
	taken := errors.New("taken")
	second := &change{ctx: t.Context(), err: make(chan error), apply: func(tx *bbolt.Tx) error {
		if tx.Bucket(bucket).Get(key) != nil {
			return taken
		}
		return nil
	}}
	ended := make(chan struct{})
	go func() {
		f.writer.commit([]*change{first, second})
		close(ended)
	}()
	if err := <-second.err; !errors.Is(err, taken) {
		t.Errorf("the second change gives %v", err)
	}
	select {
	case err := <-first.err:
		if err != nil {
			t.Error(err)
		}
	default:
		t.Error("a failure is told before what it comes from is stored")
	}
	<-ended
}

// TestFullFileHasRoomForDeletions adds to a file until nothing more fits under its limit.
func TestFullFileHasRoomForDeletions(t *testing.T) {
	const size = 5 << 20
	bucket := []byte("bucket")
	f := open(t, bucket, size)
	n, err := uint32(0), error(nil)
	for err == nil {
		n++
		err = f.Add(t.Context(), func(tx *bbolt.Tx) error {
			return tx.Bucket(bucket).Put(binary.BigEndian.AppendUint32(nil, n), make([]byte, 40_000))
		})
	}
	if !errors.Is(err, db.ErrFull) {
		t.Fatal(err)
	}
	if err := f.Read(t.Context(), func(tx *bbolt.Tx) error {
		if used := tx.Size(); used < size/2 || used > size-size/4 {
			t.Errorf("%d of %d bytes are used, of which a quarter is for deletions", used, size)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if err := f.Remove(t.Context(), func(tx *bbolt.Tx) error {
		return tx.Bucket(bucket).Delete(binary.BigEndian.AppendUint32(nil, 1))
	}); err != nil {
		t.Errorf("deleting: %v", err)
	}
}
