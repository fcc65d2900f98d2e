package httpx

import (
	"crypto/rand"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Origins finds out where requests came from. The zero value believes nothing but the connection.
type Origins struct {
	// BaseURL is what links to this server begin with, such as https://seo.example.com, without a slash at its end; "": the scheme and host
	// of each request.
	BaseURL string
	// TrustedProxies are the networks whose forwarded headers and request ids are believed; none.
	TrustedProxies []netip.Prefix
	// ForwardedHeaders are the headers that the trusted proxies set: some of XForwarded, or Forwarded alone. A header that is not among them
	// does not count, since a proxy that does not know it hands on whatever a client made up. nil: XForwarded.
	ForwardedHeaders []string
}

// Origin is where a request came from.
type Origin struct {
	// ID is what the log calls the request, and X-Request-Id in the response: what a trusted proxy calls it, else 128 random bits.
	ID string
	// Base is what links to this server begin with: the scheme and host that the client asked for, unless they are configured.
	Base string
	// Client is the IP address of the client; invalid when unknown.
	Client netip.Addr
}

// Of returns the origin of a request.
func (o Origins) Of(r *http.Request) Origin {
	from := hop{scheme: "http", host: ownHost(r), client: peer(r)}
	if r.TLS != nil {
		from.scheme = "https"
	}
	id := ""
	if o.trusts(from.client) {
		from = from.through(o.outermost(o.hops(r.Header)))
		id = r.Header.Get("X-Request-Id")
	}
	if !isRequestID(id) {
		id = newRequestID()
	}
	base := o.BaseURL
	if base == "" {
		base = from.scheme + "://" + from.host
	}
	return Origin{ID: id, Base: base, Client: from.client}
}

// newRequestID returns 128 random bits.
func newRequestID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails (crypto/rand)
	return hex.EncodeToString(id[:])
}

// ownHost returns the Host of a request, or the listener's address where it has none (HTTP/1.0).
func ownHost(r *http.Request) string {
	if isHost(r.Host) {
		return r.Host
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return local.String()
	}
	return "localhost"
}

func peer(r *http.Request) netip.Addr {
	address, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return address.Addr().Unmap()
}

func (o Origins) trusts(address netip.Addr) bool {
	for _, network := range o.TrustedProxies {
		if network.Contains(address) {
			return true
		}
	}
	return false
}

// isHost reports whether a text may stand in a URL as its host, with or without a port.
func isHost(s string) bool {
	return s != "" && len(s) <= 255 && strings.Trim(s, hostCharacters) == ""
}

const hostCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]"

// isRequestID reports whether a text is fit for the log and for a header.
func isRequestID(s string) bool {
	return s != "" && len(s) <= 128 && strings.Trim(s, hostCharacters+"+/=") == ""
}
