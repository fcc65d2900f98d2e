package view

import "time"

// Instant is a time as pages show it: for people in UTC, since the server does not know where they are, and for programs. The template "time"
// writes it.
type Instant struct {
	Time  time.Time
	Exact bool // it has a time of day, which a script may show in the reader's zone
}

// Day returns the date of a time; nothing to show for the zero time.
func Day(t time.Time) Instant { return Instant{Time: t} }

// Moment returns date and time to the minute; nothing to show for the zero time.
func Moment(t time.Time) Instant { return Instant{Time: t, Exact: true} }

// Machine returns the time for programs, as in RFC 3339; "" for the zero time.
func (i Instant) Machine() string {
	if i.Time.IsZero() {
		return ""
	}
	return i.Time.UTC().Format(time.RFC3339)
}
