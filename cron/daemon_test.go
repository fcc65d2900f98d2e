package cron_test

import (
	"strconv"
	"strings"
	"time"
)

// daemon does what Debian's cron does: it wakes up each minute, looks at the clock on the wall, and keeps a clock of its own, which
// runs ahead or behind when the wall's is changed. It shares nothing with the package and knows nothing of transitions.
type daemon struct {
	rule    string
	byWall  bool         // the rule goes by the wall: its minute or hour begins with *
	minutes [1440]bool   // of a day
	dates   map[int]bool // by days since 1970, as they are asked for
}

func newDaemon(rule string) *daemon {
	f := strings.Fields(rule)
	d := &daemon{rule: rule, dates: map[int]bool{}, byWall: f[0][0] == '*' || f[1][0] == '*'}
	for m := range d.minutes {
		d.minutes[m] = inList(f[0], m%60, 0, 59) && inList(f[1], m/60, 0, 23)
	}
	return d
}

// matches reports whether the clock shows a time of the rule. It counts minutes since 1970.
func (d *daemon) matches(clock int) bool {
	if !d.minutes[clock%1440] {
		return false
	}
	date, known := d.dates[clock/1440]
	if !known {
		f, day := strings.Fields(d.rule), time.Unix(int64(clock)*60, 0).UTC()
		ofMonth := inList(f[2], day.Day(), 1, 31)
		ofWeek := inList(f[4], int(day.Weekday()), 0, 7) || day.Weekday() == time.Sunday && inList(f[4], 7, 0, 7)
		date = ofMonth && ofWeek
		if f[2][0] != '*' && f[4][0] != '*' {
			date = ofMonth || ofWeek
		}
		date = date && inList(f[3], int(day.Month()), 1, 12)
		d.dates[clock/1440] = date
	}
	return date
}

// run returns when the daemon starts its job, in minutes since 1970. Walls are what the clock on the wall shows from a minute before the first on.
func (d *daemon) run(first int, walls []int32) (starts []int) {
	const threeHours = 180
	virtual := int(walls[0])
	for i, shown := range walls[1:] {
		now, wall := first+i, int(shown)
		start := false
		switch jump := wall - virtual; {
		case jump == 1: // as ever
			start = d.matches(wall)
			virtual = wall
		case jump > 1 && jump <= threeHours+1: // forward
			if d.byWall {
				start = d.matches(wall)
				virtual = wall
			}
			for virtual < wall {
				virtual++
				start = start || d.matches(virtual)
			}
		case jump <= 0 && jump > -threeHours: // back: what is named has been done
			start = d.byWall && d.matches(wall)
		default: // moved
			start = d.matches(wall)
			virtual = wall
		}
		if start {
			starts = append(starts, now)
		}
	}
	return starts
}

// inList reports whether a value is in a field of a rule.
func inList(list string, value, low, high int) bool {
	for _, item := range strings.Split(list, ",") {
		from, to, step := low, high, 1
		span, every, stepped := strings.Cut(item, "/")
		if stepped {
			step, _ = strconv.Atoi(every)
		}
		if span != "*" {
			first, last, ranged := strings.Cut(span, "-")
			if !ranged {
				last = first
			}
			from, _ = strconv.Atoi(first)
			to, _ = strconv.Atoi(last)
		}
		if value >= from && value <= to && (value-from)%step == 0 {
			return true
		}
	}
	return false
}
