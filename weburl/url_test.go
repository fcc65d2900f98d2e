package weburl

import "testing"

func TestParts(t *testing.T) {
	tests := []struct {
		in                                                               string
		scheme, host, hostname, port, path, query, site, hostKey, domain string
	}{
		{"https://example.com/", "https", "example.com", "example.com", "", "/", "", "example.com", "example.com", "example.com"},
		{"http://www.example.co.uk/a//b%20?c=/d#e", "http", "www.example.co.uk", "www.example.co.uk", "", "/a//b%20", "c=/d", "example.co.uk", "example.co.uk", "example.co.uk"},
		{"https://blog.example.com:8443/x?", "https", "blog.example.com:8443", "blog.example.com", "8443", "/x", "", "blog.example.com:8443", "blog.example.com:8443", "example.com"},
		{"https://www.xn--bcher-kva.example:81/", "https", "www.xn--bcher-kva.example:81", "www.xn--bcher-kva.example", "81", "/", "", "bücher.example:81", "xn--bcher-kva.example:81", "xn--bcher-kva.example"},
		{"http://127.0.0.1:8080/", "http", "127.0.0.1:8080", "127.0.0.1", "8080", "/", "", "127.0.0.1:8080", "127.0.0.1:8080", "127.0.0.1"},
		{"http://[::1]:8080/", "http", "[::1]:8080", "::1", "8080", "/", "", "[::1]:8080", "[::1]:8080", "::1"},
		{"http://[::1]/", "http", "[::1]", "::1", "", "/", "", "[::1]", "[::1]", "::1"},
		{"http://www./", "http", "www.", "www.", "", "/", "", "www.", "www.", "www."},
		{"http://user:pw@example.com/", "http", "example.com", "example.com", "", "/", "", "example.com", "example.com", "example.com"},
		{"mailto:a@b.example", "mailto", "", "", "", "", "", "", "", ""},
	}
	for _, test := range tests {
		u := Resolve(nil, test.in)
		got := [...]string{u.Scheme(), u.Host(), u.Hostname(), u.Port(), u.Path(), u.Query(), u.Site(), u.HostKey(), u.Domain()}
		want := [...]string{test.scheme, test.host, test.hostname, test.port, test.path, test.query, test.site, test.hostKey, test.domain}
		if got != want {
			t.Errorf("the parts of %s are\n%q, want\n%q", test.in, got, want)
		}
		if u.String() != test.in {
			t.Errorf("%s becomes %s", test.in, u)
		}
		if restored := Restore(test.in); *restored != *u {
			t.Errorf("Restore(%q) = %#v, not %#v", test.in, restored, u)
		}
	}
}

func TestNetURL(t *testing.T) {
	for _, in := range []string{"https://example.com/a%2Fb/c%20d?q=%zz", "http://[::1]:81/?", "http://example.com/%25zz", "http://example.com/"} {
		if got := Resolve(nil, in+"#top").NetURL().String(); got != in {
			t.Errorf("%s is requested as %s", in, got)
		}
	}
}

func TestQuestionsOfAURL(t *testing.T) {
	tests := []struct {
		in                      string
		web, loopback, insecure bool
	}{
		{"http://example.com/", true, false, true},
		{"https://example.com/", true, false, false},
		{"http://localhost:81/", true, true, false},
		{"http://a.localhost./", true, true, false},
		{"http://localhost.example/", true, false, true},
		{"http://127.9.9.9/", true, true, false},
		{"http://[::ffff:127.0.0.1]/", true, true, false},
		{"http://128.0.0.1/", true, false, true},
		{"data:x", false, false, false},
	}
	for _, test := range tests {
		u := Resolve(nil, test.in)
		if u.IsWeb() != test.web || u.IsLoopback() != test.loopback || u.IsInsecure() != test.insecure {
			t.Errorf("%s: web %v, loopback %v, insecure %v", test.in, u.IsWeb(), u.IsLoopback(), u.IsInsecure())
		}
	}
	if (*URL)(nil).IsWeb() {
		t.Error("no URL is one of the web")
	}
}

func TestSamePage(t *testing.T) {
	u := Resolve(nil, "https://example.com/~a?b#c")
	for in, want := range map[string]bool{
		"https://example.com/~a?b":     true,
		"https://example.com/%7Ea?b#d": true,
		"https://example.com/~a":       false,
		"https://example.com/~b?b":     false,
		"http://example.com/~a?b":      false,
		"https://example.com:81/~a?b":  false,
	} {
		if u.SamePage(Resolve(nil, in)) != want {
			t.Errorf("%s is the same page as %s: %v", in, u, !want)
		}
	}
	if !u.WithoutFragment().SamePage(u) || u.WithoutFragment().String() != "https://example.com/~a?b" {
		t.Errorf("without its fragment: %s", u.WithoutFragment())
	}
}

func TestOtherPlaces(t *testing.T) {
	u := Resolve(nil, "https://example.com:81/a?b#c")
	if got := u.WithPath("/robots.txt").String(); got != "https://example.com:81/robots.txt" {
		t.Errorf("another path: %s", got)
	}
	if got := u.WithHost("http", "www.example.com").String(); got != "http://www.example.com/a?b#c" {
		t.Errorf("another host: %s", got)
	}
}

func TestComplete(t *testing.T) {
	for typed, want := range map[string]string{
		"example.com":          "https://example.com",
		"example.com:8443/a":   "https://example.com:8443/a",
		"localhost:8080":       "http://localhost:8080",
		"127.0.0.1":            "http://127.0.0.1",
		"[::1]:80/x":           "http://[::1]:80/x",
		"http://example.com":   "http://example.com",
		"ftp://example.com":    "ftp://example.com",
		"localhost.example":    "https://localhost.example",
		"192.0.2.1/?q=a://b":   "https://192.0.2.1/?q=a://b",
		"example.com/?q=a%3A/": "https://example.com/?q=a%3A/",
	} {
		if got := Complete(typed); got != want {
			t.Errorf("%s becomes %s, want %s", typed, got, want)
		}
	}
}
