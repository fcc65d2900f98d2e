package view

import "time"

// Instant is a time as pages show it: for people in UTC, since the server does not know where they are, and for programs.
type Instant struct{ Text, Machine string }

// Day returns the date of a time; empty for the zero time.
func Day(t time.Time) Instant { return written(t, "2 Jan 2006") }

// Moment returns date and time to the minute; empty for the zero time.
func Moment(t time.Time) Instant { return written(t, "2 Jan 2006, 15:04 UTC") }

func written(t time.Time, layout string) Instant {
	if t.IsZero() {
		return Instant{}
	}
	return Instant{t.UTC().Format(layout), t.UTC().Format(time.RFC3339)}
}
