package bolt

import (
	"bytes"
	"slices"

	"github.com/google/uuid"
)

// match is a report that a search found. The key is what the list is sorted by, and is valid inside the transaction only.
type match struct {
	id  uuid.UUID
	key []byte
}

// direction is the order of a list's matches: by key, then by id.
type direction struct{ descending bool }

func (d direction) compare(x, y match) int { return d.compareTo(x.key, x.id[:], &y) }

// compareTo compares a row that is not a match yet. Its id is looked at only where the keys are the same.
func (d direction) compareTo(key, id []byte, m *match) int {
	c := bytes.Compare(key, m.key)
	if c == 0 {
		c = bytes.Compare(id, m.id[:])
	}
	if d.descending {
		return -c
	}
	return c
}

// selection keeps the matches of one stretch of a list, while those of the whole list come in any order.
type selection struct {
	direction
	keep   int    // how many rows are kept
	from   *match // rows before it are only counted; nil: there are none
	to     *match // neither it nor what is behind it is kept; nil: the stretch has no end
	rows   []match
	before int // how many rows came that are before from
	total  int // how many rows came
}

// add takes a match.
func (s *selection) add(key, id []byte) {
	s.total++
	if s.to != nil && s.compareTo(key, id, s.to) >= 0 {
		return
	}
	if s.from != nil && s.compareTo(key, id, s.from) < 0 {
		s.before++
		return
	}
	s.rows = append(s.rows, match{uuid.UUID(id), key})
	if len(s.rows) >= 2*s.keep+64 {
		s.trim()
	}
}

// trim drops what is behind the rows to keep, and ends the stretch there.
func (s *selection) trim() {
	if len(s.rows) <= s.keep {
		return
	}
	s.settle(s.rows, s.keep)
	end := s.rows[s.keep]
	s.rows, s.to = s.rows[:s.keep], &end
}

// take adds what another selection found, which began at the same row.
func (s *selection) take(other *selection) {
	s.total += other.total
	s.before += other.before
	s.rows = append(s.rows, other.rows...)
	if other.to != nil && (s.to == nil || s.compare(*other.to, *s.to) < 0) {
		s.to = other.to
	}
	if s.to != nil {
		s.rows = slices.DeleteFunc(s.rows, func(m match) bool { return s.compare(m, *s.to) >= 0 })
	}
	s.trim()
}

// holds reports whether the stretch has the rows that are the lowest-th to the one before the end-th of the list, or as many of them as
// the list has.
func (s *selection) holds(lowest, end int) bool {
	return lowest >= s.before && (s.to == nil || end <= s.before+len(s.rows))
}

// between returns those rows, sorted. The stretch must hold them.
func (s *selection) between(lowest, end int) []match {
	lowest, end = min(lowest-s.before, len(s.rows)), min(end-s.before, len(s.rows))
	s.settle(s.rows, lowest)
	s.settle(s.rows[lowest:], end-lowest)
	rows := s.rows[lowest:end]
	slices.SortFunc(rows, s.compare)
	return rows
}

// next returns a selection for the stretch that begins where s ends, or at the lowest-th row of the list where s has that.
func (s *selection) next(lowest int) *selection {
	from := s.to
	if at := lowest - s.before; at >= 0 && at < len(s.rows) {
		s.settle(s.rows, at)
		from = &s.rows[at]
	}
	return &selection{direction: s.direction, keep: s.keep, from: from}
}

// settle puts the row in the place that it has in the sorted list, with none behind it that belongs before it (Hoare's selection, which
// takes time in proportion to the number of rows).
func (d direction) settle(rows []match, place int) {
	for low, high := 0, len(rows)-1; low < high && place <= high; {
		pivot := d.median(rows[low], rows[low+(high-low)/2], rows[high])
		i, j := low, high
		for i <= j {
			for d.compare(rows[i], pivot) < 0 {
				i++
			}
			for d.compare(rows[j], pivot) > 0 {
				j--
			}
			if i <= j {
				rows[i], rows[j] = rows[j], rows[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case place <= j:
			high = j
		case place >= i:
			low = i
		default:
			return
		}
	}
}

func (d direction) median(x, y, z match) match {
	if d.compare(x, y) > 0 {
		x, y = y, x
	}
	if d.compare(y, z) <= 0 {
		return y
	}
	if d.compare(x, z) > 0 {
		return x
	}
	return z
}
