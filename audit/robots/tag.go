package robots

import (
	"strings"
	"time"
)

// Tag is one directive of an X-Robots-Tag header or a robots meta element.
type Tag struct {
	Agent string // crawler it is for, in lower case; "" for all
	Name  string // lower case
	Value string // after the colon, as written; "" for none
}

// valuedTags are the directives that have a value, so that their colon does not follow a crawler's name.
var valuedTags = map[string]bool{
	"unavailable_after": true, "max-snippet": true, "max-image-preview": true, "max-video-preview": true,
}

// ParseTagHeader reads the lines of X-Robots-Tag headers. A crawler's name counts to the end of its line or to the next
// name: header lines that a proxy joined with commas read as they did apart.
func ParseTagHeader(lines []string) []Tag {
	var tags []Tag
	for _, line := range lines {
		agent := ""
		for _, part := range splitDirectives(line) {
			if name, rest, ok := strings.Cut(part, ":"); ok && !valuedTags[strings.ToLower(strings.TrimSpace(name))] {
				agent, part = strings.ToLower(strings.TrimSpace(name)), rest
			}
			tags = appendTag(tags, agent, part)
		}
	}
	return tags
}

// ParseMeta reads the content of a robots meta element; agent is its name in lower case, or "" for "robots".
func ParseMeta(agent, content string) []Tag {
	var tags []Tag
	for _, part := range splitDirectives(content) {
		tags = appendTag(tags, agent, part)
	}
	return tags
}

func appendTag(tags []Tag, agent, directive string) []Tag {
	name, value, _ := strings.Cut(directive, ":")
	name = strings.ToLower(strings.TrimSpace(name))
	if name == "" {
		return tags
	}
	return append(tags, Tag{agent, name, strings.TrimSpace(value)})
}

// maxDirectives is how many directives of one header line or meta element count.
const maxDirectives = 100

// splitDirectives splits at commas, but keeps the date of unavailable_after whole: "Wed, 21 Oct 2026 07:28:00 GMT".
func splitDirectives(content string) []string {
	parts := strings.SplitN(content, ",", maxDirectives+1)
	parts = parts[:min(len(parts), maxDirectives)]
	kept := parts[:0]
	for i := 0; i < len(parts); i++ {
		part := parts[i]
		if i+1 < len(parts) && isBrokenDate(part) {
			if joined := part + "," + parts[i+1]; !isBrokenDate(joined) {
				part = joined
				i++
			}
		}
		kept = append(kept, part)
	}
	return kept
}

// isBrokenDate reports whether a directive is an unavailable_after without a date that can be read.
func isBrokenDate(directive string) bool {
	for rest, more := directive, true; more; {
		var name string
		name, rest, more = strings.Cut(rest, ":")
		if strings.EqualFold(strings.TrimSpace(name), "unavailable_after") {
			_, ok := parseDate(rest)
			return !ok
		}
	}
	return false
}

// BlocksIndexing reports whether the directive keeps the page out of an index at the time now.
func (t Tag) BlocksIndexing(now time.Time) bool {
	switch t.Name {
	case "noindex", "none":
		return true
	case "unavailable_after":
		after, ok := parseDate(t.Value)
		return ok && after.Before(now)
	}
	return false
}

// dateLayouts are the forms that Google names (RFC 822, RFC 850, ISO 8601) with what people write for them. The zone
// is cut off before, a weekday too.
var dateLayouts = []string{
	"2 Jan 2006 15:04:05", "2 Jan 2006 15:04", "2 Jan 2006", "2 Jan 06 15:04:05", "2 Jan 06 15:04", "2 January 2006 15:04:05",
	"2 January 2006", "2-Jan-06 15:04:05", "2-Jan-2006 15:04:05", "2-Jan-2006", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "Jan 2 15:04:05 2006", "January 2 2006", "Jan 2 2006",
	"January 2, 2006", "Jan 2, 2006",
}

// parseDate reads the date of unavailable_after; without a zone it is UTC.
func parseDate(s string) (time.Time, bool) {
	s, offset := cutZone(cutWeekday(strings.TrimSpace(s)))
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Add(-offset), true
		}
	}
	return time.Time{}, false
}

func cutWeekday(s string) string {
	for day := time.Sunday; day <= time.Saturday; day++ {
		for _, name := range []string{day.String(), day.String()[:3]} {
			if len(s) > len(name) && strings.EqualFold(s[:len(name)], name) && strings.ContainsRune(", ", rune(s[len(name)])) {
				return strings.TrimLeft(s[len(name):], ", ")
			}
		}
	}
	return s
}

// zoneHours are the zone names of RFC 822, which time.Parse takes for UTC.
var zoneHours = map[string]int{"Z": 0, "UT": 0, "UTC": 0, "GMT": 0, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7,
	"MDT": -6, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2}

// cutZone returns a time without its zone, and how far that zone is ahead of UTC.
func cutZone(s string) (string, time.Duration) {
	if i := strings.LastIndexByte(s, ' '); i >= 0 {
		if hours, ok := zoneHours[strings.ToUpper(s[i+1:])]; ok {
			return strings.TrimSpace(s[:i]), time.Duration(hours) * time.Hour
		}
	}
	if rest, ok := strings.CutSuffix(s, "Z"); ok {
		return rest, 0
	}
	i := strings.LastIndexAny(s, "+-")
	if i < 0 || !strings.Contains(s[:i], ":") {
		return s, 0 // a hyphen of the date
	}
	for _, layout := range []string{"-07:00", "-0700", "-07"} {
		if t, err := time.Parse(layout, s[i:]); err == nil {
			_, seconds := t.Zone()
			return strings.TrimSpace(s[:i]), time.Duration(seconds) * time.Second
		}
	}
	return s, 0
}
