package header

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// HSTS is what a Strict-Transport-Security header says.
type HSTS struct {
	MaxAge            int64 // seconds; 0 tells browsers to forget the host
	IncludeSubDomains bool
	Preload           bool
}

// ParseHSTS reads the value of the first Strict-Transport-Security header of a response, the only one that counts (RFC 6797 sections 6.1
// and 8.1). Directives that are not known are passed over; the error says why browsers ignore the header.
func ParseHSTS(value string) (HSTS, error) {
	var h HSTS
	seen := map[string]bool{}
	for directive, rest, more := "", value, true; more; {
		directive, rest, more = cutOutsideQuotes(rest, ';')
		if directive = trim(directive); directive == "" {
			continue
		}
		if err := h.set(directive, seen); err != nil {
			return HSTS{}, err
		}
	}
	if !seen["max-age"] {
		return HSTS{}, errors.New("max-age is missing")
	}
	return h, nil
}

// set applies one directive: a token, or a token with a value that is a token or a quoted string.
func (h *HSTS) set(directive string, seen map[string]bool) error {
	name, argument, hasValue := strings.Cut(directive, "=")
	name = lower(trim(name))
	if !isToken(name) {
		return fmt.Errorf("%q is not the name of a directive", name)
	}
	if seen[name] {
		return fmt.Errorf("%s is given twice", name)
	}
	seen[name] = true
	argument, ok := tokenOrQuoted(trim(argument))
	if hasValue && !ok {
		return fmt.Errorf("the value of %s is neither a word nor a quoted string", name)
	}
	switch name {
	case "max-age":
		age, ok := seconds(argument)
		if !ok {
			return errors.New("max-age is not a number of seconds")
		}
		h.MaxAge = age
	case "includesubdomains":
		if hasValue {
			return errors.New("includeSubDomains has a value")
		}
		h.IncludeSubDomains = true
	case "preload":
		h.Preload = true
	}
	return nil
}

// cutOutsideQuotes cuts a value at the first separator that is not in a quoted string.
func cutOutsideQuotes(s string, separator byte) (before, after string, found bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '"' {
			i = quotedEnd(s, i) - 1
		} else if s[i] == separator {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// tokenOrQuoted returns the token, or what the quoted string holds; ok is false for anything else.
func tokenOrQuoted(s string) (value string, ok bool) {
	if s == "" || s[0] != '"' {
		return s, isToken(s)
	}
	if quotedEnd(s, 0) != len(s) || len(s) < 2 || s[len(s)-1] != '"' {
		return "", false
	}
	var b strings.Builder
	for i := 1; i < len(s)-1; i++ {
		if s[i] == '\\' {
			if i++; i == len(s)-1 {
				return "", false // the last quote is escaped: the string has no end
			}
		}
		b.WriteByte(s[i])
	}
	return b.String(), true
}

// seconds reads delta-seconds: digits alone (RFC 9111 section 1.2.2). More than fit count as the most that fit.
func seconds(s string) (n int64, ok bool) {
	if s == "" || !only(s, isDigit) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n = 1<<63 - 1
	}
	return n, true
}
