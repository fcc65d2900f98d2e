package weburl

import "strings"

// Matches reports whether a pattern fits the whole URL, or path and query of it where the pattern begins with a slash. Each "*" stands for any
// characters, or none.
func (u *URL) Matches(pattern string) bool {
	text := u.String()
	if strings.HasPrefix(pattern, "/") {
		text = u.Target()
	}
	return fits(pattern, text)
}

func fits(pattern, text string) bool {
	first, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, first)
	if !ok {
		return false
	}
	parts := strings.Split(rest, "*")
	last := parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return strings.HasSuffix(text, last)
}
