package header

import (
	"net/http"
	"time"
)

// Freshness returns how long a browser may use a response without asking again (RFC 9111 section 4.2.1), and false where the
// server does not say. A shared cache's s-maxage does not count.
func Freshness(h http.Header) (time.Duration, bool) {
	directives := cacheDirectives(h.Values("Cache-Control"))
	if _, no := directives["no-store"]; no {
		return 0, true
	}
	if _, no := directives["no-cache"]; no {
		return 0, true
	}
	if age, ok := directives["max-age"]; ok {
		seconds, err := parseMaxAge(age)
		if err != nil {
			return 0, true // RFC 9111: an invalid freshness is stale
		}
		return secondsDuration(seconds), true
	}
	return expiry(h)
}

// expiry returns the time from Date to Expires.
func expiry(h http.Header) (time.Duration, bool) {
	expires := h.Get("Expires")
	if expires == "" {
		return 0, false
	}
	until, err := http.ParseTime(expires)
	if err != nil {
		return 0, true // "0" and the like mean already expired
	}
	from, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0, false
	}
	return until.Sub(from), true
}

// secondsDuration keeps a number of seconds within what a Duration holds.
func secondsDuration(seconds int64) time.Duration {
	const most = int64(1<<63-1) / int64(time.Second)
	return time.Duration(min(seconds, most)) * time.Second
}

// cacheDirectives reads Cache-Control: names in lower case with their values, of which the first counts.
func cacheDirectives(lines []string) map[string]string {
	directives := map[string]string{}
	for _, line := range lines {
		p := scanner{line}
		for p.more() {
			name, value := p.parameter()
			if _, twice := directives[name]; name != "" && !twice {
				directives[name] = value
			}
			p.skipPastComma()
		}
	}
	return directives
}
