package header

import (
	"strconv"
	"strings"
	"time"
)

// parseCookieDate reads the date of Expires as browsers do: a time, a day, a month and a year in any order, with anything between them
// (RFC 6265 section 5.1.1).
func parseCookieDate(s string) (time.Time, bool) {
	var clock, day, month, year = "", -1, time.Month(0), -1
	for _, word := range strings.FieldsFunc(s, isDateDelimiter) {
		digits := word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
		n, _ := strconv.Atoi(digits)
		switch {
		case clock == "" && isClock(word):
			clock = word
		case day < 0 && (len(digits) == 1 || len(digits) == 2):
			day = n
		case month == 0 && monthOf(word) != 0:
			month = monthOf(word)
		case year < 0 && len(digits) >= 2 && len(digits) <= 4:
			year = fullYear(n, len(digits))
		}
	}
	at, err := time.Parse("15:4:5", clock)
	if err != nil || day < 1 || day > 31 || month == 0 || year < 1601 {
		return time.Time{}, false
	}
	return time.Date(year, month, day, at.Hour(), at.Minute(), at.Second(), 0, time.UTC), true
}

// isDateDelimiter reports what separates the parts of a date: all but digits, letters, colons and what is not ASCII.
func isDateDelimiter(r rune) bool {
	return r < 0x80 && r != ':' && !isDigit(byte(r)) && !isLetter(byte(r))
}

// isClock reports whether a word is hours, minutes and seconds with one or two digits each.
func isClock(word string) bool {
	parts := strings.Split(word, ":")
	for _, part := range parts {
		if len(part) < 1 || len(part) > 2 || !only(part, isDigit) {
			return false
		}
	}
	return len(parts) == 3
}

// monthOf returns the month whose first three letters a word begins with, or 0.
func monthOf(word string) time.Month {
	if len(word) >= 3 {
		for m := time.January; m <= time.December; m++ {
			if lower(word[:3]) == lower(m.String()[:3]) {
				return m
			}
		}
	}
	return 0
}

// fullYear returns the year that two digits stand for; more say it themselves.
func fullYear(n, digits int) int {
	switch {
	case digits == 2 && n >= 70:
		return 1900 + n
	case digits == 2:
		return 2000 + n
	}
	return n
}
