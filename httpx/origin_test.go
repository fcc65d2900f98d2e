package httpx

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

const ownProxy, ownProxy6, stranger = "10.0.0.1:1234", "[fd00::1]:1234", "203.0.113.9:1234"

// ours trusts the networks of ownProxy and ownProxy6.
func ours(headers ...string) Origins {
	return Origins{
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}, ForwardedHeaders: headers,
	}
}

// asked returns a request for http://own.example/ with these headers.
func asked(peer string, header http.Header) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://own.example/", nil)
	r.RemoteAddr, r.Header = peer, header
	return r
}

func TestOrigin(t *testing.T) {
	for _, test := range []struct {
		name, peer string
		header     http.Header
		want       string // base and client
	}{
		{"nothing", stranger, nil, "http://own.example 203.0.113.9"},
		{"not trusted", stranger, http.Header{"X-Forwarded-For": {"198.51.100.1"}, "X-Forwarded-Proto": {"https"}, "X-Forwarded-Host": {"evil.example"}}, "http://own.example 203.0.113.9"},
		{"one proxy", ownProxy, http.Header{"X-Forwarded-For": {"198.51.100.1"}, "X-Forwarded-Proto": {"https"}, "X-Forwarded-Host": {"shown.example:8443"}}, "https://shown.example:8443 198.51.100.1"},
		{"only the scheme", ownProxy, http.Header{"X-Forwarded-Proto": {"HTTPS"}}, "https://own.example 10.0.0.1"},
		{"a made-up client before", ownProxy, http.Header{"X-Forwarded-For": {"192.0.2.66, 198.51.100.1"}, "X-Forwarded-Proto": {"https"}}, "https://own.example 198.51.100.1"},
		{"two proxies", ownProxy, http.Header{"X-Forwarded-For": {"192.0.2.66, 198.51.100.1", "10.0.0.2"}, "X-Forwarded-Proto": {"https, http"}}, "https://own.example 198.51.100.1"},
		{"a made-up scheme before", ownProxy, http.Header{"X-Forwarded-For": {"192.0.2.66, 198.51.100.1"}, "X-Forwarded-Proto": {"http, https"}}, "https://own.example 198.51.100.1"},
		{"a proxy's address made up", ownProxy, http.Header{"X-Forwarded-For": {"10.0.0.7, 198.51.100.1"}}, "http://own.example 198.51.100.1"},
		{"only proxies", ownProxy, http.Header{"X-Forwarded-For": {"10.0.0.3, 10.0.0.2"}}, "http://own.example 10.0.0.3"},
		{"IPv6", ownProxy6, http.Header{"X-Forwarded-For": {"2001:db8::1"}}, "http://own.example 2001:db8::1"},
		{"IPv6 with a zone", ownProxy6, http.Header{"X-Forwarded-For": {"fe80::1%made-up"}}, "http://own.example fe80::1"},
		{"a senseless scheme", ownProxy, http.Header{"X-Forwarded-Proto": {"javascript"}}, "http://own.example 10.0.0.1"},
		{"a senseless host", ownProxy, http.Header{"X-Forwarded-Host": {`a"><script>`}}, "http://own.example 10.0.0.1"},
		{"a host with a path", ownProxy, http.Header{"X-Forwarded-Host": {"a.example/path"}}, "http://own.example 10.0.0.1"},
		{"a senseless client", ownProxy, http.Header{"X-Forwarded-For": {"somebody"}}, "http://own.example 10.0.0.1"},
		{"RFC 7239 is not the header that counts", ownProxy, http.Header{"Forwarded": {"for=192.0.2.66;proto=https;host=evil.example"}, "X-Forwarded-For": {"198.51.100.1"}}, "http://own.example 198.51.100.1"},
	} {
		holdOrigin(t, test.name, ours(), asked(test.peer, test.header), test.want)
	}
}

