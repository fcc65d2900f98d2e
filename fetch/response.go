package fetch

import (
	"crypto/x509"
	"net/http"
	"time"

	"sitegrade/weburl"
)

// Response is one HTTP response, its body decoded.
type Response struct {
	URL      *weburl.URL
	Status   int
	Proto    string // "HTTP/1.1", "HTTP/2.0"
	Header   http.Header
	Encoding string // Content-Encoding as sent, lower case; "" for none
	Body     []byte // decoded
	Size     int64  // decoded bytes
	Wire     int64  // bytes of the body as they came
	TLS      *TLS   // nil without TLS
}

// TLS is what the handshake told. The connection is made even with a certificate that browsers refuse: that is a failed
// check of a report, not a failed report.
type TLS struct {
	Version  uint16    // as crypto/tls numbers them
	Problem  string    // why browsers would refuse the certificate; "" if they would not
	NotAfter time.Time // of the leaf
	Leaf     *x509.Certificate
}

// Result is what came of a request: a response, or why there is none.
type Result struct {
	Response
	Redirects []string // every URL on the way, without the final one
	// EarlierCookies are the lines of Set-Cookie that came with redirects.
	EarlierCookies []string
	Failure        *Failure // when not nil, only the URL of the response means anything
}

// Failed returns what came of a request for u that failed.
func Failed(u *weburl.URL, failure *Failure) Result {
	return Result{Response: Response{URL: u}, Failure: failure}
}
