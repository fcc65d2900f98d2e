package header

import (
	"strconv"
	"strings"
)

// ParseRefresh reads the content of a meta refresh: seconds, and an address after ";" or "," with or without "url=".
func ParseRefresh(content string) (delay int, target string, ok bool) {
	content = strings.TrimSpace(content)
	digits := 0
	for digits < len(content) && '0' <= content[digits] && content[digits] <= '9' {
		digits++
	}
	if digits == 0 && !strings.HasPrefix(content, ".") {
		return 0, "", false
	}
	delay, err := strconv.Atoi(content[:max(digits, 0)])
	if err != nil && digits > 0 {
		delay = 1 << 30 // more seconds than fit: never
	}
	rest := strings.TrimLeft(content[digits:], "0123456789. \t\n;,")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if after, found := strings.CutPrefix(strings.TrimSpace(rest[3:]), "="); found {
			rest = strings.TrimSpace(after)
		}
	}
	return delay, strings.Trim(rest, `"' `), true
}
