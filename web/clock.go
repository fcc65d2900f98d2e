package web

import "time"

// instant is a time as pages show it: for people in UTC, since the server does not know where they are, and for programs.
type instant struct{ Text, Machine string }

// day returns the date of a time; empty for the zero time.
func day(t time.Time) instant { return written(t, "2 Jan 2006") }

// moment returns date and time to the minute; empty for the zero time.
func moment(t time.Time) instant { return written(t, "2 Jan 2006, 15:04 UTC") }

func written(t time.Time, layout string) instant {
	if t.IsZero() {
		return instant{}
	}
	return instant{t.UTC().Format(layout), t.UTC().Format(time.RFC3339)}
}
