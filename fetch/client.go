// Package fetch makes the requests that go out: through one guard, which lets nobody use the server to look around in its own network,
// and through one gate, which spares the hosts that are asked. What comes back is bounded and decoded.
package fetch

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"sitegrade/weburl"
)

// Client makes requests. All that goes out of a process goes through one client, and so through one guard and one gate. It is safe for
// concurrent use and keeps connections for the next request to their host.
type Client struct {
	guard     *ssrf.Guardian
	dialer    *net.Dialer
	names     *names
	gate      gate
	behind    gate // where requests wait that nobody waits for, before they come to the other one
	transport *http.Transport
	fresh     *http.Transport // connects anew for each request
	posting   *http.Transport // for Post
	postLimit time.Duration   // of a Post in all
	verifier  verifier
	userAgent string
	maxHeader int64
}

const (
	// phaseTimeout bounds connecting and the TLS handshake, each.
	phaseTimeout = 10 * time.Second
	// idleTimeout is how long a connection waits for the next audit of its host.
	idleTimeout = 30 * time.Second
	// headerSlack is by how much the transport's limit of headers exceeds ours. Far beyond its limit it breaks off an HTTP/2
	// connection with an error that says nothing of headers.
	headerSlack = 16
	// acceptEncoding names what decode reads. Naming it keeps the transport from decoding, which could not be limited.
	acceptEncoding = "gzip, deflate, br, zstd"
)

// Options are the limits of a client. The zero value of a field means the default that its comment names.
type Options struct {
	AllowNetworks []netip.Prefix   // networks that may be dialled beside public addresses; none
	MaxHeader     int64            // bytes of response headers; 64 KiB
	UserAgent     string           // "Sitegrade/1.0 (website audit)"
	Resolver      *net.Resolver    // looks names up; the system's
	Roots         *x509.CertPool   // certificates that browsers trust; the system's
	Now           func() time.Time // by which certificates are judged; time.Now
}

// New returns a client with these limits.
func New(o Options) *Client {
	c := &Client{
		guard:     newGuard(o.AllowNetworks),
		verifier:  verifier{roots: o.Roots, now: o.Now},
		userAgent: cmp.Or(o.UserAgent, "Sitegrade/1.0 (website audit)"),
		maxHeader: cmp.Or(o.MaxHeader, 64<<10),
	}
	if c.verifier.now == nil {
		c.verifier.now = time.Now
	}
	c.gate.hosts, c.behind.hosts = map[string]*turns{}, map[string]*turns{}
	c.names = newNames(o.Resolver)
	c.dialer = &net.Dialer{Timeout: phaseTimeout, Control: c.guard.Safe}
	c.transport = &http.Transport{
		Proxy:       nil, // never from the environment: a proxy would dial past the guard
		DialContext: c.dial,
		TLSClientConfig: &tls.Config{
			// A certificate that browsers refuse is a failed check, not a failed report: the verifier looks at it afterwards,
			// and nothing secret is ever sent. Old versions likewise.
			InsecureSkipVerify: true,
			MinVersion:         tls.VersionTLS10,
		},
		TLSHandshakeTimeout:    phaseTimeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxConnsPerHost:        requestsPerHost,
		MaxIdleConnsPerHost:    requestsPerHost,
		MaxIdleConns:           64,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: headerSlack * c.maxHeader,
	}
	c.fresh = c.transport.Clone()
	c.fresh.DisableKeepAlives = true
	c.posting, c.postLimit = c.newPosting(o), postTimeout
	return c
}

// Close gives up the connections that wait for another request. The client can still be used.
func (c *Client) Close() {
	c.transport.CloseIdleConnections()
	c.fresh.CloseIdleConnections()
	c.posting.CloseIdleConnections()
}

// Request is what to ask for, and how.
type Request struct {
	Method    string      // as net/http has it: "" is GET
	URL       *weburl.URL // without its fragment
	Accept    string      // the header of that name; "" for none
	UserAgent string      // the header of that name; "" for the client's own
	Header    http.Header // further headers; they are sent to the origin of URL alone, whatever it redirects to
	Body      []byte      // nil for none; a request that has one follows no redirects
	Redirects int         // how many are followed, more are a Failure; negative: none is, and a redirect is a response like others
	Fresh     bool        // over a connection of its own, after a lookup of its own, so that its timings compare with others'
	Behind    bool        // nobody waits for it: what somebody waits for goes first to the host
	// Await calls take, which waits for the turn of this request among those to its host, and returns its error. It is for those whose
	// time stands still meanwhile. nil: take is called with the context of the request.
	Await func(take func(context.Context) error) error
}

