package api

import "slices"

// What scripts of other origins may send and read, and for how many seconds a browser may remember that.
const (
	allowedHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer"
	exposedHeaders = "ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
	preflightAge   = "600"
)

// allowOrigin lets a browser hand the answer to a script of another origin, where that origin is configured. The API knows no
// cookies, so that no credentials are allowed.
func (a *API) allowOrigin(x *exchange) {
	if len(a.Origins) == 0 {
		return
	}
	h := x.Header()
	h.Add("Vary", "Origin")
	origin := x.r.Header.Get("Origin")
	if origin == "" || !slices.Contains(a.Origins, origin) && !slices.Contains(a.Origins, "*") {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
}
