package weburl

import "strings"

// Complete returns what somebody typed with the scheme that was left out: "example.com" becomes "https://example.com". The machine's
// own hosts get http.
func Complete(typed string) string {
	if scheme, _, found := strings.Cut(typed, "://"); found && !strings.ContainsAny(scheme, "/?#") {
		return typed
	}
	if u := Resolve(nil, "http://"+typed); u.IsWeb() && u.IsLoopback() {
		return u.scheme + "://" + typed
	}
	return "https://" + typed
}
