package bolt

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

const (
	// reserveSize is how much of the disk is kept for deletions, which need new pages before they free old ones.
	reserveSize = 4 << 20
	// reservePause is the time from one attempt to take the reserve to the next.
	reservePause = time.Second
)

// reserve is a file beside the database that takes room on the disk. When the disk is full, deletions get that room, and nothing else
// is written until the reserve has been taken again.
type reserve struct {
	path  string
	held  bool
	tried time.Time // when it could not be taken; zero before that
}

// take reports whether the reserve is held, and tries to get it when it is not.
func (r *reserve) take() bool {
	if r.held || time.Since(r.tried) < reservePause {
		return r.held
	}
	if r.fill() != nil {
		r.tried = time.Now()
		_ = os.Remove(r.path) // half a reserve is none; its room is missed elsewhere
		return false
	}
	r.held = true
	return true
}

// fill makes the file as large as it must be, unless it is. Its content is noise, which takes room also where zeros do not.
func (r *reserve) fill() error {
	if info, err := os.Stat(r.path); err == nil && info.Size() == reserveSize {
		return nil
	}
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(f, rand.NewChaCha8([32]byte{}), reserveSize)
	return errors.Join(err, f.Sync(), f.Close())
}

// release returns the room back to the disk and says whether there was any.
func (r *reserve) release() bool {
	if !r.held {
		return false
	}
	r.held, r.tried = false, time.Now()
	return os.Remove(r.path) == nil
}
