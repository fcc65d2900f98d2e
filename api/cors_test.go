package api

import (
	"net/http"
	"testing"
)

func TestOtherOrigins(t *testing.T) {
	const app, evil = "https://app.example", "https://evil.example"
	tests := []struct {
		origins       []string
		origin, allow string
	}{
		{nil, app, ""}, {[]string{app}, app, app}, {[]string{app}, evil, ""}, {[]string{app}, "", ""}, {[]string{"*"}, evil, evil},
		{[]string{app}, "https://app.example.evil.example", ""}, {[]string{app}, "null", ""},
	}
	for _, test := range tests {
		s := newServer(t, Options{CORSOrigins: test.origins})
		header := http.Header{"Origin": {test.origin}, "Access-Control-Request-Method": {"POST"}}
		asked := s.must(http.StatusNoContent, call{method: http.MethodOptions, path: "/reports", key: "-", header: header}).Header
		answered := s.must(http.StatusOK, call{path: "/reports", header: http.Header{"Origin": {test.origin}}}).Header
		refused := s.must(http.StatusUnauthorized, call{path: "/reports", key: "-", header: http.Header{"Origin": {test.origin}}}).Header
		for _, h := range []http.Header{asked, answered, refused} {
			if got := h.Get("Access-Control-Allow-Origin"); got != test.allow {
				t.Errorf("%v lets %s in as %q", test.origins, test.origin, got)
			}
			if (h.Get("Vary") == "Origin") != (test.origins != nil) || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%v", h)
			}
		}
		methods, headers := "", ""
		if test.allow != "" {
			methods, headers = "GET, HEAD, OPTIONS, POST", allowedHeaders
		}
		if asked.Get("Access-Control-Allow-Methods") != methods || asked.Get("Access-Control-Allow-Headers") != headers {
			t.Errorf("%v", asked)
		}
	}
}
