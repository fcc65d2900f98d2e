package bolt

import (
	"crypto/rand"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// idSource hands out UUIDv7 (RFC 9562) in rising order, also within a millisecond and when the clock goes back. Only the writer
// uses it, so that ids rise in the order of commits.
type idSource struct {
	ms      int64
	counter uint16 // 12 bits, in rand_a
}

// next returns an id for now.
func (s *idSource) next(now time.Time) uuid.UUID {
	switch ms := now.UnixMilli(); {
	case ms > s.ms:
		s.ms, s.counter = ms, 0
	case s.counter == 0xfff:
		s.ms, s.counter = s.ms+1, 0
	default:
		s.counter++
	}
	return newID(s.ms, s.counter)
}

// newID returns a UUIDv7 of that millisecond with 62 random bits.
func newID(ms int64, counter uint16) uuid.UUID {
	var id uuid.UUID
	_, _ = rand.Read(id[8:]) // never fails (crypto/rand)
	binary.BigEndian.PutUint64(id[:8], uint64(ms)<<16|0x7000|uint64(counter&0xfff))
	id[8] = id[8]&0x3f | 0x80
	return id
}

// idTime returns the moment that a UUIDv7 was made at.
func idTime(id uuid.UUID) int64 { return int64(binary.BigEndian.Uint64(id[:8]) >> 16) }
