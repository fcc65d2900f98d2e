package order

import (
	"bytes"
	"encoding/binary"
	"slices"

	"go.etcd.io/bbolt"
)

// MaxSegment is how many entries of order may lie between two marks: what a list walks at most to find a row, once for each
// range that it merges.
const MaxSegment = 256

// Change puts an entry, or removes it.
type Change struct {
	Key, Value []byte
	Remove     bool
}

// Apply puts and removes entries of order and keeps the marks over them.
func Apply(order, marks *bbolt.Bucket, changes []Change) error {
	slices.SortFunc(changes, func(x, y Change) int { return bytes.Compare(x.Key, y.Key) })
	s := segment{order: order, marks: marks}
	for _, c := range changes {
		if err := s.moveTo(c.Key); err != nil {
			return err
		}
		if c.Remove {
			if err := order.Delete(c.Key); err != nil {
				return err
			}
			s.count--
			continue
		}
		if err := order.Put(c.Key, c.Value); err != nil {
			return err
		}
		if s.count++; s.count > MaxSegment {
			if err := s.split(); err != nil {
				return err
			}
		}
	}
	return s.store()
}

// segment is the part of a range from one mark to the next. It is stored when the next one is moved to.
type segment struct {
	order, marks *bbolt.Bucket
	mark         []byte // nil before the first
	end          []byte // the next mark of the range; nil for the last segment
	count        int
}

// moveTo makes s the segment that key belongs to.
func (s *segment) moveTo(key []byte) error {
	if s.holds(key) {
		return nil
	}
	if err := s.store(); err != nil {
		return err
	}
	c := s.marks.Cursor()
	mark, count := EntryAtOrBefore(c, key)
	if bytes.HasPrefix(mark, key[:RangeSize]) {
		s.mark, s.count = bytes.Clone(mark), int(binary.BigEndian.Uint32(count))
		mark, _ = c.Next()
	} else {
		s.mark, s.count = bytes.Clone(key[:RangeSize]), 0
		mark, _ = c.Seek(key)
	}
	s.end = nil
	if bytes.HasPrefix(mark, key[:RangeSize]) {
		s.end = bytes.Clone(mark)
	}
	return nil
}

func (s *segment) holds(key []byte) bool {
	return s.mark != nil && bytes.Equal(s.mark[:RangeSize], key[:RangeSize]) &&
		bytes.Compare(key, s.mark) >= 0 && (s.end == nil || bytes.Compare(key, s.end) < 0)
}

// split marks the middle of s, of which s keeps the second half: in a load, what comes next belongs there.
func (s *segment) split() error {
	c := s.order.Cursor()
	key, _ := c.Seek(s.mark)
	half := s.count / 2
	for range half {
		key, _ = c.Next()
	}
	middle := bytes.Clone(key)
	rest := s.count - half
	s.count = half
	if err := s.store(); err != nil {
		return err
	}
	s.mark, s.count = middle, rest
	return nil
}

func (s *segment) store() error {
	switch {
	case s.mark == nil:
		return nil
	case s.count == 0:
		return s.marks.Delete(s.mark)
	}
	return s.marks.Put(s.mark, binary.BigEndian.AppendUint32(nil, uint32(s.count)))
}
