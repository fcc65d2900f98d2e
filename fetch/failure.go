package fetch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
)

// Code names why a request failed.
type Code string

// The codes. Unreachable also stands for every address that the guard forbids: one code, so that the server cannot be
// used to look around in its own network.
const (
	CodeDNS              Code = "dns"                // no such name
	CodeTLS              Code = "tls"                // no handshake
	CodeTimeout          Code = "timeout"            // not done within the limit
	CodeTooManyRedirects Code = "too_many_redirects" // more hops than the limit
	CodeRedirectLoop     Code = "redirect_loop"      // an address came twice
	CodeTooLarge         Code = "too_large"          // body or headers over the limit
	CodeNotHTML          Code = "not_html"           // something else than a page
	CodeUnreachable      Code = "unreachable"        // refused, broken off, or forbidden
)

// Failure is why there is no response to a request, or none that is of use. Detail is one sentence for people; it never says which address
// a name resolved to.
type Failure struct {
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }

// NewFailure returns a failure.
func NewFailure(code Code, detail string) *Failure { return &Failure{Code: code, Detail: detail} }

// TimedOut returns the failure of a request whose time is over.
func TimedOut() *Failure {
	return NewFailure(CodeTimeout, "The server did not respond in time.")
}

func tooManyRedirects(limit int) *Failure {
	return NewFailure(CodeTooManyRedirects, fmt.Sprintf("The address redirects more than %d times.", limit))
}

func tooLarge(limit int64) *Failure {
	return NewFailure(CodeTooLarge, fmt.Sprintf("The page is larger than %d bytes.", limit))
}

func headersTooLarge() *Failure {
	return NewFailure(CodeTooLarge, "The headers of the response are larger than the limit.")
}

// requestFailure says why a request had no response. Everything that a forbidden address could be told by has the same text as
// a refused connection.
func requestFailure(ctx context.Context, err error, t *trace) *Failure {
	var dns *net.DNSError
	switch {
	case ctx.Err() != nil || isTimeout(err):
		return TimedOut()
	case errors.As(err, &dns):
		return NewFailure(CodeDNS, "The host name could not be found.")
	case t.handshakeFailed():
		return NewFailure(CodeTLS, "The server and Sitegrade could not agree on an encrypted connection (TLS).")
	case isHeaderOverflow(err):
		return headersTooLarge()
	case isBrokenHeader(err):
		return NewFailure(CodeNotHTML, "The response has a header with a control character or without a colon, which HTTP does not allow.")
	}
	return NewFailure(CodeUnreachable, "The server could not be reached: it refused or broke off the connection, or may not be contacted.")
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// isHeaderOverflow knows the transport's errors by their words, for HTTP/1 and HTTP/2: they have no type or value of their own. Headers
// over headerSlack times the limit end an HTTP/2 connection with nothing but PROTOCOL_ERROR, as many other faults do.
func isHeaderOverflow(err error) bool {
	return strings.Contains(err.Error(), "server response headers exceeded") ||
		strings.Contains(err.Error(), "response header list larger than advertised limit")
}

// isBrokenHeader knows a response with a header that is none by the words of the transport, which has no type for it either.
func isBrokenHeader(err error) bool {
	return strings.Contains(err.Error(), "malformed MIME header line")
}

// BodyFailure says why a body could not be read to its end.
func BodyFailure(ctx context.Context, err error, limit int64) *Failure {
	switch {
	case errors.Is(err, ErrTooLarge):
		return tooLarge(limit)
	case ctx.Err() != nil || isTimeout(err):
		return TimedOut()
	case errors.Is(err, errNotDecoded):
		return NewFailure(CodeUnreachable, "The body of the response does not hold what its Content-Encoding says.")
	}
	return NewFailure(CodeUnreachable, "The server broke off the connection in the middle of its response.")
}
