package record

import (
	"crypto/rand"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// IDs hands out UUIDv7 (RFC 9562) in rising order, also within a millisecond and when the clock goes back. One goroutine uses it: that
// which writes, so that ids rise in the order of commits.
type IDs struct {
	ms      int64
	counter uint16 // 12 bits, in rand_a
}

// Next returns an id for now.
func (s *IDs) Next(now time.Time) uuid.UUID {
	switch ms := now.UnixMilli(); {
	case ms > s.ms:
		s.ms, s.counter = ms, 0
	case s.counter == 0xfff:
		s.ms, s.counter = s.ms+1, 0
	default:
		s.counter++
	}
	return NewID(s.ms, s.counter)
}

// NewID returns a UUIDv7 of that millisecond, counted from 1970, with 62 random bits. The counter has 12 bits.
func NewID(ms int64, counter uint16) uuid.UUID {
	var id uuid.UUID
	_, _ = rand.Read(id[8:]) // never fails (crypto/rand)
	binary.BigEndian.PutUint64(id[:8], uint64(ms)<<16|0x7000|uint64(counter&0xfff))
	id[8] = id[8]&0x3f | 0x80
	return id
}

// IDTime returns the moment that a UUIDv7 was made at, in ms since 1970.
func IDTime(id uuid.UUID) int64 { return int64(binary.BigEndian.Uint64(id[:8]) >> 16) }
