package header

import (
	"strings"
	"testing"
	"time"
)

var testTime = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestParseCookie(t *testing.T) {
	tests := []struct {
		line string
		want Cookie
		ok   bool
	}{
		{"a=b", Cookie{Name: "a"}, true},
		{" a = b ; Secure; HttpOnly; SameSite=None", Cookie{Name: "a", Secure: true, HTTPOnly: true, SameSite: "none"}, true},
		{"a=b; SECURE=1 ;httponly ; samesite= Lax ", Cookie{Name: "a", Secure: true, HTTPOnly: true, SameSite: "lax"}, true},
		{"a=b=c; SameSite=Lax; SameSite=Strict; partitioned", Cookie{Name: "a", SameSite: "strict", Partitioned: true}, true},
		{"a=; Max-Age=0", Cookie{Name: "a", Expired: true}, true},
		{"a=; Max-Age=-1", Cookie{Name: "a", Expired: true}, true},
		{"a=b; Max-Age=60", Cookie{Name: "a"}, true},
		{"a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", Cookie{Name: "a"}, true},
		{"a=b; Max-Age=soon; Expires=Thu, 01-Jan-70 0:0:1 GMT", Cookie{Name: "a", Expired: true}, true},
		{"a=b; Expires=Fri, 20 Nov 2026 12:00:01 GMT", Cookie{Name: "a"}, true},
		{"a=b; Expires=0", Cookie{Name: "a"}, true}, // no date
		{"a=secure", Cookie{Name: "a"}, true},
		{`a="b; Secure"`, Cookie{Name: "a"}, true}, // quotes mean nothing to browsers: the attribute is Secure"
		{"a=b; Path=/; Domain=", Cookie{Name: "a", RootPath: true}, true},
		{"a=b; Path=/; Path=/x", Cookie{Name: "a"}, true},
		{"Secure; HttpOnly", Cookie{HTTPOnly: true, valuePrefix: "Secure"}, true},
		{"=b; Secure", Cookie{Secure: true, valuePrefix: "b"}, true},
		{"", Cookie{}, false},
		{"=; Secure", Cookie{}, false},
		{"a=b\x01; Secure", Cookie{}, false},
		{"a=" + strings.Repeat("b", 4096), Cookie{}, false},
	}
	for _, test := range tests {
		if test.ok {
			test.want.HostOnly = true
		}
		if got, ok := parseCookie(test.line, testTime); got != test.want || ok != test.ok {
			t.Errorf("parseCookie(%q) = %+v, %v, want %+v", test.line, got, ok, test.want)
		}
	}
}

func TestCookiePrefix(t *testing.T) {
	tests := []struct {
		line   string
		prefix string
		kept   bool
	}{
		{"a=b", "", true},
		{"__Secure-a=b; Secure", "__Secure-", true},
		{"__SECURE-a=b; Secure", "__Secure-", true},
		{"__secure-a=b", "__Secure-", false},
		{"__Host-a=b; Secure; Path=/", "__Host-", true},
		{"__host-a=b; Secure; Path=/; Domain=", "__Host-", true},
		{"__Host-a=b; Secure", "__Host-", false},
		{"__Host-a=b; Path=/", "__Host-", false},
		{"__Host-a=b; Secure; Path=/x", "__Host-", false},
		{"__Host-a=b; Secure; Path=/; Domain=example.com", "__Host-", false},
		{"__Http-a=b; Secure", "__Http-", false},
		{"__Http-a=b; Secure; HttpOnly", "__Http-", true},
		{"__Host-Http-a=b; Secure; HttpOnly; Path=/", "__Host-Http-", true},
		{"__Host-Http-a=b; Secure; Path=/", "__Host-Http-", false},
		{"=__Secure-a=b; Secure", "__Secure-", false},
		{"__Host-; Secure; Path=/", "__Host-", false},
	}
	for _, test := range tests {
		c, ok := parseCookie(test.line, testTime)
		if prefix, kept := c.Prefix(); !ok || prefix != test.prefix || kept != test.kept {
			t.Errorf("%q: %q, %v", test.line, prefix, kept)
		}
	}
}

func TestParseCookieDate(t *testing.T) {
	tests := map[string]string{
		"Thu, 01 Jan 1970 00:00:00 GMT":    "1970-01-01T00:00:00Z",
		"Thursday, 01-Jan-70 00:00:01 GMT": "1970-01-01T00:00:01Z",
		"Fri Nov 20 1:02:03 2026":          "2026-11-20T01:02:03Z",
		"2026 november 5 23:59:59":         "2026-11-05T23:59:59Z",
		"20/Nov/26/12:00:00":               "2026-11-20T12:00:00Z",
		"":                                 "",
		"Thu, 01 Jan 1970":                 "",
		"Thu, 32 Jan 1970 00:00:00 GMT":    "",
		"Thu, 01 Jan 1970 24:00:00 GMT":    "",
		"Thu, 01 Jan 1600 00:00:00 GMT":    "",
		"Thu, 01 Foo 1970 00:00:00 GMT":    "",
		"Thu, 01 Jan 1970 00:00:00:00 GMT": "",
	}
	for text, want := range tests {
		at, ok := parseCookieDate(text)
		if ok != (want != "") || ok && at.Format(time.RFC3339) != want {
			t.Errorf("parseCookieDate(%q) = %v, %v", text, at, ok)
		}
	}
}

// FuzzCookie holds that attributes never become part of the name, and that adding Secure always counts.
func FuzzCookie(f *testing.F) {
	f.Add("PHPSESSID=a; path=/; secure; HTTPONLY; SameSite=Lax; Expires=Thu, 01 Jan 1970 00:00:00 GMT")
	f.Add("__Host-=;=;=")
	f.Fuzz(func(t *testing.T, line string) {
		c, ok := parseCookie(line, testTime)
		if !ok {
			return
		}
		secured, ok := parseCookie(line+"; Secure", testTime)
		if c.Secure = true; !ok || secured != c {
			t.Errorf("%q: %+v, with Secure %+v", line, c, secured)
		}
		c.Prefix()
	})
}
