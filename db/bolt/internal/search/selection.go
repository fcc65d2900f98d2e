package search

import (
	"bytes"
	"slices"

	"github.com/google/uuid"
)

// Match is a report that a search found. The key is what the list is sorted by, and is valid as long as the block that it is in.
type Match struct {
	ID  uuid.UUID
	Key []byte
}

// Direction is the order of a list's matches: by key, then by id.
type Direction struct{ Descending bool }

// Compare says which of two matches comes first, as the functions of package slices want it.
func (d Direction) Compare(x, y Match) int { return d.compareTo(x.Key, x.ID[:], &y) }

// compareTo compares a row that is not a match yet. Its id is looked at only where the keys are the same.
func (d Direction) compareTo(key, id []byte, m *Match) int {
	c := bytes.Compare(key, m.Key)
	if c == 0 {
		c = bytes.Compare(id, m.ID[:])
	}
	if d.Descending {
		return -c
	}
	return c
}

// Selection keeps the matches of one stretch of a list, while those of the whole list come in any order. From and To, which narrows by itself,
// bound the stretch.
type Selection struct {
	Direction
	Keep   int    // how many rows are kept
	From   *Match // rows before it are only counted; nil: there are none
	To     *Match // neither it nor what is behind it is kept; nil: the stretch has no end
	Rows   []Match
	Before int // how many rows came that are before From
	Total  int // how many rows came
}

// Add takes a match.
func (s *Selection) Add(key, id []byte) {
	s.Total++
	if s.To != nil && s.compareTo(key, id, s.To) >= 0 {
		return
	}
	if s.From != nil && s.compareTo(key, id, s.From) < 0 {
		s.Before++
		return
	}
	s.Rows = append(s.Rows, Match{uuid.UUID(id), key})
	if len(s.Rows) >= 2*s.Keep+64 {
		s.trim()
	}
}

// trim drops what is behind the rows to keep, and ends the stretch there.
func (s *Selection) trim() {
	if len(s.Rows) <= s.Keep {
		return
	}
	s.Settle(s.Rows, s.Keep)
	end := s.Rows[s.Keep]
	s.Rows, s.To = s.Rows[:s.Keep], &end
}

// Take adds what another selection found, which began at the same row.
func (s *Selection) Take(other *Selection) {
	s.Total += other.Total
	s.Before += other.Before
	s.Rows = append(s.Rows, other.Rows...)
	if other.To != nil && (s.To == nil || s.Compare(*other.To, *s.To) < 0) {
		s.To = other.To
	}
	if s.To != nil {
		s.Rows = slices.DeleteFunc(s.Rows, func(m Match) bool { return s.Compare(m, *s.To) >= 0 })
	}
	s.trim()
}

// Holds reports whether the stretch has the rows that are the lowest-th to the one before the end-th of the list, or as many of them as
// the list has.
func (s *Selection) Holds(lowest, end int) bool {
	return lowest >= s.Before && (s.To == nil || end <= s.Before+len(s.Rows))
}

// Between returns those rows, sorted. The stretch must hold them.
func (s *Selection) Between(lowest, end int) []Match {
	lowest, end = min(lowest-s.Before, len(s.Rows)), min(end-s.Before, len(s.Rows))
	s.Settle(s.Rows, lowest)
	s.Settle(s.Rows[lowest:], end-lowest)
	rows := s.Rows[lowest:end]
	slices.SortFunc(rows, s.Compare)
	return rows
}

// Next returns a selection for the stretch that begins where s ends, or at the lowest-th row of the list where s has that.
func (s *Selection) Next(lowest int) *Selection {
	from := s.To
	if at := lowest - s.Before; at >= 0 && at < len(s.Rows) {
		s.Settle(s.Rows, at)
		from = &s.Rows[at]
	}
	return &Selection{Direction: s.Direction, Keep: s.Keep, From: from}
}

// Settle puts the row in the place that it has in the sorted list, with none behind it that belongs before it (Hoare's selection, which
// takes time in proportion to the number of rows).
func (d Direction) Settle(rows []Match, place int) {
	for low, high := 0, len(rows)-1; low < high && place <= high; {
		pivot := d.median(rows[low], rows[low+(high-low)/2], rows[high])
		i, j := low, high
		for i <= j {
			for d.Compare(rows[i], pivot) < 0 {
				i++
			}
			for d.Compare(rows[j], pivot) > 0 {
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

func (d Direction) median(x, y, z Match) Match {
	if d.Compare(x, y) > 0 {
		x, y = y, x
	}
	if d.Compare(y, z) <= 0 {
		return y
	}
	if d.Compare(x, z) > 0 {
		return x
	}
	return z
}
