package audit

import (
	"strings"

	"sitegrade/audit/header"
)

// sessionNames are parts of names that cookies have which stand for a signed-in visitor, in the frameworks' defaults
// (PHPSESSID, JSESSIONID, ASP.NET_SessionId, connect.sid, laravel_session, wordpress_logged_in, ...).
var sessionNames = []string{"sess", "auth", "token", "login", "logged_in", "jwt", "remember", "identity"}

// readableTokens are parts of names of cookies that scripts must read: the double-submit protection against request forgery.
var readableTokens = []string{"csrf", "xsrf"}

// isSession reports whether the name looks like a session's.
func isSession(c header.Cookie) bool {
	name := strings.ToLower(c.Name)
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

// cookieWeakness says what is wrong with a cookie; "" when nothing is.
func cookieWeakness(c header.Cookie) string {
	switch {
	case c.Expired:
		return ""
	case c.SameSite == "none" && !c.Secure:
		return "SameSite=None without Secure"
	case !isSession(c):
		return ""
	case !c.Secure && !c.HTTPOnly:
		return "a session cookie without Secure and HttpOnly"
	case !c.Secure:
		return "a session cookie without Secure"
	case !c.HTTPOnly:
		return "a session cookie without HttpOnly"
	}
	return ""
}
