package audit

import "strings"

// cookie is what a Set-Cookie header says of a cookie beside its value, which is nobody's business here.
type cookie struct {
	name             string
	secure, httpOnly bool
	sameSite         string // lower case; "" when not given
	expired          bool   // set in order to be deleted
}

// parseCookie reads a Set-Cookie line as browsers do (RFC 6265 section 5.2): attributes by name, the last one counts. ok is
// false for a line without a name and value.
func parseCookie(line string) (c cookie, ok bool) {
	pair, attributes, _ := strings.Cut(line, ";")
	name, _, ok := strings.Cut(pair, "=")
	c.name = strings.TrimSpace(name)
	if !ok || c.name == "" {
		return cookie{}, false
	}
	for attribute := range strings.SplitSeq(attributes, ";") {
		key, value, _ := strings.Cut(attribute, "=")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "secure":
			c.secure = true
		case "httponly":
			c.httpOnly = true
		case "samesite":
			c.sameSite = strings.ToLower(value)
		case "max-age":
			c.expired = value == "0" || strings.HasPrefix(value, "-")
		}
	}
	return c, true
}

// parseCookies reads all lines of Set-Cookie.
func parseCookies(lines []string) []cookie {
	var cookies []cookie
	for _, line := range lines {
		if c, ok := parseCookie(line); ok {
			cookies = append(cookies, c)
		}
	}
	return cookies
}

// sessionNames are parts of names that cookies have which stand for a signed-in visitor, in the frameworks' defaults
// (PHPSESSID, JSESSIONID, ASP.NET_SessionId, connect.sid, laravel_session, wordpress_logged_in, ...).
var sessionNames = []string{"sess", "auth", "token", "login", "logged_in", "jwt", "remember", "identity"}

// readableTokens are parts of names of cookies that scripts must read: the double-submit protection against request forgery.
var readableTokens = []string{"csrf", "xsrf"}

// isSession reports whether the name looks like a session's.
func (c cookie) isSession() bool {
	name := strings.ToLower(c.name)
	for _, part := range readableTokens {
		if strings.Contains(name, part) {
			return false
		}
	}
	for _, part := range sessionNames {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "sid") // not sidebar
}

// weakness says what is wrong with a cookie; "" when nothing is.
func (c cookie) weakness() string {
	switch {
	case c.expired:
		return ""
	case c.sameSite == "none" && !c.secure:
		return "SameSite=None without Secure"
	case !c.isSession():
		return ""
	case !c.secure && !c.httpOnly:
		return "a session cookie without Secure and HttpOnly"
	case !c.secure:
		return "a session cookie without Secure"
	case !c.httpOnly:
		return "a session cookie without HttpOnly"
	}
	return ""
}
