// Package jsonappend writes the values of JSON that most responses consist of, without reflection. Each function appends to b and returns
// what it has become.
package jsonappend

import (
	"encoding/hex"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
)

// TimeLayout is how times are written, in UTC: as RFC 3339 has them, with milliseconds.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// Time appends a time as TimeLayout has it; null for the zero time.
func Time(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return append(b, "null"...)
	}
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	ms := t.Nanosecond() / 1_000_000
	b = appendTwo(appendTwo(append(b, '"'), year/100%100), year%100)
	b = appendTwo(append(b, '-'), int(month))
	b = appendTwo(append(b, '-'), day)
	b = appendTwo(append(b, 'T'), hour)
	b = appendTwo(append(b, ':'), minute)
	b = appendTwo(append(b, ':'), second)
	b = appendTwo(append(b, '.', byte('0'+ms/100)), ms%100)
	return append(b, 'Z', '"')
}

// appendTwo appends a number below 100 with two digits. Package time would read a layout for each of the three times of a row.
func appendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }

// UUID appends an id in its usual spelling.
func UUID(b []byte, id uuid.UUID) []byte {
	b = append(b, '"')
	b = hex.AppendEncode(b, id[:4])
	for _, group := range [...][]byte{id[4:6], id[6:8], id[8:10], id[10:]} {
		b = append(b, '-')
		b = hex.AppendEncode(b, group)
	}
	return append(b, '"')
}

const hexDigits = "0123456789abcdef"

// String appends a JSON string (RFC 8259). What is not UTF-8 becomes U+FFFD; U+2028 and U+2029 are escaped, since they end a
// line in older JavaScript.
func String(b []byte, s string) []byte {
	b = append(b, '"')
	written := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if c >= utf8.RuneSelf && !(r == utf8.RuneError && size == 1) && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		b = append(b, s[written:i]...)
		b = appendEscaped(b, r)
		i += size
		written = i
	}
	b = append(b, s[written:]...)
	return append(b, '"')
}

// Optional appends a JSON string; null for an empty one.
func Optional(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return String(b, s)
}

func appendEscaped(b []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(b, '\\', byte(r))
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
}
