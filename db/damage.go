package db

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"

	"go.etcd.io/bbolt"
)

// ErrDamaged says that the file does not hold what was written to it. The error around it says what to do.
var ErrDamaged = errors.New("the database file is damaged")

// damaged gives the error for a file at path whose damage showed as cause.
func damaged(path string, cause any) error {
	return fmt.Errorf("%w: %s (%v): put the last backup in its place, and keep the damaged file for a look at it", ErrDamaged, path, cause)
}

// guarded runs work, which uses pages of the file at path. In bbolt damage shows as a panic, or as a fault of memory where a page
// names another that the file has not; both become an error.
func guarded(path string, work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = damaged(path, p)
		}
	}()
	return work()
}

// walk visits every page that a transaction can reach, so that those that follow without a guard find none that is damaged.
func walk(tx *bbolt.Tx) error {
	return tx.ForEach(func(_ []byte, b *bbolt.Bucket) error { return walkBucket(b) })
}

func walkBucket(b *bbolt.Bucket) error {
	c := b.Cursor()
	return b.ForEach(func(key, value []byte) error {
		touch(key)
		c.Seek(key) // reads the keys of the pages above, too
		if value == nil {
			if inner := b.Bucket(key); inner != nil {
				return walkBucket(inner)
			}
		}
		touch(value)
		return nil
	})
}

// touched takes what touch reads, so that the reading is not left out.
var touched atomic.Uint32

// touch reads the last byte of b, which lies outside of the file when its stored length is wrong.
func touch(b []byte) {
	if len(b) > 0 {
		touched.Store(uint32(b[len(b)-1]))
	}
}

// The parts of a meta page that say whether the free pages are listed in the file: there are two such pages at its start, and
// the one of the later transaction counts.
const (
	metaSize       = 80
	metaPageSizeAt = 24
	metaFreelistAt = 48
	metaTxAt       = 64
	noFreelist     = ^uint64(0)
)

// listsFreePages says whether the file lists its free pages. If not, bbolt looks for them by walking all pages when it opens the file,
// and damage there ends the process.
func listsFreePages(path string) (bool, error) {
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	var first, second [metaSize]byte
	if _, err := file.ReadAt(first[:], 0); err != nil {
		return false, damaged(path, err)
	}
	if _, err := file.ReadAt(second[:], int64(binary.NativeEndian.Uint32(first[metaPageSizeAt:]))); err != nil {
		return false, damaged(path, err)
	}
	last := first
	if binary.NativeEndian.Uint64(second[metaTxAt:]) > binary.NativeEndian.Uint64(first[metaTxAt:]) {
		last = second
	}
	return binary.NativeEndian.Uint64(last[metaFreelistAt:]) != noFreelist, nil
}

// checkUnlisted walks a file that does not list its free pages, and gives ErrDamaged where it is damaged. Other files it leaves alone.
func checkUnlisted(path string) error {
	if listed, err := listsFreePages(path); listed || err != nil {
		return err
	}
	file, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
	if err != nil {
		return err
	}
	return errors.Join(file.View(walk), file.Close())
}
