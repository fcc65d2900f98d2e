package header

import (
	"net/http"
	"strings"
	"time"
)

// Freshness returns how long a browser may use a response without asking again (RFC 9111 section 4.2.1), and false where the server
// does not say. A shared cache's s-maxage does not count. received is when the response came, for one without a Date.
func Freshness(h http.Header, received time.Time) (time.Duration, bool) {
	directives := cacheDirectives(h.Values("Cache-Control"))
	if _, no := directives["no-store"]; no {
		return 0, true
	}
	if fields, no := directives["no-cache"]; no && fields == "" { // with names of fields it is about those alone
		return 0, true
	}
	if age, ok := directives["max-age"]; ok {
		n, ok := seconds(age)
		if !ok {
			return 0, true // what cannot be read counts as stale
		}
		const most = int64(1<<63-1) / int64(time.Second)
		return time.Duration(min(n, most)) * time.Second, true
	}
	return expiry(h, received)
}

// expiry returns the time from Date to Expires.
func expiry(h http.Header, received time.Time) (time.Duration, bool) {
	expires := h.Get("Expires")
	if expires == "" {
		return 0, false
	}
	until, err := http.ParseTime(expires)
	if err != nil {
		return 0, true // "0" and the like mean already expired
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		received = date
	}
	return until.Sub(received), true
}

// cacheDirectives reads Cache-Control: names in lower case with their values, of which the first counts.
func cacheDirectives(lines []string) map[string]string {
	directives := map[string]string{}
	for _, directive := range split(lines) {
		name, value, _ := strings.Cut(directive, "=")
		name, value = lower(name), trim(value)
		if text, ok := tokenOrQuoted(value); ok {
			value = text
		}
		if _, twice := directives[name]; !twice {
			directives[name] = value
		}
	}
	return directives
}
