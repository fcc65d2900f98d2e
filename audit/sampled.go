package audit

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// sampled returns the resources of these kinds, in the order in which they were sampled.
func (f *facts) sampled(kinds ...resourceKind) []*resource {
	var found []*resource
	for i := range f.resources {
		for _, k := range kinds {
			if f.resources[i].kind == k {
				found = append(found, &f.resources[i])
			}
		}
	}
	return found
}

// answered leaves the resources that came with a status of success.
func answered(resources []*resource) []*resource {
	var found []*resource
	for _, r := range resources {
		if r.failure == nil && r.status >= 200 && r.status < 300 {
			found = append(found, r)
		}
	}
	return found
}

// sampledAssets returns the stylesheets, scripts and images that were fetched with success.
func (f *facts) sampledAssets() []*resource {
	return answered(f.sampled(stylesheetResource, scriptResource, imageResource))
}

// weight returns how many bytes a resource takes on the wire. Of one whose body was not fetched whole that is what the server
// announced, or what came where it announced nothing.
func (r *resource) weight() int64 {
	if r.truncated {
		if n, err := strconv.ParseInt(strings.TrimSpace(r.header.Get("Content-Length")), 10, 64); err == nil && n > r.wire {
			return n
		}
	}
	return r.wire
}

// totalWeight returns the bytes of resources on the wire.
func totalWeight(resources []*resource) int64 {
	var total int64
	for _, r := range resources {
		total += r.weight()
	}
	return total
}

// place returns where the page names a resource, with its address.
func (r *resource) place() Evidence {
	e := r.evidence
	if e.URL == "" && r.url != nil {
		e.URL = shownAddress(r.url)
	}
	return e
}

// mimeType returns the type of an answer without its parameters, in lower case.
func (r *response) mimeType() string {
	mime, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(mime))
}

// freshness returns how long a browser may use an answer without asking again (RFC 9111 section 4.2.1), and false where the
// server does not say. A shared cache's s-maxage does not count.
func (r *response) freshness() (time.Duration, bool) {
	directives := cacheDirectives(r.header.Values("Cache-Control"))
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
	return r.expiry()
}

// expiry returns the time from Date to Expires.
func (r *response) expiry() (time.Duration, bool) {
	expires := r.header.Get("Expires")
	if expires == "" {
		return 0, false
	}
	until, err := http.ParseTime(expires)
	if err != nil {
		return 0, true // "0" and the like mean already expired
	}
	from, err := http.ParseTime(r.header.Get("Date"))
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
		p := headerScanner{line}
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

// heaviest returns the resources by weight, the heaviest first; equals stay in order.
func heaviest(resources []*resource) []*resource {
	sorted := slices.Clone(resources)
	slices.SortStableFunc(sorted, func(a, b *resource) int { return cmp.Compare(b.weight(), a.weight()) })
	return sorted
}

// isBroken reports whether a sampled address leads nowhere: an error, or no answer at all. Too many requests (429), a
// timeout and an answer that was too large say more of this audit than of the address.
func (r *resource) isBroken() bool {
	if r.failure != nil {
		return r.failure.Code != CodeTimeout && r.failure.Code != CodeTooLarge && r.failure.Code != CodeNotHTML
	}
	return r.status >= 400 && r.status != http.StatusTooManyRequests
}