// Open makes a request and follows its redirects until there is a response. Of all requests to a host only so many are under way at once
// (requestsPerHost); the turn of this one ends when the exchange is closed. The context must live until then.
func (c *Client) Open(ctx context.Context, r Request) (*Exchange, *Failure) {
	var redirects, cookies []string
	u := r.URL.WithoutFragment()
	seen := map[string]bool{u.String(): true}
	for {
		e, failure := c.askInTurn(ctx, r, u)
		if failure != nil {
			return nil, failure
		}
		target, failure := e.Target()
		if r.Redirects < 0 || r.Body != nil || failure == nil && target == nil {
			e.Redirects, e.EarlierCookies = redirects, cookies
			return e, nil
		}
		e.Discard()
		e.Close()
		if failure != nil {
			return nil, failure
		}
		redirects = append(redirects, u.String())
		cookies = append(cookies, e.Header.Values("Set-Cookie")...)
		if seen[target.String()] {
			return nil, NewFailure(CodeRedirectLoop, "The redirects lead in a circle: "+target.String()+" comes twice.")
		}
		if len(redirects) > r.Redirects {
			return nil, tooManyRedirects(r.Redirects)
		}
		seen[target.String()] = true
		u = target
	}
}

// enter waits for the turn of a request to a host. Of those that nobody waits for, no more come to the gate than it lets in: one that somebody
// waits for has no more than those before it, however many others there are.
func (c *Client) enter(ctx context.Context, host string, behind bool) (leave func(), err error) {
	if !behind {
		return c.gate.enter(ctx, host)
	}
	leaveQueue, err := c.behind.enter(ctx, host)
	if err != nil {
		return nil, err
	}
	leaveGate, err := c.gate.enter(ctx, host)
	if err != nil {
		leaveQueue()
		return nil, err
	}
	return func() {
		leaveGate()
		leaveQueue()
	}, nil
}

// askInTurn asks for u, on the way of r, as soon as its host has a place for another request.
func (c *Client) askInTurn(ctx context.Context, r Request, u *weburl.URL) (*Exchange, *Failure) {
	var leave func()
	take := func(ctx context.Context) (err error) {
		leave, err = c.enter(ctx, u.HostKey(), r.Behind)
		return err
	}
	await := r.Await
	if await == nil {
		await = func(take func(context.Context) error) error { return take(ctx) }
	}
	if await(take) != nil {
		if leave != nil {
			leave()
		}
		return nil, TimedOut()
	}
	e, failure := c.ask(ctx, r, u)
	if failure != nil {
		leave()
		return nil, failure
	}
	e.leave = leave
	return e, nil
}

// ask makes one request, without following redirects.
func (c *Client) ask(ctx context.Context, r Request, u *weburl.URL) (*Exchange, *Failure) {
	t := &trace{}
	transport := c.transport
	if r.Fresh {
		ctx, transport = withFresh(ctx), c.fresh
	}
	request := (&http.Request{
		Method: r.Method,
		URL:    u.NetURL(),
		Host:   u.Host(),
		Header: c.header(r, u),
	}).WithContext(httptrace.WithClientTrace(ctx, t.hooks()))
	if r.Body != nil {
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(r.Body)), int64(len(r.Body))
	}
	received, err := transport.RoundTrip(request)
	if err != nil {
		return nil, requestFailure(ctx, err, t)
	}
	if headerSize(received.Header) > c.maxHeader {
		received.Body.Close()
		return nil, headersTooLarge()
	}
	e := &Exchange{Raw: received.Body, response: received, trace: t, verifier: c.verifier}
	e.Response = Response{
		URL:      u,
		Status:   received.StatusCode,
		Proto:    received.Proto,
		Header:   received.Header,
		Encoding: strings.ToLower(strings.Join(received.Header.Values("Content-Encoding"), ", ")),
	}
	return e, nil
}

// header returns the headers of a request for u, on the way of r.
func (c *Client) header(r Request, u *weburl.URL) http.Header {
	h := http.Header{}
	if r.Header != nil && u.SameOrigin(r.URL) {
		h = r.Header.Clone()
	}
	h.Set("User-Agent", cmp.Or(r.UserAgent, c.userAgent))
	h.Set("Accept-Encoding", acceptEncoding)
	if r.Accept != "" {
		h.Set("Accept", r.Accept)
	}
	return h
}

// freshKey marks the context of a request that looks its host up anew.
type freshKey struct{}

func withFresh(ctx context.Context) context.Context { return context.WithValue(ctx, freshKey{}, true) }

func isFresh(ctx context.Context) bool { return ctx.Value(freshKey{}) != nil }

// headerSize returns how many bytes headers take in HTTP/1.
func headerSize(h http.Header) int64 {
	size := 0
	for name, values := range h {
		for _, value := range values {
			size += len(name) + len(": ") + len(value) + len("\r\n")
		}
	}
	return int64(size)
}

// Target returns where a response redirects to, without a fragment; nil when it is no redirect. The failure says that no request can be
// made there.
func (e *Exchange) Target() (*weburl.URL, *Failure) {
	location := e.Header.Get("Location")
	if location == "" || !isRedirect(e.Status) {
		return nil, nil
	}
	target := weburl.Resolve(e.URL, location)
	if target == nil || target.Check() != nil {
		return nil, NewFailure(CodeUnreachable, "The address redirects to something that is not an http or https address.")
	}
	return target.WithoutFragment(), nil
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}
