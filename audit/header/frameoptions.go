package header

import "strings"

// FrameOptions returns the value of X-Frame-Options and whether browsers heed it: all values must be the same one.
func FrameOptions(lines []string) (value string, ok bool) {
	for i, part := range strings.Split(strings.Join(lines, ","), ",") {
		part = strings.ToUpper(strings.TrimSpace(part))
		if i > 0 && part != value {
			return strings.Join(lines, ", "), false
		}
		value = part
	}
	return value, value == "DENY" || value == "SAMEORIGIN"
}
