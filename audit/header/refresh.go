package header

import (
	"strconv"
	"strings"
)

// space is the white space of HTML and of content security policies (Infra, "ASCII whitespace").
const space = " \t\n\f\r"

func trimSpace(s string) string { return strings.Trim(s, space) }

func skipSpace(s string) string { return strings.TrimLeft(s, space) }

// neverSeconds stands for a delay of more seconds than fit.
const neverSeconds = 1 << 30

// ParseRefresh reads a Refresh header or the content of a meta refresh (HTML, "shared declarative refresh steps"): the whole seconds
// to wait, and the address as written, "" for the page itself. ok is false for what browsers ignore, as "1x;url".
func ParseRefresh(value string) (delay int, target string, ok bool) {
	value = skipSpace(value)
	rest := strings.TrimLeft(value, "0123456789")
	digits := value[:len(value)-len(rest)]
	if digits == "" && !strings.HasPrefix(rest, ".") {
		return 0, "", false
	}
	if delay, _ = strconv.Atoi(digits); len(digits) > 9 {
		delay = neverSeconds
	}
	rest = strings.TrimLeft(rest, "0123456789.")
	if rest == "" {
		return delay, "", true
	}
	if !strings.ContainsRune(";,"+space, rune(rest[0])) {
		return 0, "", false
	}
	rest = skipSpace(rest)
	if rest != "" && (rest[0] == ';' || rest[0] == ',') {
		rest = skipSpace(rest[1:])
	}
	return delay, refreshTarget(rest), true
}

// refreshTarget returns the address in what follows the delay: after "url=" if that is there, up to the quote that ends it.
func refreshTarget(s string) string {
	if s == "" || s[0]|0x20 != 'u' {
		return unquoteTarget(s)
	}
	if len(s) < 3 || lower(s[:3]) != "url" {
		return s
	}
	if after, ok := strings.CutPrefix(skipSpace(s[3:]), "="); ok {
		return unquoteTarget(skipSpace(after))
	}
	return s
}

func unquoteTarget(s string) string {
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return s
}
