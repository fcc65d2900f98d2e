package locale

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"
)

// format says how a language writes numbers and days, as the section of that name in its file.
type format struct {
	Decimal   string   `toml:"decimal"`    // between a number and its fraction
	Group     string   `toml:"group"`      // between groups of three digits
	GroupFrom int      `toml:"group_from"` // how many digits a number has at least that is grouped
	Quotes    []string `toml:"quotes"`     // before and behind a text of somebody else
	Months    []string `toml:"months"`
	Date      string   `toml:"date"`      // with {day}, {month} and {year}
	Short     string   `toml:"short"`     // as Date, with {mon} and numbers alone: {dd}, {mm}
	Mons      []string `toml:"mons"`      // months in Short
	FirstDay  string   `toml:"first_day"` // what the first of a month is called; "" for "1"
	Percent   string   `toml:"percent"`   // what stands behind a percentage, with the space before it
	Bytes     []string `toml:"bytes"`     // what one byte is called, and several; then the units of 1,000, 1,000,000 and 1,000,000,000 bytes
	KiB       string   `toml:"kib"`
	Times     []string `toml:"times"` // milliseconds, seconds
}

// The numbers in words of their own, for what is no part of a sentence.

// Count returns a whole number: "5,004".
func (c *Catalogue) Count(n int64) string { return string(c.appendCount(nil, float64(n))) }

// Bytes returns a size: "812 bytes", "120.5 kB", "2.1 MB"; decimal, as the thresholds are.
func (c *Catalogue) Bytes(n int64) string { return string(c.appendBytes(nil, float64(n))) }

// Milliseconds returns a duration: "0.2 ms", "240 ms", "2.40 s".
func (c *Catalogue) Milliseconds(ms float64) string { return string(c.appendTime(nil, ms)) }

// Date returns the day of a moment in its own time zone: "21 November 2026".
func (c *Catalogue) Date(t time.Time) string { return string(c.appendDate(nil, t)) }

// Day returns the day of a moment in UTC, short: "21 Nov 2026".
func (c *Catalogue) Day(t time.Time) string { return c.shortDay(t.UTC()) }

func (c *Catalogue) shortDay(t time.Time) string {
	replace := strings.NewReplacer("{day}", strconv.Itoa(t.Day()), "{dd}", t.Format("02"), "{mon}", c.format.Mons[t.Month()-1], "{mm}", t.Format("01"), "{year}", strconv.Itoa(t.Year()))
	return replace.Replace(c.format.Short)
}

// Clock returns a moment to the minute by the clocks of its own time zone: "21 Nov 2026, 14:03".
func (c *Catalogue) Clock(t time.Time) string { return c.shortDay(t) + t.Format(", 15:04") }

// Moment returns a moment in UTC to the minute: "21 Nov 2026, 14:03 UTC".
func (c *Catalogue) Moment(t time.Time) string { return c.Clock(t.UTC()) + " UTC" }

// appendArg appends an Arg. scope is what the ids begin with among which the words of a phrase are looked for.
func (c *Catalogue) appendArg(b []byte, scope string, a *Arg) []byte {
	switch a.kind {
	case kindCount:
		return c.appendCount(b, a.number)
	case kindCode:
		return strconv.AppendInt(b, int64(a.number), 10)
	case kindDecimal:
		return c.appendFixed(b, a.number, 1)
	case kindBytes:
		return c.appendBytes(b, a.number)
	case kindKiB:
		return append(append(c.appendCount(b, a.number), ' '), c.format.KiB...)
	case kindTime:
		return c.appendTime(b, a.number)
	case kindPercent:
		return append(c.appendCount(b, a.number), c.format.Percent...)
	case kindDate:
		return c.appendDate(b, time.Unix(int64(a.number)*secondsOfDay, 0).UTC())
	case kindText:
		return append(b, a.text...)
	case kindQuoted:
		return c.appendQuoted(b, a.text)
	case kindList:
		return c.appendList(b, scope, ", ", a.list)
	case kindSeries:
		return c.appendList(b, scope, "; ", a.list)
	case kindPhrase:
		return c.appendPhrase(b, scope, a)
	}
	return b
}

