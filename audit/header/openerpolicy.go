package header

import "strings"

// OpenerPolicy returns the token of Cross-Origin-Opener-Policy that browsers act on (HTML, "obtain a cross-origin opener policy"), or ""
// where the header is missing, wrong or unsafe-none. It is a structured item: its case counts, and a second header makes both wrong.
func OpenerPolicy(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	p := structured{strings.Join(lines, ", ")}
	token, ok := p.tokenItem()
	if !ok {
		return ""
	}
	switch token {
	case "same-origin", "same-origin-allow-popups", "noopener-allow-popups":
		return token
	}
	return ""
}
