package cron

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Bounds of an interval.
const (
	MinEvery = Every(5 * time.Minute)
	MaxEvery = Every(365 * 24 * time.Hour)
)

// Every is an interval between two times that something is due: from MinEvery to MaxEvery, in whole seconds, as ParseEvery makes it.
type Every time.Duration

// ParseEvery returns an interval: "6h", "90m", "1h30m", or with days of 24 hours in front, "7d", "1d12h". The error says what would be right.
func ParseEvery(text string) (Every, error) {
	const right = "write for example 30m, 6h, 7d or 1d12h"
	const longest = 32
	rest := strings.TrimSpace(text)
	if len(rest) > longest {
		return 0, fmt.Errorf("this is not an interval; %s", right)
	}
	var days time.Duration
	if number, after, found := strings.Cut(rest, "d"); found {
		n, err := strconv.Atoi(number)
		if err != nil || !isDigits(number) {
			return 0, fmt.Errorf("%q is not an interval; %s", text, right)
		}
		days, rest = time.Duration(min(n, 1000))*24*time.Hour, after
	}
	var d time.Duration
	if rest != "" || days == 0 {
		var err error
		if d, err = time.ParseDuration(rest); err != nil {
			return 0, fmt.Errorf("%q is not an interval; %s", text, right)
		}
	}
	switch every := Every(days + d); {
	case d < 0 || every < MinEvery:
		return 0, fmt.Errorf("%q is less than %s", text, MinEvery)
	case d > time.Duration(MaxEvery) || every > MaxEvery:
		return 0, fmt.Errorf("%q is more than %s", text, MaxEvery)
	case d%time.Second != 0:
		return 0, fmt.Errorf("%q is not in whole seconds", text)
	default:
		return every, nil
	}
}

// String returns the interval as ParseEvery reads it, in as few units as it needs: "6h", "1d12h", "5m30s".
func (e Every) String() string {
	var b strings.Builder
	left := int64(time.Duration(e) / time.Second)
	for _, unit := range []struct {
		seconds int64
		letter  byte
	}{{day, 'd'}, {hour, 'h'}, {minute, 'm'}, {1, 's'}} {
		if n := left / unit.seconds; n > 0 {
			b.WriteString(strconv.FormatInt(n, 10))
			b.WriteByte(unit.letter)
		}
		left %= unit.seconds
	}
	return b.String()
}

// Next returns the first time that something is due strictly after a time. It is due one interval after it was made, and from then on once in
// each interval counted from when it was made, however late each run begins. The zero Every is an error of the program and panics.
func (e Every) Next(made, after time.Time) time.Time {
	step := int64(time.Duration(e) / time.Second)
	due := func(n int64) time.Time {
		return time.Unix(made.Unix()+n*step, int64(made.Nanosecond())).In(made.Location())
	}
	n := max(1, (after.Unix()-made.Unix())/step)
	if next := due(n); next.After(after) {
		return next
	}
	return due(n + 1)
}
