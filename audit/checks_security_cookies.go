package audit

import (
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/locale"
)

func checkCookies(f *facts) finding {
	set := header.ParseCookies(f.cookies, f.now)
	var bad, weak tally
	for _, c := range set {
		if fault := cookieFault(c); fault != "" {
			bad.add(cookieEvidence(c, fault))
		} else if weakness := cookieWeakness(c); weakness != "" {
			weak.add(cookieEvidence(c, weakness))
		}
	}
	switch {
	case len(set) == 0:
		return notApplicable("cookies.none")
	case bad.count > 0:
		return fail(append(bad.evidence, weak.evidence...), "cookies.bad", locale.Count(bad.count), locale.Count(len(set)))
	case weak.count > 0:
		return warn(weak.evidence, "cookies.weak", locale.Count(weak.count), locale.Count(len(set)))
	}
	return pass("cookies.good", locale.Count(len(set)))
}

func cookieEvidence(c header.Cookie, fault string) Evidence {
	return Evidence{Snippet: page.CutSnippet("Set-Cookie: " + cutText(c.Name, 100) + ": " + fault)}
}

// sessionNames are parts of names that cookies have which stand for a signed-in visitor, in the frameworks' defaults
// (PHPSESSID, JSESSIONID, ASP.NET_SessionId, connect.sid, laravel_session, wordpress_logged_in, ...).
var sessionNames = []string{"sess", "auth", "token", "login", "logged_in", "jwt", "remember", "identity"}

// isSession reports whether the name of a cookie looks like a session's.
func isSession(c header.Cookie) bool {
	name := strings.ToLower(c.Name)
	if isForgeryToken(c) {
		return false
	}
	for _, part := range sessionNames {
		if strings.Contains(name, part) {
			return true
		}
	}
	return strings.HasSuffix(name, "sid") // not sidebar
}

// isForgeryToken reports whether a cookie is the double-submit protection against request forgery, which scripts must read.
func isForgeryToken(c header.Cookie) bool {
	name := strings.ToLower(c.Name)
	return strings.Contains(name, "csrf") || strings.Contains(name, "xsrf")
}

// cookieFault says why browsers drop a cookie, or how a session can be stolen; "" when neither is so.
func cookieFault(c header.Cookie) string {
	prefix, kept := c.Prefix()
	switch {
	case c.Expired:
		return ""
	case !kept && prefix == "__Secure-":
		return "browsers drop it, since __Secure- asks for Secure"
	case !kept && prefix == "__Http-":
		return "browsers drop it, since __Http- asks for Secure and HttpOnly"
	case !kept && prefix == "__Host-":
		return "browsers drop it, since __Host- asks for Secure, Path=/ and no Domain"
	case !kept:
		return "browsers drop it, since __Host-Http- asks for Secure, HttpOnly, Path=/ and no Domain"
	case c.SameSite == "none" && !c.Secure:
		return "browsers drop it, since SameSite=None asks for Secure"
	case c.Partitioned && !c.Secure:
		return "browsers drop it, since Partitioned asks for Secure"
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

// cookieWeakness says what a cookie that is no session's lacks; "" when it lacks nothing.
func cookieWeakness(c header.Cookie) string {
	switch {
	case c.Expired:
		return ""
	case !c.Secure:
		return "without Secure it is also sent over http"
	case c.SameSite != "" && c.SameSite != "lax" && c.SameSite != "strict" && c.SameSite != "none":
		return "browsers know no SameSite=" + cutText(c.SameSite, 40)
	case isForgeryToken(c) && c.SameSite == "":
		return "a token against request forgery without SameSite"
	}
	return ""
}
