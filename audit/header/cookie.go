package header

import "strings"

// A Cookie is what a Set-Cookie header says of a cookie beside its value, which is nobody's business here.
type Cookie struct {
	Name             string
	Secure, HTTPOnly bool
	SameSite         string // lower case; "" when not given
	Expired          bool   // set in order to be deleted
}

// ParseCookie reads a Set-Cookie line as browsers do (RFC 6265 section 5.2): attributes by name, the last one counts. ok is
// false for a line without a name and value.
func ParseCookie(line string) (c Cookie, ok bool) {
	pair, attributes, _ := strings.Cut(line, ";")
	name, _, ok := strings.Cut(pair, "=")
	c.Name = strings.TrimSpace(name)
	if !ok || c.Name == "" {
		return Cookie{}, false
	}
	for attribute := range strings.SplitSeq(attributes, ";") {
		key, value, _ := strings.Cut(attribute, "=")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "secure":
			c.Secure = true
		case "httponly":
			c.HTTPOnly = true
		case "samesite":
			c.SameSite = strings.ToLower(value)
		case "max-age":
			c.Expired = value == "0" || strings.HasPrefix(value, "-")
		}
	}
	return c, true
}

// ParseCookies reads all lines of Set-Cookie.
func ParseCookies(lines []string) []Cookie {
	var cookies []Cookie
	for _, line := range lines {
		if c, ok := ParseCookie(line); ok {
			cookies = append(cookies, c)
		}
	}
	return cookies
}
