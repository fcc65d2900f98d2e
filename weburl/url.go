// Package weburl is the one place that reads URLs: what people and clients type, and what pages refer to. A URL is parsed once, as
// browsers do it (WHATWG URL), and then carried; whoever holds one has it normalised.
package weburl

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
	"golang.org/x/net/publicsuffix"
)

// URL is a parsed and normalised URL. It never changes and may be shared between goroutines. It comes from Parse, Resolve or
// Restore; a nil *URL is no URL.
type URL struct {
	scheme   string
	opaque   string // what follows the scheme of a URL that is not http or https; the parts below are empty then
	user     string // "name" or "name:password", escaped
	host     string // with the port where it is not the scheme's
	path     string // escaped, begins with "/"
	query    string // escaped, without the "?"
	hasQuery bool   // there is a "?", though nothing may follow it
	fragment string // escaped, without the "#"
}

// String returns the URL as it is written, with its fragment.
func (u *URL) String() string {
	var at, mark, hash string
	if !u.IsWeb() {
		return u.scheme + ":" + u.opaque
	}
	if u.user != "" {
		at = "@"
	}
	if u.hasQuery {
		mark = "?"
	}
	if u.fragment != "" {
		hash = "#"
	}
	return u.scheme + "://" + u.user + at + u.host + u.path + mark + u.query + hash + u.fragment
}

// Scheme returns the scheme in lower case, such as "https" or "mailto".
func (u *URL) Scheme() string { return u.scheme }

// Opaque returns what follows the scheme of a URL that is not http or https, unread; "" for the others.
func (u *URL) Opaque() string { return u.opaque }

// Host returns the host in ASCII and lower case, with the port where it is not the scheme's: "example.com:8080", "[::1]". It is "" for
// a URL that is not http or https.
func (u *URL) Host() string { return u.host }

// Hostname returns the host without port and brackets: "example.com", "::1".
func (u *URL) Hostname() string {
	name, _ := u.split()
	return strings.TrimSuffix(strings.TrimPrefix(name, "["), "]")
}

// Port returns the port, "" where it is the scheme's.
func (u *URL) Port() string {
	_, port := u.split()
	return port
}

// split returns the host without its port, brackets kept, and the port.
func (u *URL) split() (name, port string) {
	colon := strings.LastIndexByte(u.host, ':')
	if colon < 0 || strings.HasSuffix(u.host, "]") {
		return u.host, ""
	}
	return u.host[:colon], u.host[colon+1:]
}

// IP returns the IP address that the host is, and false where the host is a name.
func (u *URL) IP() (netip.Addr, bool) {
	ip, err := netip.ParseAddr(u.Hostname())
	return ip, err == nil
}

// Path returns the path as it is written, escaped; it begins with "/".
func (u *URL) Path() string { return u.path }

// DecodedPath returns the path for people, without escapes. A path whose escapes are wrong stays as it is.
func (u *URL) DecodedPath() string {
	if path, err := url.PathUnescape(u.path); err == nil {
		return path
	}
	return u.path
}

// Query returns the query as it is written, escaped, without the "?"; "" where there is none.
func (u *URL) Query() string { return u.query }

// Target returns what a request names: path and query, as they are written.
func (u *URL) Target() string {
	if !u.hasQuery {
		return u.path
	}
	return u.path + "?" + u.query
}

// Fragment returns the fragment as it is written, escaped, without the "#"; "" where there is none.
func (u *URL) Fragment() string { return u.fragment }

// Origin returns scheme and host, such as "https://example.com:8443".
func (u *URL) Origin() string { return u.scheme + "://" + u.host }

// Site returns the host as people name a site: in Unicode, without a leading "www.", with the port where it is not the scheme's.
func (u *URL) Site() string {
	name, port := u.split()
	name = withoutWWW(name)
	if unicode, err := idna.Display.ToUnicode(name); err == nil {
		name = unicode
	}
	if port == "" {
		return name
	}
	return name + ":" + port
}

// HostKey returns what requests and audits of one host are counted by: the host with its port and without a leading "www.".
func (u *URL) HostKey() string { return withoutWWW(u.host) }

// withoutWWW returns a host without a leading "www.", if anything is left then.
func withoutWWW(host string) string {
	if bare := strings.TrimPrefix(host, "www."); bare != "" {
		return bare
	}
	return host
}

// Domain returns the registrable domain of the host, such as example.co.uk, or the host itself where there is none.
func (u *URL) Domain() string {
	name := u.Hostname()
	if domain, err := publicsuffix.EffectiveTLDPlusOne(name); err == nil {
		return domain
	}
	return name
}

// IsWeb reports whether the scheme is http or https. It is not of nil.
func (u *URL) IsWeb() bool { return u != nil && (u.scheme == "https" || u.scheme == "http") }

// IsInsecure reports whether what is asked for at the URL travels in the clear: plain http, but not to the machine itself.
func (u *URL) IsInsecure() bool { return u.scheme == "http" && !u.IsLoopback() }

// IsLoopback reports whether the host is the machine's own, where browsers trust plain http.
func (u *URL) IsLoopback() bool {
	name := strings.TrimSuffix(u.Hostname(), ".")
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}

// SameOrigin reports whether two URLs have scheme, host and port in common.
func (u *URL) SameOrigin(other *URL) bool { return u.scheme == other.scheme && u.host == other.host }

// SamePage reports whether two URLs lead to the same page: they differ at most in the fragment, and in which characters of the path
// are escaped.
func (u *URL) SamePage(other *URL) bool {
	return u.SameOrigin(other) && u.query == other.query && u.opaque == other.opaque &&
		(u.path == other.path || u.DecodedPath() == other.DecodedPath())
}

// WithoutFragment returns the URL as a request names it.
func (u *URL) WithoutFragment() *URL {
	if u.fragment == "" {
		return u
	}
	bare := *u
	bare.fragment = ""
	return &bare
}

// WithPath returns the URL of another path on the same origin. The path begins with "/", needs no escaping and has no query.
func (u *URL) WithPath(path string) *URL {
	return &URL{scheme: u.scheme, host: u.host, path: path}
}

// WithHost returns the same place at another scheme and host. Both are normalised already.
func (u *URL) WithHost(scheme, host string) *URL {
	other := *u
	other.scheme, other.host = scheme, host
	return &other
}

// NetURL returns the URL for net/http.
func (u *URL) NetURL() *url.URL {
	return &url.URL{
		Scheme: u.scheme, Host: u.host, Path: u.DecodedPath(), RawPath: u.path,
		RawQuery: u.query, ForceQuery: u.hasQuery && u.query == "",
	}
}

// Restore returns the URL that String wrote as s. It takes s apart and checks nothing, so that a million of them cost little: of what
// String did not write comes a URL that means nothing.
func Restore(s string) *URL {
	u := &URL{}
	u.scheme, s, _ = strings.Cut(s, ":")
	if !u.IsWeb() {
		u.opaque = s
		return u
	}
	rest, fragment, _ := strings.Cut(strings.TrimPrefix(s, "//"), "#")
	u.fragment = fragment
	rest, u.query, u.hasQuery = strings.Cut(rest, "?")
	u.host, u.path, _ = strings.Cut(rest, "/")
	u.path = "/" + u.path
	if at := strings.LastIndexByte(u.host, '@'); at >= 0 {
		u.user, u.host = u.host[:at], u.host[at+1:]
	}
	return u
}
