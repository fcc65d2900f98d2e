package httpx

import "strings"

// SplitQuoted yields what stands between separators that are not inside a quoted string (RFC 9110, section 5.6.4).
func SplitQuoted(s string, separator byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		quoted, from := false, 0
		for i := 0; i < len(s); i++ {
			switch {
			case quoted && s[i] == '\\':
				i++
			case s[i] == '"':
				quoted = !quoted
			case s[i] == separator && !quoted:
				if !yield(s[from:i]) {
					return
				}
				from = i + 1
			}
		}
		yield(s[from:])
	}
}

// Unquote returns the text of a quoted string (RFC 9110, section 5.6.4), and anything else as it is.
func Unquote(s string) string {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return s
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' && i+1 < len(s)-1 {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
