package audit

// Code names why a page could not be audited.
type Code string

// The codes. Unreachable also stands for every address that the guard forbids: one answer, so that the server cannot be
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

// Failure is why an audit has no report. Detail is one sentence for people; it never says which address a name resolved to.
type Failure struct {
	Code   Code   `json:"code"`
	Detail string `json:"detail"`
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }
