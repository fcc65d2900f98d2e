package cron

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"
)

// MaxLength is how many bytes a rule may have: enough to write each minute and each day one by one.
const MaxLength = 256

// field is one of the five parts of a rule.
type field struct {
	name      string
	low, high int
	names     []string // of the values from low on, in lower case
}

var (
	monthNames   = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
	weekdayNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

	fields = [...]field{
		{name: "minute", low: 0, high: 59},
		{name: "hour", low: 0, high: 23},
		{name: "day of month", low: 1, high: 31},
		{name: "month", low: 1, high: 12, names: monthNames},
		{name: "day of week", low: 0, high: 7, names: weekdayNames},
	}
)

// nicknames are the rules that have a name.
var nicknames = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// Parse returns the schedule of a rule: five fields or a name with @, as the comment of the package describes them, in at most MaxLength
// bytes. A rule that would never be due is an error. Errors name the field, its value and what would be right: "hour: 25 is not 0 to 23".
func Parse(text string) (Schedule, error) {
	if len(text) > MaxLength {
		return Schedule{}, fmt.Errorf("a rule has at most %d bytes, not %d", MaxLength, len(text))
	}
	written := strings.Fields(text)
	s := Schedule{text: strings.Join(written, " ")}
	if strings.HasPrefix(s.text, "@") {
		rule, known := nicknames[s.text]
		if !known {
			return Schedule{}, fmt.Errorf("%q is not @yearly, @annually, @monthly, @weekly, @daily, @midnight or @hourly", s.text)
		}
		written = strings.Fields(rule)
	}
	if len(written) != len(fields) {
		return Schedule{}, fmt.Errorf("a rule has 5 fields (minute, hour, day of month, month, day of week), not %d", len(written))
	}
	for i, values := range []*uint64{&s.minutes, &s.hours, &s.days, &s.months, &s.weekdays} {
		var err error
		if *values, err = fields[i].parse(written[i]); err != nil {
			return Schedule{}, fmt.Errorf("%s: %w", fields[i].name, err)
		}
	}
	s.weekdays = everyWeek(s.weekdays)
	s.named = written[0][0] != '*' && written[1][0] != '*'
	s.bothDays = written[2][0] == '*' || written[4][0] == '*'
	if s.bothDays && !s.hasDay() {
		return Schedule{}, fmt.Errorf("day of month: %s never comes in month %s", written[2], written[3])
	}
	return s, nil
}

// everyWeek returns the days of a week, where Sunday may be 0 and 7, repeated for the six weeks that a month may touch.
func everyWeek(weekdays uint64) uint64 {
	weekdays = (weekdays | weekdays>>7) & 0x7f
	return weekdays * (1 | 1<<7 | 1<<14 | 1<<21 | 1<<28 | 1<<35)
}

// hasDay reports whether any of the months has any of the days of the month. Each date falls on each day of the week in some year.
func (s Schedule) hasDay() bool {
	first := bits.TrailingZeros64(s.days)
	for month := time.January; month <= time.December; month++ {
		const leapYear = 2000
		length := time.Date(leapYear, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
		if s.months>>month&1 == 1 && first <= length {
			return true
		}
	}
	return false
}

// parse returns the values of a list as bits.
func (f field) parse(list string) (values uint64, err error) {
	for item := range strings.SplitSeq(list, ",") {
		low, high, step, err := f.parseItem(item)
		if err != nil {
			return 0, err
		}
		for v := low; v <= high; v += step {
			values |= 1 << v
		}
	}
	return values, nil
}

// parseItem reads an item of a list: a value, a range or *, the last two perhaps with a step.
func (f field) parseItem(item string) (low, high, step int, err error) {
	span, every, stepped := strings.Cut(item, "/")
	from, to, ranged := strings.Cut(span, "-")
	step = 1
	switch {
	case span == "*":
		low, high = f.low, f.high
	case ranged:
		if low, err = f.value(from); err == nil {
			high, err = f.value(to)
		}
		if err == nil && low > high {
			err = fmt.Errorf("%s goes backwards; write the smaller value first, or a list", span)
		}
	default:
		low, err = f.value(from)
		high = low
		if err == nil && stepped {
			err = fmt.Errorf("%s has a step without a range; write %s-%d/%s", item, from, f.high, every)
		}
	}
	if err == nil && stepped {
		if step, err = strconv.Atoi(every); err != nil || step < 1 || step > f.high || !isDigits(every) {
			err = fmt.Errorf("the step %s is not 1 to %d", quoted(every), f.high)
		}
	}
	return low, high, step, err
}

// value returns a number or a name as a number within the bounds of the field.
func (f field) value(text string) (int, error) {
	if i := slices.Index(f.names, strings.ToLower(text)); i >= 0 {
		return f.low + i, nil
	}
	if n, err := strconv.Atoi(text); err == nil && isDigits(text) && n >= f.low && n <= f.high {
		return n, nil
	}
	right := fmt.Sprintf("%d to %d", f.low, f.high)
	if f.names != nil {
		right += fmt.Sprintf(" or %s to %s", f.names[0], f.names[len(f.names)-1])
	}
	return 0, fmt.Errorf("%s is not %s", quoted(text), right)
}

// quoted returns a value for a message: numbers as they are, everything else in quotes.
func quoted(text string) string {
	if isDigits(text) {
		return text
	}
	return strconv.Quote(text)
}

// isDigits reports whether a text is a number without a sign.
func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
