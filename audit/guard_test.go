package audit

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"sitegrade/weburl"
)

// canary listens on every address of the machine and counts who comes.
func canary(t *testing.T) (port string, visits *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	visits = new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			visits.Add(1)
			conn.Close()
		}
	}()
	t.Cleanup(func() {
		listener.Close()
		<-done
	})
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port, visits
}

// nasty are hosts that lead, or could lead, into the auditor's own network.
var nasty = []string{
	"127.0.0.1", "127.1", "127.255.255.254", "2130706433", "0x7f000001", "0177.0.0.1", "0x7f.0.0.1", "１２７.0.0.1",
	"0", "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.100.100.200", "169.254.169.254", "2852039166",
	"172.16.0.1", "192.0.0.192", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
	"224.0.0.1", "240.0.0.1", "255.255.255.255", "168.63.129.16", "192.88.99.1",
	"[::]", "[::1]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:169.254.169.254]", "[::ffff:0:127.0.0.1]",
	"[64:ff9b::127.0.0.1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]",
	"[2001:0:7f00:1::]", "[2001::1]", "[2001:db8::1]", "[100::1]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]",
	"[fec0::1]", "[ff02::1]", "[3fff::1]",
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
	port, visits := canary(t)
	a := New(Options{})
	t.Cleanup(a.Close)
	useNames(t, a, nastyNames)
	hosts := append([]string{"rebind.example"}, nasty...)
	for name := range nastyNames {
		hosts = append(hosts, name)
	}
	for _, host := range hosts {
		for _, scheme := range []string{"http://", "https://"} {
			_, err := a.Audit(t.Context(), weburl.Resolve(nil, scheme+host+":"+port+"/"))
			if err == nil || err.Error() != unreachable {
				t.Errorf("%s%s: %v", scheme, host, err)
			}
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

func TestGuardAfterRedirect(t *testing.T) {
	port, visits := canary(t)
	target := ""
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, http.StatusFound) })
	own, err := netip.ParseAddrPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	a := New(Options{AllowNetworks: []netip.Prefix{netip.PrefixFrom(own.Addr(), 32)}})
	t.Cleanup(a.Close)
	for _, host := range []string{"127.0.0.2", "[::1]", "0", "[::ffff:127.0.0.2]", "10.0.0.1"} {
		target = "http://" + host + ":" + port + "/"
		if _, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL)); err == nil || err.Error() != unreachable {
			t.Errorf("redirected to %s: %v", host, err)
		}
	}
	if n := visits.Load(); n != 0 {
		t.Errorf("the canary was contacted %d times", n)
	}
}

// What a page links is under the same guard as the page.
func TestGuardForSamples(t *testing.T) {
	port, visits := canary(t)
	a := New(Options{AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, Samples: 200})
	t.Cleanup(a.Close)
	page := "<link rel=canonical href=http://127.0.0.3:" + port + "/><link rel=icon href=http://127.0.0.4:" + port + "/>"
	for _, host := range nasty {
		if u := weburl.Resolve(nil, "http://"+host+"/"); a.Forbidden(u) {
			page += `<img src="http://` + host + ":" + port + `/x"><script src="https://` + host + ":" + port + `/y"></script>`
		}
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			w.Write([]byte("Sitemap: http://127.0.0.2:" + port + "/\nSitemap: http://[::1]:" + port + "/\n"))
			return
		}
		servePage(w, page)
	})
	if _, err := a.Audit(t.Context(), weburl.Resolve(nil, s.URL)); err != nil {
		t.Fatal(err)
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
	for _, a := range []*Auditor{New(Options{}), newAuditor(t, Options{})} {
		_, err := a.Audit(t.Context(), weburl.Resolve(nil, "http://"+closed))
		if err == nil || err.Error() != unreachable {
			t.Errorf("a closed port gives %v", err)
		}
	}
}

func TestForbidden(t *testing.T) {
	a := New(Options{AllowNetworks: []netip.Prefix{
		netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00::/8"), netip.MustParsePrefix("::ffff:10.2.0.0/112"),
	}})
	for _, host := range nasty {
		u, err := weburl.Parse("http://" + host + "/")
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		if host != "[fd00:ec2::254]" && !a.Forbidden(u) {
			t.Errorf("%s is not forbidden", u)
		}
	}
	for _, host := range []string{"10.1.2.3", "10.2.3.4", "[fd12::1]", "8.8.8.8", "[2606:4700::1111]", "example.com", "localhost"} {
		if a.Forbidden(weburl.Resolve(nil, "http://"+host+"/")) {
			t.Errorf("%s is forbidden", host)
		}
	}
}

func TestProxyOfTheEnvironment(t *testing.T) {
	port, visits := canary(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { servePage(w, "<title>x</title>") })
	a := newAuditor(t, Options{})
	useNames(t, a, map[string]string{"proxied.example": "127.0.0.1"})
	_, own, _ := strings.Cut(s.Listener.Addr().String(), ":")
	if _, err := a.Audit(t.Context(), weburl.Resolve(nil, "http://proxied.example:"+own+"/")); err != nil {
		t.Error(err)
	}
	if visits.Load() != 0 {
		t.Error("the proxy was asked")
	}
}

func TestUnknownName(t *testing.T) {
	a := newAuditor(t, Options{})
	useNames(t, a, nil)
	_, err := a.Audit(t.Context(), weburl.Resolve(nil, "http://nowhere.example/"))
	var failure *Failure
	if !errors.As(err, &failure) || failure.Code != CodeDNS {
		t.Errorf("an unknown name gives %v", err)
	}
}
