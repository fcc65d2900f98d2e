package file

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"

	"sitegrade/db"
)

// ErrDamaged says that the file does not hold what was written to it. The error around it says what to do.
var ErrDamaged = errors.New("the database file is damaged")

// Damaged returns the error for a file at path whose damage showed as cause.
func Damaged(path string, cause any) error {
	return fmt.Errorf("%w: %s (%v): put the last backup in its place, and keep the damaged file for a look at it", ErrDamaged, path, cause)
}

// Guard runs work, which uses pages of the file at path. In bbolt damage shows as a panic, or as a fault of memory where a page
// names another that the file has not; both become an error.
func Guard(path string, work func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = Damaged(path, p)
		}
	}()
	return work()
}

// firstPages are the two pages at the start of a file, which bbolt reads at the begin of each transaction. It does so in memory and holding
// locks: where the disk cannot give them, the fault would leave these locked for ever. So they are read from the file before.
type firstPages struct {
	file     *os.File
	pageSize int64
	opened   time.Time
	seen     atomic.Int64 // when they were read last, in nanoseconds since opened; 0 for not yet
}

// LookAgain is how long the first pages count as readable once they were read: the kernel drops no page from memory that was used a moment
// ago. A list takes 20 µs, and to ask before each would be a tenth of that.
const LookAgain = 10 * time.Millisecond

func openFirstPages(file *bbolt.DB) (*firstPages, error) {
	f, err := os.Open(file.Path())
	if err != nil {
		return nil, err
	}
	return &firstPages{file: f, pageSize: int64(file.Info().PageSize), opened: time.Now()}, nil
}

// check returns an error where a transaction should not begin. One call reads from both: the last byte of the first page and the first
// byte of the second.
func (m *firstPages) check() error {
	now := int64(time.Since(m.opened))
	if seen := m.seen.Load(); seen > 0 && now-seen < int64(LookAgain) {
		return nil
	}
	var both [2]byte
	_, err := m.file.ReadAt(both[:], m.pageSize-1)
	switch {
	case err == nil:
		m.seen.Store(now)
		return nil
	case errors.Is(err, os.ErrClosed):
		return db.ErrClosed
	}
	return Damaged(m.file.Name(), err)
}

// Walk visits every page that a transaction can reach, so that those that follow without a guard find none that is damaged.
func Walk(tx *bbolt.Tx) error {
	if err := checkTree(tx); err != nil {
		return err
	}
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
