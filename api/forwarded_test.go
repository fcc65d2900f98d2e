package api

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestOrigin(t *testing.T) {
	const proxy, proxy6, client = "10.0.0.1:1234", "[fd00::1]:1234", "203.0.113.9:1234"
	tests := []struct {
		name, peer string
		header     http.Header
		want       string // scheme, host, client
	}{
		{"nothing", client, nil, "http own.example 203.0.113.9"},
		{"not trusted", client, http.Header{"X-Forwarded-For": {"198.51.100.1"}, "X-Forwarded-Proto": {"https"}, "X-Forwarded-Host": {"evil.example"}}, "http own.example 203.0.113.9"},
		{"not trusted, RFC 7239", client, http.Header{"Forwarded": {"for=198.51.100.1;proto=https;host=evil.example"}}, "http own.example 203.0.113.9"},
		{"one proxy", proxy, http.Header{"X-Forwarded-For": {"198.51.100.1"}, "X-Forwarded-Proto": {"https"}, "X-Forwarded-Host": {"shown.example:8443"}}, "https shown.example:8443 198.51.100.1"},
		{"only the scheme", proxy, http.Header{"X-Forwarded-Proto": {"HTTPS"}}, "https own.example 10.0.0.1"},
		{"a made-up client before", proxy, http.Header{"X-Forwarded-For": {"192.0.2.66, 198.51.100.1"}, "X-Forwarded-Proto": {"https"}}, "https own.example 198.51.100.1"},
		{"two proxies", proxy, http.Header{"X-Forwarded-For": {"192.0.2.66, 198.51.100.1", "10.0.0.2"}, "X-Forwarded-Proto": {"https, http"}}, "https own.example 198.51.100.1"},
		{"a made-up scheme before", proxy, http.Header{"X-Forwarded-For": {"192.0.2.66, 198.51.100.1"}, "X-Forwarded-Proto": {"http, https"}}, "https own.example 198.51.100.1"},
		{"only proxies", proxy, http.Header{"X-Forwarded-For": {"10.0.0.3, 10.0.0.2"}}, "http own.example 10.0.0.3"},
		{"IPv6", proxy6, http.Header{"X-Forwarded-For": {"2001:db8::1"}}, "http own.example 2001:db8::1"},
		{"a senseless scheme", proxy, http.Header{"X-Forwarded-Proto": {"javascript"}}, "http own.example 10.0.0.1"},
		{"a senseless host", proxy, http.Header{"X-Forwarded-Host": {`a"><script>`}}, "http own.example 10.0.0.1"},
		{"a host with a path", proxy, http.Header{"X-Forwarded-Host": {"a.example/path"}}, "http own.example 10.0.0.1"},
		{"a senseless client", proxy, http.Header{"X-Forwarded-For": {"somebody"}}, "http own.example 10.0.0.1"},
		{"RFC 7239", proxy, http.Header{"Forwarded": {`For="[2001:db8::1]:47011";Proto=https;Host="shown.example"`}}, "https shown.example 2001:db8::1"},
		{"RFC 7239, two proxies", proxy, http.Header{"Forwarded": {`for=192.0.2.66;host=evil.example, for=198.51.100.1;proto=https;host=shown.example`, `for=10.0.0.2;host=inner.example`}}, "https shown.example 198.51.100.1"},
		{"RFC 7239 beats the others", proxy, http.Header{"Forwarded": {"for=198.51.100.1"}, "X-Forwarded-For": {"192.0.2.66"}}, "http own.example 198.51.100.1"},
		{"RFC 7239, hidden", proxy, http.Header{"Forwarded": {`for=_hidden;proto=https`}}, "https own.example 10.0.0.1"},
		{"RFC 7239, broken", proxy, http.Header{"Forwarded": {`for="198.51.100.1;;=,=`}}, "http own.example 10.0.0.1"},
	}
	a := New(nil, nil, Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}})
	for _, test := range tests {
		r := httptest.NewRequest(http.MethodGet, "http://own.example/", nil)
		r.RemoteAddr = test.peer
		r.Header = test.header
		o := a.origin(r)
		if got := o.scheme + " " + o.host + " " + o.client.String(); got != test.want {
			t.Errorf("%s: %q, not %q", test.name, got, test.want)
		}
	}
}

func TestRequestIDsOfProxies(t *testing.T) {
	a := New(nil, nil, Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	for _, test := range []struct{ peer, id, want string }{
		{"10.0.0.1:1", "abc-1.2_3", "abc-1.2_3"}, {"203.0.113.9:1", "abc", ""}, {"10.0.0.1:1", "", ""}, {"10.0.0.1:1", "a b", ""},
		{"10.0.0.1:1", "a\"b", ""}, {"10.0.0.1:1", strings.Repeat("a", 129), ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = test.peer
		r.Header.Set("X-Request-Id", test.id)
		x := a.newExchange(httptest.NewRecorder(), r)
		if test.want != "" && x.id != test.want || test.want == "" && len(x.id) != 32 {
			t.Errorf("%s sends %q: the id is %q", test.peer, test.id, x.id)
		}
		if got := x.Header().Get("X-Request-Id"); got != x.id {
			t.Errorf("the header is %q and the id %q", got, x.id)
		}
	}
}

func TestBaseAddress(t *testing.T) {
	secure := httptest.NewRequest(http.MethodGet, "http://own.example:8080/", nil)
	secure.TLS = &tls.ConnectionState{}
	if x := New(nil, nil, Options{}).newExchange(httptest.NewRecorder(), secure); x.base != "https://own.example:8080" {
		t.Errorf("the base is %q", x.base)
	}
	s := newServer(t, Options{BaseURL: "https://seo.example.com/sitegrade/"})
	made := s.post(http.StatusCreated, "url", s.site.URL)
	r := s.record(made)
	if !strings.HasPrefix(*r.ShareURL, "https://seo.example.com/sitegrade/r/") {
		t.Errorf("share_url is %q", *r.ShareURL)
	}
	if got, want := made.header.Get("Location"), "https://seo.example.com/sitegrade/api/v1/reports/"+r.ID; got != want {
		t.Errorf("Location is %q, not %q", got, want)
	}
	l, header := s.list("/reports")
	if l.Meta.Path != "https://seo.example.com/sitegrade/api/v1/reports" || !strings.HasPrefix(header.Get("Link"), "<"+l.Meta.Path) {
		t.Errorf("%+v, %s", l.Meta, header.Get("Link"))
	}
}

// FuzzOrigin holds that whatever a trusted proxy sends, links begin with a scheme and a host that can stand in them.
func FuzzOrigin(f *testing.F) {
	f.Add(`for="[::1]:1";proto=https;host="a.example:8443", for=10.0.0.1`, "1.2.3.4, 10.0.0.1", "https", "a.example")
	f.Add(`;;=,"\`, ",,", "javascript:", "a/b")
	a := New(nil, nil, Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	f.Fuzz(func(t *testing.T, forwarded, clients, schemes, hosts string) {
		r := httptest.NewRequest(http.MethodGet, "http://own.example/", nil)
		r.RemoteAddr = "10.0.0.9:1"
		r.Header = http.Header{"Forwarded": {forwarded}, "X-Forwarded-For": {clients}, "X-Forwarded-Proto": {schemes}, "X-Forwarded-Host": {hosts}}
		o := a.origin(r)
		if o.scheme != "http" && o.scheme != "https" || !isHost(o.host) || !o.client.IsValid() {
			t.Errorf("%+v", o)
		}
	})
}
