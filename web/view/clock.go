package view

import "time"

// Instant is a time as pages show it: for people in UTC, since the server does not know where they are, and for programs.
type Instant struct {
	Text, Machine string
	Exact         bool // it has a time of day, which a script may show in the reader's zone
}

// Day returns the date of a time; empty for the zero time.
func Day(t time.Time) Instant { return written(t, "2 Jan 2006") }

// Moment returns date and time to the minute; empty for the zero time.
func Moment(t time.Time) Instant {
	i := written(t, "2 Jan 2006, 15:04 UTC")
	i.Exact = !t.IsZero()
	return i
}

func written(t time.Time, layout string) Instant {
	if t.IsZero() {
		return Instant{}
	}
	return Instant{Text: t.UTC().Format(layout), Machine: t.UTC().Format(time.RFC3339)}
}
