package header

import "strings"

// referrerPolicies are the values that browsers know. The last known one in a list counts, so that a newer value can have a
// fallback before it.
var referrerPolicies = map[string]bool{
	"no-referrer": true, "no-referrer-when-downgrade": true, "same-origin": true, "origin": true, "strict-origin": true,
	"origin-when-cross-origin": true, "strict-origin-when-cross-origin": true, "unsafe-url": true,
}

// ReferrerPolicy returns the last value that browsers know among header lines or the content of a meta element, or "".
func ReferrerPolicy(lines []string) string {
	last := ""
	for _, line := range lines {
		for value := range strings.SplitSeq(line, ",") {
			if value = strings.ToLower(strings.TrimSpace(value)); referrerPolicies[value] {
				last = value
			}
		}
	}
	return last
}
