// Package cron says when something is due: by a rule as in a crontab, or once in an interval. It knows no clock and no storage: the caller
// says after which time, and in which zone.
//
// # Rules
//
// A rule is five fields, or one of the names @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly:
//
//	minute          0 to 59
//	hour            0 to 23
//	day of month    1 to 31
//	month           1 to 12, or jan to dec
//	day of week     0 to 7, or sun to sat; 0 and 7 are Sunday
//
// A field is * for every value, or a list of values and ranges: "1,15", "mon-fri", "8-18/2". A step stands after * or a range. As in
// Debian's cron "5/15" is an error, since some read it as "5" and others as "5-59/15"; so is a range backwards, "fri-mon".
//
// A field begins with * when it is "*" or "*/n". If neither day field does, a day needs to match one of them: "0 9 1 * mon" is due on
// the first of each month and on each Monday. If one does, a day must match both, so "0 9 */2 * mon" is due on the Mondays with an odd date.
//
// # Changes of the clock
//
// They follow Debian's cron. What counts is whether a rule names its times of day, which it does when neither its minute nor its hour
// begins with *:
//
//   - If it names them, each of its times is due once a day. A time that does not exist, because clocks went forward over it, is due right
//     after the gap; several of them in one gap are due together, once. A time that exists twice, because clocks went back, is due the
//     first time.
//   - If it does not, it is due whenever the clock on the wall shows a time that matches. Times in a gap are not made up for, and times
//     that exist twice are due twice.
//   - A change by more than 3 hours is no daylight saving: somebody moved the zone. Then every rule goes by the clock on the wall. When
//     Samoa left out the 30th of December 2011, nothing was due on that day.
//
// Debian's cron draws the line of the last rule at "less than 3 hours" forward and at "up to 3 hours" back. Here it is up to 3 hours in
// both directions, since Casey Station in Antarctica changes its clocks by 3 hours and should miss nothing in spring.
package cron

import (
	"math/bits"
	"time"
)

// horizon is how many seconds Next looks ahead: 41 years. The 29th of February falls on a certain day of the week every 28 years, or every 40
// across a year such as 2100 that is no leap year.
const horizon = 41 * 366 * day

// Lengths in seconds.
const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
)

// Schedule is a rule that says when something is due, made by Parse. Schedules may be compared with ==; the zero Schedule is never due.
type Schedule struct {
	text string

	// Bit n of each is set if the value n matches. Weekdays has Sunday as bit 0 and repeats itself every 7 bits, for 6 weeks.
	minutes, hours, days, months, weekdays uint64

	bothDays bool // a day must match both day fields, since one of them begins with *
	named    bool // the rule names its times of day
}

// String returns the rule as it was written, with one space between its fields. Parse makes the same Schedule of it.
func (s Schedule) String() string { return s.text }

// Next returns the first time that the schedule is due strictly after a time, in the zone. It reports false if the schedule is not due within
// 41 years, as can only be of the zero Schedule, or of one day in four years that a zone left out.
func (s Schedule) Next(after time.Time, zone *time.Location) (time.Time, bool) {
	from := after.Unix() + 1
	limit := from + horizon
	// A change of the last hours may be why clocks show what they have shown before.
	for now := periodAt(from-1-maxChange, zone); ; {
		if due := s.onClock(from+now.offset, min(now.end, limit)+now.offset); due != never {
			return time.Unix(due-now.offset, 0).In(zone), true
		}
		if now.end >= limit {
			return time.Time{}, false
		}
		change, later := now.end, periodAt(now.end, zone)
		forward := later.offset - now.offset
		if s.named && -maxChange <= forward && forward <= maxChange {
			if from <= change && s.onClock(change+now.offset, change+later.offset) != never {
				return time.Unix(change, 0).In(zone), true
			}
			from = max(from, change-forward)
		}
		from = max(from, change)
		now = later
	}
}

// never is what onClock returns if nothing is due.
const never = -1 << 63

// onClock returns the first time from one up to before another that matches the rule, or never. The times are those of a clock on a wall: seconds
// since it showed the beginning of 1970, in days that all have 24 hours.
func (s Schedule) onClock(from, end int64) int64 {
	if from >= end {
		return never
	}
	from += minute - 1
	date := time.Unix(from, 0).UTC()
	year, month, first := date.Year(), date.Month(), date.Day()
	second, found := s.timeOfDay(date.Hour(), date.Minute())
	if !found || s.daysOf(year, month)>>first&1 == 0 {
		first++
		if second, found = s.timeOfDay(0, 0); !found {
			return never
		}
	}
	for {
		if days := s.daysOf(year, month) >> first << first; days != 0 {
			due := midnight(year, month, bits.TrailingZeros64(days)) + second
			if due < end {
				return due
			}
			return never
		}
		if month++; month > time.December {
			year, month = year+1, time.January
		}
		if first = 1; midnight(year, month, first) >= end {
			return never
		}
	}
}

// timeOfDay returns the first second of a day that matches, from a time of that day on, and whether there is one.
func (s Schedule) timeOfDay(h, m int) (second int64, found bool) {
	minutes := s.minutes >> m << m
	if s.hours>>h&1 == 0 || minutes == 0 {
		h++
		minutes = s.minutes
	}
	hours := s.hours >> h << h
	if hours == 0 || minutes == 0 {
		return 0, false
	}
	return int64(bits.TrailingZeros64(hours))*hour + int64(bits.TrailingZeros64(minutes))*minute, true
}

// daysOf returns the days of a month that match, as bits.
func (s Schedule) daysOf(year int, month time.Month) uint64 {
	if s.months>>month&1 == 0 {
		return 0
	}
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	length := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	all := uint64(1)<<(length+1) - 2
	weekdays := s.weekdays >> first.Weekday() << 1
	if s.bothDays {
		return s.days & weekdays & all
	}
	return (s.days | weekdays) & all
}

// midnight returns the beginning of a date on a clock on the wall.
func midnight(year int, month time.Month, day int) int64 {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
}
