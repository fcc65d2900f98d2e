package header

import (
	"strings"
	"time"
)

// A Cookie is what a Set-Cookie header says of a cookie beside its value, which is nobody's business here.
type Cookie struct {
	Name                          string // "" for one without
	Secure, HTTPOnly, Partitioned bool
	HostOnly                      bool   // without a Domain
	RootPath                      bool   // with Path=/
	SameSite                      string // lower case, as written; "" when not given
	Expired                       bool   // set in order to be deleted
	valuePrefix                   string // the start of the value of a cookie without a name
}

const (
	maxCookie          = 4096 // bytes of name and value
	maxCookieAttribute = 1024 // bytes of the value of an attribute
)

// ParseCookies reads the lines of Set-Cookie at the time now (RFC 6265bis section 5.6). Lines that browsers drop are left out.
func ParseCookies(lines []string, now time.Time) []Cookie {
	var cookies []Cookie
	for _, line := range lines {
		if c, ok := parseCookie(line, now); ok {
			cookies = append(cookies, c)
		}
	}
	return cookies
}

func parseCookie(line string, now time.Time) (c Cookie, ok bool) {
	if strings.ContainsFunc(line, isControl) {
		return Cookie{}, false
	}
	pair, attributes, _ := strings.Cut(line, ";")
	name, value, named := strings.Cut(pair, "=")
	if !named {
		name, value = "", name
	}
	name, value = trim(name), trim(value)
	if name == "" && value == "" || len(name)+len(value) > maxCookie {
		return Cookie{}, false
	}
	c.Name, c.HostOnly = name, true
	if name == "" {
		c.valuePrefix = value[:min(len(value), len("__Host-Http-"))]
	}
	var deadline expiration
	for attribute := range strings.SplitSeq(attributes, ";") {
		key, value, _ := strings.Cut(attribute, "=")
		if value = trim(value); len(value) <= maxCookieAttribute {
			c.set(lower(trim(key)), value, &deadline)
		}
	}
	c.Expired = deadline.passed(now)
	return c, true
}

func isControl(r rune) bool { return r < ' ' && r != '\t' || r == 0x7F }

// set applies an attribute; of several the last counts.
func (c *Cookie) set(key, value string, deadline *expiration) {
	switch key {
	case "secure":
		c.Secure = true
	case "httponly":
		c.HTTPOnly = true
	case "partitioned":
		c.Partitioned = true
	case "samesite":
		c.SameSite = lower(value)
	case "domain":
		c.HostOnly = value == ""
	case "path":
		c.RootPath = value == "/"
	case "max-age":
		if digits := strings.TrimPrefix(value, "-"); digits != "" && only(digits, isDigit) {
			deadline.hasAge, deadline.gone = true, value[0] == '-' || strings.Trim(value, "0") == ""
		}
	case "expires":
		if t, ok := parseCookieDate(value); ok {
			deadline.at = t
		}
	}
}

// expiration is when a cookie ends: Max-Age beats Expires.
type expiration struct {
	hasAge, gone bool
	at           time.Time
}

func (e expiration) passed(now time.Time) bool {
	if e.hasAge {
		return e.gone
	}
	return !e.at.IsZero() && !e.at.After(now)
}

// Prefix returns the prefix of the name whose promise browsers hold the cookie to, and whether the cookie keeps it (RFC 6265bis section
// 4.1.3); "" without one. Browsers drop a cookie that does not.
func (c Cookie) Prefix() (prefix string, kept bool) {
	name := c.Name
	if name == "" {
		name = c.valuePrefix
	}
	for _, p := range []string{"__Host-Http-", "__Http-", "__Host-", "__Secure-"} {
		if len(name) < len(p) || lower(name[:len(p)]) != lower(p) {
			continue
		}
		kept = c.Secure && c.Name != ""
		if strings.HasPrefix(p, "__Host-") {
			kept = kept && c.HostOnly && c.RootPath
		}
		if strings.HasSuffix(p, "Http-") {
			kept = kept && c.HTTPOnly
		}
		return p, kept
	}
	return "", true
}