func (c *Catalogue) appendList(b []byte, scope, separator string, list []Arg) []byte {
	for i := range list {
		if i > 0 {
			b = append(b, separator...)
		}
		b = c.appendArg(b, scope, &list[i])
	}
	return b
}

// appendPhrase appends a sentence within another, without the full stop at its end. What is only known in English words is looked for in the
// catalogue.
func (c *Catalogue) appendPhrase(b []byte, scope string, a *Arg) []byte {
	said := a.said
	if said == nil && c.english != nil {
		if found, ok := Recognise(a.text, scope); ok {
			said = &found
		}
	}
	switch {
	case said == nil:
		b = append(b, a.text...)
	default:
		b = c.append(b, *said)
	}
	return bytes.TrimSuffix(b, []byte("."))
}

// appendCount appends a whole number, its digits in groups of three.
func (c *Catalogue) appendCount(b []byte, n float64) []byte {
	return c.appendGrouped(b, strconv.FormatFloat(n, 'f', 0, 64))
}

func (c *Catalogue) appendGrouped(b []byte, digits string) []byte {
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		b, digits = append(b, '-'), rest
	}
	if len(digits) < c.format.GroupFrom {
		return append(b, digits...)
	}
	first := (len(digits)-1)%3 + 1
	b = append(b, digits[:first]...)
	for i := first; i < len(digits); i += 3 {
		b = append(append(b, c.format.Group...), digits[i:i+3]...)
	}
	return b
}

// appendFixed appends a number with so many digits behind the point.
func (c *Catalogue) appendFixed(b []byte, x float64, fraction int) []byte {
	whole, behind, _ := strings.Cut(strconv.FormatFloat(x, 'f', fraction, 64), ".")
	b = c.appendGrouped(b, whole)
	if behind != "" {
		b = append(append(b, c.format.Decimal...), behind...)
	}
	return b
}

func (c *Catalogue) appendBytes(b []byte, n float64) []byte {
	if n < 1000 {
		unit := c.format.Bytes[1]
		if n == 1 {
			unit = c.format.Bytes[0]
		}
		return append(append(c.appendCount(b, n), ' '), unit...)
	}
	power := 1
	for limit := 1e6; power < 3 && n >= limit; limit *= 1000 {
		power++
	}
	return append(append(c.appendFixed(b, n/math.Pow(1000, float64(power)), 1), ' '), c.format.Bytes[1+power]...)
}

func (c *Catalogue) appendTime(b []byte, ms float64) []byte {
	unit := c.format.Times[0]
	switch {
	case ms < 10:
		b = c.appendFixed(b, ms, 1)
	case ms < 1000:
		b = c.appendFixed(b, ms, 0)
	default:
		b, unit = c.appendFixed(b, ms/1000, 2), c.format.Times[1]
	}
	return append(append(b, ' '), unit...)
}

func (c *Catalogue) appendDate(b []byte, t time.Time) []byte {
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 && c.format.FirstDay != "" {
		day = c.format.FirstDay
	}
	replace := strings.NewReplacer("{day}", day, "{month}", c.format.Months[t.Month()-1], "{year}", strconv.Itoa(t.Year()))
	return append(b, replace.Replace(c.format.Date)...)
}

// appendQuoted appends a text between quotation marks, with what nobody would see escaped as in Go.
func (c *Catalogue) appendQuoted(b []byte, s string) []byte {
	before, behind := c.format.Quotes[0], c.format.Quotes[1]
	if before == `"` {
		return strconv.AppendQuote(b, s)
	}
	quoted := strconv.Quote(s)
	inside := strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	return append(append(append(b, before...), inside...), behind...)
}