// TestOriginByForwarded has the header of RFC 7239 count.
func TestOriginByForwarded(t *testing.T) {
	for _, test := range []struct {
		name, peer string
		header     http.Header
		want       string
	}{
		{"nothing", ownProxy, nil, "http://own.example 10.0.0.1"},
		{"not trusted", stranger, http.Header{"Forwarded": {"for=198.51.100.1;proto=https;host=evil.example"}}, "http://own.example 203.0.113.9"},
		{"one proxy", ownProxy, http.Header{"Forwarded": {`For="[2001:db8::1]:47011";Proto=https;Host="shown.example"`}}, "https://shown.example 2001:db8::1"},
		{"two proxies", ownProxy, http.Header{"Forwarded": {`for=192.0.2.66;host=evil.example, for=198.51.100.1;proto=https;host=shown.example`, `for=10.0.0.2;host=inner.example`}}, "https://shown.example 198.51.100.1"},
		{"the others do not count", ownProxy, http.Header{"X-Forwarded-For": {"192.0.2.66"}, "X-Forwarded-Host": {"evil.example"}}, "http://own.example 10.0.0.1"},
		{"hidden", ownProxy, http.Header{"Forwarded": {`for=_hidden;proto=https`}}, "https://own.example 10.0.0.1"},
		{"broken", ownProxy, http.Header{"Forwarded": {`for="198.51.100.1;;=,=`}}, "http://own.example 10.0.0.1"},
	} {
		holdOrigin(t, test.name, ours(Forwarded), asked(test.peer, test.header), test.want)
	}
}

// TestHeadersThatAProxyDoesNotSet has a proxy that sets X-Forwarded-For alone, and hands on whatever else a client sends.
func TestHeadersThatAProxyDoesNotSet(t *testing.T) {
	header := http.Header{
		"X-Forwarded-For": {"198.51.100.1"}, "X-Forwarded-Host": {"evil.example"}, "X-Forwarded-Proto": {"https"}, "Forwarded": {"for=192.0.2.66"},
	}
	holdOrigin(t, "a proxy with one header", ours(forwardedFor), asked(ownProxy, header), "http://own.example 198.51.100.1")
}

func holdOrigin(t *testing.T, name string, o Origins, r *http.Request, want string) {
	t.Helper()
	from := o.Of(r)
	if got := from.Base + " " + from.Client.String(); got != want {
		t.Errorf("%s: %q, not %q", name, got, want)
	}
}

func TestRequestIDsOfProxies(t *testing.T) {
	for _, test := range []struct{ peer, id, want string }{
		{ownProxy, "abc-1.2_3", "abc-1.2_3"}, {stranger, "abc", ""}, {ownProxy, "", ""}, {ownProxy, "a b", ""},
		{ownProxy, "a\"b", ""}, {ownProxy, strings.Repeat("a", 128), strings.Repeat("a", 128)}, {ownProxy, strings.Repeat("a", 129), ""},
	} {
		from := ours().Of(asked(test.peer, http.Header{"X-Request-Id": {test.id}}))
		if test.want != "" && from.ID != test.want || test.want == "" && len(from.ID) != 32 {
			t.Errorf("%s sends %q: the id is %q", test.peer, test.id, from.ID)
		}
	}
}

func TestBase(t *testing.T) {
	secure := httptest.NewRequest(http.MethodGet, "http://own.example:8080/", nil)
	secure.TLS = &tls.ConnectionState{}
	if base := (Origins{}).Of(secure).Base; base != "https://own.example:8080" {
		t.Errorf("the base is %q", base)
	}
	configured := Origins{BaseURL: "https://seo.example.com/sitegrade"}
	if base := configured.Of(secure).Base; base != configured.BaseURL {
		t.Errorf("the base is %q", base)
	}
}

// FuzzOrigin holds that whatever a trusted proxy sends, links begin with a scheme and a host that can stand in them.
func FuzzOrigin(f *testing.F) {
	f.Add(`for="[::1]:1";proto=https;host="a.example:8443", for=10.0.0.1`, "1.2.3.4, 10.0.0.1", "https", "a.example")
	f.Add(`;;=,"\`, ",,", "javascript:", "a/b")
	f.Fuzz(func(t *testing.T, forwarded, clients, schemes, hosts string) {
		r := asked(ownProxy, http.Header{
			"Forwarded": {forwarded}, "X-Forwarded-For": {clients}, "X-Forwarded-Proto": {schemes}, "X-Forwarded-Host": {hosts},
		})
		for _, o := range []Origins{ours(), ours(Forwarded)} {
			from := o.Of(r)
			scheme, host, _ := strings.Cut(from.Base, "://")
			if scheme != "http" && scheme != "https" || !isHost(host) || !from.Client.IsValid() {
				t.Errorf("%+v", from)
			}
		}
	})
}
