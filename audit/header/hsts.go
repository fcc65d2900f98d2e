package header

import (
	"errors"
	"strconv"
	"strings"
)

// HSTS is what a Strict-Transport-Security header says (RFC 6797).
type HSTS struct {
	MaxAge            int64 // seconds
	IncludeSubDomains bool
	Preload           bool
}

// ParseHSTS reads the value of the header. Unknown directives are skipped, as RFC 6797 section 6.1 asks; the error says why
// browsers ignore the header.
func ParseHSTS(value string) (HSTS, error) {
	var h HSTS
	seen := map[string]bool{}
	p := scanner{value}
	for p.more() {
		name, argument := p.parameter()
		p.skipSpace()
		if p.more() && !p.take(';') {
			return HSTS{}, errors.New("a directive is not followed by a semicolon")
		}
		if name == "" {
			continue
		}
		if seen[name] {
			return HSTS{}, errors.New(name + " is given twice")
		}
		seen[name] = true
		switch name {
		case "max-age":
			age, err := parseMaxAge(argument)
			if err != nil {
				return HSTS{}, err
			}
			h.MaxAge = age
		case "includesubdomains":
			h.IncludeSubDomains = true
		case "preload":
			h.Preload = true
		}
	}
	if !seen["max-age"] {
		return HSTS{}, errors.New("max-age is missing")
	}
	return h, nil
}

// parseMaxAge reads delta-seconds: digits alone. More than fit count as the most that fit.
func parseMaxAge(s string) (int64, error) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, errors.New("max-age is not a number of seconds")
	}
	age, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 1<<63 - 1, nil
	}
	return age, nil
}
