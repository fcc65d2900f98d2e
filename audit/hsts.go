package audit

import (
	"errors"
	"strconv"
	"strings"
)

// hsts is a Strict-Transport-Security header (RFC 6797).
type hsts struct {
	maxAge            int64 // seconds
	includeSubDomains bool
	preload           bool
}

// parseHSTS reads the value of the header. Unknown directives are skipped, as RFC 6797 section 6.1 asks; the error says why
// browsers ignore the header.
func parseHSTS(value string) (hsts, error) {
	var h hsts
	seen := map[string]bool{}
	p := headerScanner{value}
	for p.more() {
		name, argument := p.parameter()
		p.skipSpace()
		if p.more() && !p.take(';') {
			return hsts{}, errors.New("a directive is not followed by a semicolon")
		}
		if name == "" {
			continue
		}
		if seen[name] {
			return hsts{}, errors.New(cutText(name, 40) + " is given twice")
		}
		seen[name] = true
		switch name {
		case "max-age":
			age, err := parseMaxAge(argument)
			if err != nil {
				return hsts{}, err
			}
			h.maxAge = age
		case "includesubdomains":
			h.includeSubDomains = true
		case "preload":
			h.preload = true
		}
	}
	if !seen["max-age"] {
		return hsts{}, errors.New("max-age is missing")
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
