package fetch

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sitegrade/fetch/fetchtest"
	"sitegrade/weburl"
)

// Of all that asks a host, whatever its name, two requests are under way at once. Each is held until another one has come, so that a client
// that lets in only one never ends, and three that come together are seen.
func TestRequestsPerHost(t *testing.T) {
	const pairs = 20
	var now, most atomic.Int64
	meet := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for n := now.Add(1); ; {
			if old := most.Load(); n <= old || most.CompareAndSwap(old, n) {
				break
			}
		}
		select { // two that are under way at once let each other go
		case meet <- struct{}{}:
		case <-meet:
		case <-r.Context().Done():
		}
		now.Add(-1)
		io.WriteString(w, "x")
	})
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	names := fetchtest.Names(t, map[string]string{"site.example": "127.0.0.1", "www.site.example": "127.0.0.1"})
	c := newClient(t, Options{Resolver: names.Resolver()})
	var all sync.WaitGroup
	for i := range 2 * pairs {
		all.Go(func() {
			host := []string{"site.example", "www.site.example"}[i%2]
			e, failure := c.Open(t.Context(), Request{URL: weburl.Resolve(nil, "http://"+host+":"+port+"/"), Fresh: i%3 == 0})
			if failure != nil {
				t.Error(failure)
				return
			}
			e.Discard()
			e.Close()
		})
	}
	all.Wait()
	if most.Load() != 2 {
		t.Errorf("%d requests were under way at once, want 2", most.Load())
	}
	if len(c.gate.hosts) != 0 {
		t.Errorf("%d hosts are remembered", len(c.gate.hosts))
	}
}

// What somebody waits for is asked for before what nobody does, however much of that waits already.
func TestRequestsBehindLetOthersGoFirst(t *testing.T) {
	arrived, rest := make(chan string), make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- r.URL.Path
		<-rest
	})
	c := newClient(t, Options{})
	var all sync.WaitGroup
	ask := func(path string, behind bool) {
		all.Go(func() {
			e, failure := c.Open(t.Context(), Request{URL: weburl.Resolve(nil, s.URL+path), Behind: behind})
			if failure != nil {
				t.Errorf("%s: %v", path, failure)
				return
			}
			e.Close()
		})
	}
	const crowd = 10
	for range crowd {
		ask("/behind", true)
	}
	<-arrived
	<-arrived
	wait := time.NewTicker(time.Millisecond)
	defer wait.Stop()
	ask("/first", false)
	for users := 0; users < requestsPerHost+1; <-wait.C { // until it stands before the gate
		c.gate.mu.Lock()
		users = c.gate.hosts[weburl.Resolve(nil, s.URL).HostKey()].users
		c.gate.mu.Unlock()
	}
	rest <- struct{}{}
	if path := <-arrived; path != "/first" {
		t.Errorf("%s came first", path)
	}
	close(rest)
	for range crowd - 2 {
		<-arrived
	}
	all.Wait()
	if len(c.gate.hosts)+len(c.behind.hosts) != 0 {
		t.Errorf("%d and %d hosts are remembered", len(c.gate.hosts), len(c.behind.hosts))
	}
}

// Who waits for its turn leaves when its context ends, and lets the next one in.
func TestTurnEndsWithTheContext(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	c := newClient(t, Options{})
	request := Request{URL: weburl.Resolve(nil, s.URL)}
	var open []*Exchange
	for range 2 {
		e, failure := c.Open(t.Context(), request)
		if failure != nil {
			t.Fatal(failure)
		}
		open = append(open, e)
	}
	waited := false
	impatient := request
	impatient.Await = func(take func(context.Context) error) error {
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		waited = true
		return take(ctx)
	}
	if _, failure := c.Open(t.Context(), impatient); failure == nil || failure.Code != CodeTimeout || !waited {
		t.Errorf("a request without a turn: %v", failure)
	}
	for _, e := range open {
		e.Close()
		e.Close() // a second time changes nothing
	}
	if got := get(t, c, s.URL); got.Failure != nil {
		t.Errorf("after the turns of others: %v", got.Failure)
	}
}

// A name is looked up once for all who ask at once or a moment later, and anew for a fresh request, whose timings are those of a new
// connection.
func TestLookups(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x") })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	names := fetchtest.Names(t, map[string]string{"site.example": "127.0.0.1"})
	c := newClient(t, Options{Resolver: names.Resolver()})
	ask := func(fresh bool) Phases {
		e, failure := c.Open(t.Context(), Request{URL: weburl.Resolve(nil, "http://site.example:"+port+"/"), Fresh: fresh})
		if failure != nil {
			t.Error(failure)
			return Phases{}
		}
		defer e.Close()
		e.Discard()
		return e.Phases()
	}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { ask(false) })
	}
	all.Wait()
	if n := names.Lookups("site.example"); n != 1 {
		t.Errorf("%d lookups of one name, want 1", n)
	}
	for i := range 2 {
		if p := ask(true); p.DNS <= 0 || p.Connect <= 0 {
			t.Errorf("fresh request %d: %+v", i, p)
		}
		if n := names.Lookups("site.example"); n != 2+i {
			t.Errorf("%d lookups after fresh request %d", n, i)
		}
	}
	if p := ask(false); p.DNS != 0 {
		t.Errorf("a name that is known was looked up: %+v", p)
	}
}

