package fetch

import (
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

// loopback lets a client of a test reach the servers of the test.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}

// newClient returns a client that leaves no connections behind. It may dial loopback unless o says otherwise.
func newClient(t testing.TB, o Options) *Client {
	t.Helper()
	if o.AllowNetworks == nil {
		o.AllowNetworks = loopback
	}
	c := New(o)
	t.Cleanup(c.Close)
	return c
}

// get asks for an address, and returns the response with its body.
func get(t testing.TB, c *Client, address string) Result {
	t.Helper()
	e, failure := c.Open(t.Context(), Request{Method: http.MethodGet, URL: weburl.Resolve(nil, address), Redirects: 10})
	if failure != nil {
		return Failed(weburl.Resolve(nil, address), failure)
	}
	defer e.Close()
	raw, cut, err := e.Receive(1 << 20)
	if err == nil {
		err = e.Decode(raw, cut, 1<<20)
	}
	if err != nil {
		return Failed(e.URL, BodyFailure(t.Context(), err, 1<<20))
	}
	return e.Result
}

// serve starts a server for the time of the test.
func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

// nastyNames resolve to forbidden addresses, the last one only when it is asked again.
var nastyNames = map[string]string{
	"loopback.example": "127.0.0.1",
	"mapped.example":   "::ffff:127.0.0.1",
	"six.example":      "::1",
	"metadata.example": "169.254.169.254",
	"nat64.example":    "64:ff9b::7f00:1",
	"rebind.example":   "192.168.0.1 127.0.0.1",
}

const unreachable = "unreachable: The server could not be reached: it refused or broke off the connection, or may not be contacted."

func TestGuardRefuses(t *testing.T) {
	port, visits := fetchtest.Canary(t)
	c := newClient(t, Options{AllowNetworks: []netip.Prefix{}, Resolver: fetchtest.Names(t, nastyNames).Resolver()})
	hosts := append([]string{"rebind.example"}, fetchtest.ForbiddenHosts...)
	for name := range nastyNames {
		hosts = append(hosts, name)
	}
	for _, host := range hosts {
		for _, scheme := range []string{"http://", "https://"} {
			if got := get(t, c, scheme+host+":"+port+"/"); got.Failure == nil || got.Failure.Error() != unreachable {
				t.Errorf("%s%s: %v", scheme, host, got.Failure)
			}
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

func TestGuardAfterRedirect(t *testing.T) {
	port, visits := fetchtest.Canary(t)
	target := ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, http.StatusFound) })
	own, err := netip.ParseAddrPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, Options{AllowNetworks: []netip.Prefix{netip.PrefixFrom(own.Addr(), 32)}})
	for _, host := range []string{"127.0.0.2", "[::1]", "0", "[::ffff:127.0.0.2]", "10.0.0.1"} {
		target = "http://" + host + ":" + port + "/"
		if got := get(t, c, s.URL); got.Failure == nil || got.Failure.Error() != unreachable {
			t.Errorf("redirected to %s: %v", host, got.Failure)
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

func TestNoOracle(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed := listener.Addr().String()
	listener.Close()
	for _, allowed := range [][]netip.Prefix{{}, loopback} {
		got := get(t, newClient(t, Options{AllowNetworks: allowed}), "http://"+closed)
		if got.Failure == nil || got.Failure.Error() != unreachable {
			t.Errorf("a closed port gives %v", got.Failure)
		}
	}
}

func TestForbidden(t *testing.T) {
	c := New(Options{AllowNetworks: []netip.Prefix{
		netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("::ffff:10.2.0.0/112"),
	}})
	for _, host := range fetchtest.ForbiddenHosts {
		u, err := weburl.Parse("http://" + host + "/")
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		if host != "[fd00:ec2::254]" && !c.Forbidden(u) {
			t.Errorf("%s is not forbidden", u)
		}
	}
	for _, host := range []string{"10.1.2.3", "10.2.3.4", "[fd12::1]", "8.8.8.8", "[2606:4700::1111]", "example.com", "localhost"} {
		if c.Forbidden(weburl.Resolve(nil, "http://"+host+"/")) {
			t.Errorf("%s is forbidden", host)
		}
	}
}

func TestProxyOfTheEnvironment(t *testing.T) {
	port, visits := fetchtest.Canary(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {})
	c := newClient(t, Options{Resolver: fetchtest.Names(t, map[string]string{"proxied.example": "127.0.0.1"}).Resolver()})
	_, own, _ := strings.Cut(s.Listener.Addr().String(), ":")
	if got := get(t, c, "http://proxied.example:"+own+"/"); got.Failure != nil {
		t.Error(got.Failure)
	}
	if visits.Load() != 0 {
		t.Error("the proxy was asked")
	}
	// net/http reads the environment once in a process, so that the visits tell only where no other test came before.
	if c.transport.Proxy != nil || c.fresh.Proxy != nil {
		t.Error("a proxy may be asked")
	}
}

func TestUnknownName(t *testing.T) {
	c := newClient(t, Options{Resolver: fetchtest.Names(t, nil).Resolver()})
	if got := get(t, c, "http://nowhere.example/"); got.Failure == nil || got.Failure.Code != CodeDNS {
		t.Errorf("an unknown name gives %v", got.Failure)
	}
}
