package fetch

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"time"

	"sitegrade/weburl"
)

// postTimeout is how long a Post may take in all, from the lookup to the end of the response.
const postTimeout = 15 * time.Second

// newPosting returns the transport of posts. It differs from that of audits: what is posted is meant for one receiver alone, so a
// certificate that browsers refuse ends the connection, and no receiver waits for the turn of another.
func (c *Client) newPosting(o Options) *http.Transport {
	t := c.transport.Clone()
	t.TLSClientConfig = &tls.Config{RootCAs: o.Roots, Time: c.verifier.now, MinVersion: tls.VersionTLS12}
	t.MaxConnsPerHost = 0
	return t
}

// Post sends a body to a URL, through the guard, and returns the status and the headers of the response, whose body it throws away. Redirects
// are responses like others. It takes 15 seconds at most. It asks for no turn among the requests to a host: who receives posts has asked for
// them, and must not wait for an audit. The failure never holds the URL, which may be secret.
func (c *Client) Post(ctx context.Context, u *weburl.URL, header http.Header, body []byte) (*Response, *Failure) {
	ctx, cancel := context.WithTimeout(ctx, c.postLimit)
	defer cancel()
	t := &trace{}
	request := (&http.Request{
		Method:        http.MethodPost,
		URL:           u.NetURL(),
		Host:          u.Host(),
		Header:        header.Clone(),
		Body:          io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)),
	}).WithContext(httptrace.WithClientTrace(withFresh(ctx), t.hooks()))
	request.Header.Set("User-Agent", c.userAgent)
	received, err := c.posting.RoundTrip(request)
	if err != nil {
		return nil, postFailure(ctx, err, t)
	}
	defer received.Body.Close()
	discard(received.Body, received.ContentLength)
	return &Response{URL: u, Status: received.StatusCode, Proto: received.Proto, Header: received.Header}, nil
}

// postFailure says why a post had no response. Certificates are no secret of the server's network: they are shown by whoever was allowed
// to be dialled.
func postFailure(ctx context.Context, err error, t *trace) *Failure {
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return NewFailure(CodeTLS, "The certificate of the server is not valid for this address, or no known authority has signed it.")
	}
	return requestFailure(ctx, err, t)
}