// A name that nobody has is looked up once for all who ask a moment later: each page of a site may name it.
func TestLookupsOfNothing(t *testing.T) {
	names := fetchtest.Names(t, nil)
	c := newClient(t, Options{Resolver: names.Resolver()})
	for i := range 3 {
		if got := get(t, c, "http://gone.example/"); got.Failure == nil || got.Failure.Code != CodeDNS {
			t.Errorf("request %d: %+v", i, got.Failure)
		}
	}
	if n := names.Lookups("gone.example"); n != 1 {
		t.Errorf("%d lookups of one name, want 1", n)
	}
}

// The guard judges each address of a name, and the next one is tried.
func TestAddressesOfAName(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "x") })
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	c := newClient(t, Options{})
	for _, ips := range []string{"10.0.0.1 127.0.0.1", "fc00::1 127.0.0.1", "127.0.0.1 fc00::1"} {
		c.names.remember("site.example", parseIPs(ips), nil)
		if got := get(t, c, "http://site.example:"+port+"/"); got.Failure != nil {
			t.Errorf("%s: %v", ips, got.Failure)
		}
		c.Close()
	}
	c.names.remember("site.example", parseIPs("10.0.0.1 fc00::1 192.168.0.1"), nil)
	if got := get(t, c, "http://site.example:"+port+"/"); got.Failure == nil || got.Failure.Error() != unreachable {
		t.Errorf("a name of forbidden addresses: %v", got.Failure)
	}
}

func parseIPs(s string) []netip.Addr {
	var ips []netip.Addr
	for ip := range strings.FieldsSeq(s) {
		ips = append(ips, netip.MustParseAddr(ip))
	}
	return ips
}

func TestPost(t *testing.T) {
	var seen *http.Request
	var body string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		seen, body = r, string(b)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	})
	c := newClient(t, Options{})
	e, failure := c.Open(t.Context(), Request{
		Method: http.MethodPost, URL: weburl.Resolve(nil, s.URL+"/hook"), Body: []byte("{}"),
		Header: http.Header{"Content-Type": {"application/json"}, "Webhook-Id": {"1"}}, Redirects: -1,
	})
	if failure != nil {
		t.Fatal(failure)
	}
	defer e.Close()
	if e.Status != http.StatusTemporaryRedirect || seen.URL.Path != "/hook" || body != "{}" || seen.ContentLength != 2 ||
		seen.Header.Get("Content-Type") != "application/json" || seen.Header.Get("Webhook-Id") != "1" || !strings.HasPrefix(seen.UserAgent(), "Sitegrade/") {
		t.Errorf("status %d of %s %s with %q and %v", e.Status, seen.Method, seen.URL, body, seen.Header)
	}
}

// Headers that somebody gave for one origin do not go to another.
func TestHeadersStayAtTheirOrigin(t *testing.T) {
	var got http.Header
	other := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.Header })
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" && r.Header.Get("Authorization") == "Bearer x" {
			http.Redirect(w, r, other.URL, http.StatusFound)
			return
		}
		http.Redirect(w, r, "/away", http.StatusFound)
	})
	e, failure := newClient(t, Options{}).Open(t.Context(), Request{
		URL: weburl.Resolve(nil, s.URL), Accept: "text/html", Header: http.Header{"Authorization": {"Bearer x"}}, Redirects: 2,
	})
	if failure != nil {
		t.Fatal(failure)
	}
	e.Close()
	if got.Get("Authorization") != "" || got.Get("Accept") != "text/html" || got.Get("Accept-Encoding") != acceptEncoding {
		t.Errorf("the other origin got %v", got)
	}
}

// The bounds themselves are allowed, and nothing beyond them.
func TestBounds(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n := len(r.URL.Path); n > 1 {
			http.Redirect(w, r, r.URL.Path[:n-1], http.StatusFound)
			return
		}
		io.WriteString(w, strings.Repeat("x", 100))
	})
	c := newClient(t, Options{})
	for path, want := range map[string]Code{"/": "", "/aaa": "", "/aaaa": CodeTooManyRedirects} {
		e, failure := c.Open(t.Context(), Request{URL: weburl.Resolve(nil, s.URL+path), Redirects: 3})
		if failure == nil {
			e.Close()
		}
		if failure == nil != (want == "") || failure != nil && failure.Code != want {
			t.Errorf("%s with three redirects: %v", path, failure)
		}
	}
	for limit, cut := range map[int64]bool{100: false, 99: true} {
		e, failure := c.Open(t.Context(), Request{URL: weburl.Resolve(nil, s.URL)})
		if failure != nil {
			t.Fatal(failure)
		}
		raw, more, err := e.Receive(limit)
		e.Close()
		if err != nil || more != cut || int64(len(raw)) != limit {
			t.Errorf("100 bytes with a limit of %d: %d bytes, more %v, %v", limit, len(raw), more, err)
		}
	}
	got := get(t, c, s.URL)
	size := headerSize(got.Header)
	for limit, want := range map[int64]Code{size: "", size - 1: CodeTooLarge} {
		if got := get(t, newClient(t, Options{MaxHeader: limit}), s.URL); (got.Failure != nil) != (want != "") || want != "" && got.Failure.Code != want {
			t.Errorf("%d bytes of headers with a limit of %d: %v", size, limit, got.Failure)
		}
	}
}
