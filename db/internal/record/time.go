package record

import "time"

// Milliseconds returns a time as a record has it: in ms since 1970, 0 for the zero time.
func Milliseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// Instant returns the time that Milliseconds was given.
func Instant(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
