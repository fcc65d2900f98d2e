package auth

import (
	"errors"
	"fmt"
	"strconv"
	"time"
)

// maxLifetime is the longest lifetime that can be given as a number of hours or days: a hundred years.
const maxLifetime = 36500 * 24 * time.Hour

var errExpiry = errors.New("give a number of days or hours (90d, 12h), a date (2027-01-31, from whose start in UTC the key is refused) or a time (2027-01-31T12:00:00Z)")

// ParseExpiry reads when a key expires, seen from now: "90d", "12h", a date, at whose start in UTC the key ends, or a time of RFC
// 3339. "" gives the zero time: never. The moment must lie ahead of now.
func ParseExpiry(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := expiry(text, now)
	if err != nil {
		return time.Time{}, fmt.Errorf("%q is no expiry: %w", text, err)
	}
	if !at.After(now) {
		return time.Time{}, fmt.Errorf("%q is not ahead of now (%s)", text, now.UTC().Format(time.RFC3339))
	}
	return at.UTC(), nil
}

func expiry(text string, now time.Time) (time.Time, error) {
	if at, err := time.Parse(time.DateOnly, text); err == nil {
		return at, nil
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	remaining, err := lifetime(text)
	return now.Add(remaining), err
}

// lifetime reads a number of days or hours.
func lifetime(text string) (time.Duration, error) {
	units := map[byte]time.Duration{'d': 24 * time.Hour, 'h': time.Hour}
	unit := units[text[len(text)-1]]
	n, err := strconv.ParseUint(text[:len(text)-1], 10, 32)
	if unit == 0 || err != nil {
		return 0, errExpiry
	}
	if n > uint64(maxLifetime/unit) {
		return 0, fmt.Errorf("at most %d days: leave it out for a key that does not expire", maxLifetime/(24*time.Hour))
	}
	return time.Duration(n) * unit, nil
}
