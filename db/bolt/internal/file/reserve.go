package file

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

const (
	// ReserveSize is how much room is kept for deletions, which need new pages before they free old ones.
	ReserveSize = 4 << 20
	// reservePause is the time from one attempt to take the reserve to the next.
	reservePause = time.Second
)

// reserve is a file beside the database that takes room on the disk. When the disk is full, deletions get that room, and it is the
// first to come back.
type reserve struct {
	path  string
	size  int64     // of the file
	tried time.Time // when it could not be filled; zero before that
}

// take returns how much room is held, at most ReserveSize, and tries to get what is missing.
func (r *reserve) take() int64 {
	if r.size < ReserveSize && time.Since(r.tried) >= reservePause {
		if err := r.fill(); err != nil {
			r.tried = time.Now()
		}
	}
	return r.size
}

// fill makes the file as large as it should be, or as large as the disk lets it be. Its content is noise, which takes room also where
// zeros do not.
func (r *reserve) fill() error {
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	r.size = min(info.Size(), ReserveSize)
	if r.size == ReserveSize {
		return f.Close()
	}
	n, err := io.CopyN(f, rand.NewChaCha8([32]byte{byte(r.size >> 12)}), ReserveSize-r.size)
	if syncErr := f.Sync(); syncErr != nil { // it is not known what the disk has taken
		r.size = 0
		return errors.Join(syncErr, f.Close(), os.Remove(r.path))
	}
	r.size += n
	return errors.Join(err, f.Close())
}

// release returns the room to the disk and reports whether there was any.
func (r *reserve) release() bool {
	if r.size == 0 {
		return false
	}
	r.size, r.tried = 0, time.Now()
	return os.Remove(r.path) == nil
}
