package fetch

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"sitegrade/weburl"
)

// Client makes every request of the package, through one transport and one guard.
type Client struct {
	guard     *ssrf.Guardian
	dialer    *net.Dialer
	transport *http.Transport
	verifier  verifier
	userAgent string
	maxHeader int64
}

const (
	// connectionsPerHost is how many connections to a host are open at once, over all audits.
	ConnectionsPerHost = 2
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
	c.dialer = &net.Dialer{Timeout: phaseTimeout, Control: c.guard.Safe, Resolver: o.Resolver}
	c.transport = &http.Transport{
		Proxy:       nil, // never from the environment: a proxy would dial past the guard
		DialContext: c.dialer.DialContext,
		TLSClientConfig: &tls.Config{
			// A certificate that browsers refuse is a failed check, not a failed report: the verifier looks at it afterwards,
			// and nothing secret is ever sent. Old versions likewise.
			InsecureSkipVerify: true,
			MinVersion:         tls.VersionTLS10,
		},
		TLSHandshakeTimeout:    phaseTimeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true,
		MaxConnsPerHost:        ConnectionsPerHost,
		MaxIdleConnsPerHost:    ConnectionsPerHost,
		MaxIdleConns:           64,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: headerSlack * c.maxHeader,
	}
	return c
}

// Close gives up the connections that wait for another request. The client can still be used.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Request is what to ask for, and how many redirects to follow from there.
type Request struct {
	Method    string
	URL       *weburl.URL
	Accept    string
	Redirects int
}

// Open asks for an address and follows its redirects until there is an answer. The context must live until the exchange
// is closed.
func (c *Client) Open(ctx context.Context, r Request) (*Exchange, *Failure) {
	var redirects []string
	u := r.URL.WithoutFragment()
	seen := map[string]bool{u.String(): true}
	for {
		e, failure := c.ask(ctx, r.Method, u, r.Accept)
		if failure != nil {
			return nil, failure
		}
		target, failure := e.redirect()
		if failure == nil && target == nil {
			e.Redirects = redirects
			return e, nil
		}
		e.Discard()
		e.Close()
		if failure != nil {
			return nil, failure
		}
		redirects = append(redirects, u.String())
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

// ask makes one request, without following redirects.
func (c *Client) ask(ctx context.Context, method string, u *weburl.URL, accept string) (*Exchange, *Failure) {
	t := &trace{}
	request := (&http.Request{
		Method: method,
		URL:    u.NetURL(),
		Host:   u.Host(),
		Header: http.Header{
			"User-Agent":      {c.userAgent},
			"Accept":          {accept},
			"Accept-Encoding": {acceptEncoding},
		},
	}).WithContext(httptrace.WithClientTrace(ctx, t.hooks()))
	answer, err := c.transport.RoundTrip(request)
	if err != nil {
		return nil, requestFailure(ctx, err, t)
	}
	if headerSize(answer.Header) > c.maxHeader {
		answer.Body.Close()
		return nil, headersTooLarge()
	}
	e := &Exchange{Raw: answer.Body, response: answer, trace: t, verifier: c.verifier}
	e.Response = Response{
		URL:      u,
		Status:   answer.StatusCode,
		Proto:    answer.Proto,
		Header:   answer.Header,
		Encoding: strings.ToLower(strings.Join(answer.Header.Values("Content-Encoding"), ", ")),
	}
	return e, nil
}

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

// redirect returns where an answer leads, nil when it is the last one.
func (e *Exchange) redirect() (*weburl.URL, *Failure) {
	location := e.Header.Get("Location")
	if location == "" || !isRedirect(e.Status) {
		return nil, nil
	}
	target := weburl.Resolve(e.URL, location)
	if target == nil || target.Check() != nil {
		return nil, NewFailure(CodeUnreachable, "The address redirects to something that is no address of http or https.")
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
