package api

import (
	"net/http"
	"slices"
)

// What scripts of other origins may send and read, and for how many seconds a browser may remember that.
const (
	allowedHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer"
	exposedHeaders = "ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id"
	preflightAge   = "600"
)

// allowOrigin lets a browser hand the response to a script of another origin, where that origin is configured. The API knows no
// cookies, so that no credentials are allowed.
func (a *API) allowOrigin(h http.Header, r *http.Request) {
	if len(a.CORSOrigins) == 0 {
		return
	}
	h.Add("Vary", "Origin")
	origin := r.Header.Get("Origin")
	if origin == "" || !slices.Contains(a.CORSOrigins, origin) && !slices.Contains(a.CORSOrigins, "*") {
		return
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", exposedHeaders)
}
