package header

import "strings"

// split returns the values of a header that is a list (Fetch, "get, decode, and split"): its lines joined and cut at the commas
// that stand outside of quoted strings, without spaces and tabs around them.
func split(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	var values []string
	for rest, more := strings.Join(lines, ", "), true; more; {
		end := 0
		for end < len(rest) && rest[end] != ',' {
			if rest[end] == '"' {
				end = quotedEnd(rest, end)
			} else {
				end++
			}
		}
		values = append(values, trim(rest[:end]))
		if more = end < len(rest); more {
			rest = rest[end+1:]
		}
	}
	return values
}

// quotedEnd returns the place after the quoted string that begins at start (Fetch, "collect an HTTP quoted string").
func quotedEnd(s string, start int) int {
	for i := start + 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

// trim takes spaces and tabs away from both ends, which is all the white space that headers know.
func trim(s string) string { return strings.Trim(s, " \t") }

// lower returns a text with its ASCII letters in lower case. Others stay as they are: to browsers the Kelvin sign is no k.
func lower(s string) string {
	for i := range len(s) {
		if isUpper(s[i]) {
			b := []byte(s)
			for ; i < len(b); i++ {
				if isUpper(b[i]) {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isToken reports whether a text is a token (RFC 9110 section 5.6.2).
func isToken(s string) bool { return s != "" && only(s, isTokenByte) }

func isTokenByte(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

// only reports whether every byte is of a kind.
func only(s string, kind func(byte) bool) bool {
	for i := range len(s) {
		if !kind(s[i]) {
			return false
		}
	}
	return true
}
