package audit

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"code.dny.dev/ssrf"

	"sitegrade/weburl"
)

// client makes every request of the package, through one transport and one guard.
type client struct {
	guard     *ssrf.Guardian
	dialer    *net.Dialer
	transport *http.Transport
	verifier  verifier
	userAgent string
	maxHeader int64
}

const (
	// connectionsPerHost is how many connections to a host are open at once, over all audits.
	connectionsPerHost = 2
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

func newClient(o Options) *client {
	c := &client{
		guard:     newGuard(o.AllowNetworks),
		verifier:  verifier{now: o.Now},
		userAgent: o.UserAgent,
		maxHeader: o.MaxHeader,
	}
	c.dialer = &net.Dialer{Timeout: phaseTimeout, Control: c.guard.Safe}
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
		MaxConnsPerHost:        connectionsPerHost,
		MaxIdleConnsPerHost:    connectionsPerHost,
		MaxIdleConns:           64,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: headerSlack * o.MaxHeader,
	}
	return c
}

// request is what to ask for, and how many redirects to follow from there.
type request struct {
	method    string
	url       *weburl.URL
	accept    string
	redirects int
}

// open asks for an address and follows its redirects until there is an answer. The context must live until the exchange
// is closed.
func (c *client) open(ctx context.Context, r request) (*exchange, *Failure) {
	var redirects []string
	u := r.url.WithoutFragment()
	seen := map[string]bool{u.String(): true}
	for {
		e, failure := c.ask(ctx, r.method, u, r.accept)
		if failure != nil {
			return nil, failure
		}
		target, failure := e.redirect()
		if failure == nil && target == nil {
			e.redirects = redirects
			return e, nil
		}
		e.discard()
		e.close()
		if failure != nil {
			return nil, failure
		}
		redirects = append(redirects, u.String())
		if seen[target.String()] {
			return nil, newFailure(CodeRedirectLoop, "The redirects lead in a circle: "+target.String()+" comes twice.")
		}
		if len(redirects) > r.redirects {
			return nil, tooManyRedirects(r.redirects)
		}
		seen[target.String()] = true
		u = target
	}
}

// ask makes one request, without following redirects.
func (c *client) ask(ctx context.Context, method string, u *weburl.URL, accept string) (*exchange, *Failure) {
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
	e := &exchange{answer: answer, trace: t}
	e.response = response{
		url:      u,
		status:   answer.StatusCode,
		proto:    answer.Proto,
		header:   answer.Header,
		encoding: strings.ToLower(strings.Join(answer.Header.Values("Content-Encoding"), ", ")),
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
func (e *exchange) redirect() (*weburl.URL, *Failure) {
	location := e.header.Get("Location")
	if location == "" || !isRedirect(e.status) {
		return nil, nil
	}
	target := weburl.Resolve(e.url, location)
	if target == nil || target.Check() != nil {
		return nil, newFailure(CodeUnreachable, "The address redirects to something that is no address of http or https.")
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
