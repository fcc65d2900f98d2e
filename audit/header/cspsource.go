package header

import (
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// Sources are the values of a directive as written (CSP 3, section 2.3.1, "source lists").
type Sources []string

// Has reports whether a keyword is among the sources, such as "'unsafe-eval'".
func (s Sources) Has(keyword string) bool {
	return slices.ContainsFunc(s, func(source string) bool { return lower(source) == keyword })
}

// AllowInline reports whether scripts in the page itself run (CSP 3, section 6.7.3.2): a nonce, a hash or 'strict-dynamic' makes browsers
// ignore 'unsafe-inline'.
func (s Sources) AllowInline() bool {
	return s.Has("'unsafe-inline'") && !s.Has("'strict-dynamic'") && len(s.Nonces()) == 0 && !s.HasHash()
}

// Nonces returns the values of the nonces that are well-formed.
func (s Sources) Nonces() []string {
	var nonces []string
	for _, source := range s {
		if nonce, ok := cutKeyword(source, "nonce-"); ok {
			nonces = append(nonces, nonce)
		}
	}
	return nonces
}

// HasHash reports whether a hash is among the sources that is well-formed.
func (s Sources) HasHash() bool {
	return slices.ContainsFunc(s, func(source string) bool {
		for _, algorithm := range []string{"sha256-", "sha384-", "sha512-"} {
			if _, ok := cutKeyword(source, algorithm); ok {
				return true
			}
		}
		return false
	})
}

// cutKeyword returns what follows a prefix within single quotes, where that is a base64-value.
func cutKeyword(source, prefix string) (value string, ok bool) {
	if len(source) < len(prefix)+3 || source[0] != '\'' || source[len(source)-1] != '\'' {
		return "", false
	}
	source = source[1 : len(source)-1]
	if lower(source[:len(prefix)]) != prefix {
		return "", false
	}
	value = source[len(prefix):]
	digits := strings.TrimRight(value, "=")
	return value, digits != "" && len(value)-len(digits) <= 2 && only(digits, isBase64)
}

func isBase64(c byte) bool { return isLetter(c) || isDigit(c) || strings.IndexByte("+/-_", c) >= 0 }

// Broad returns the first source that lets in hosts of anybody, or "": a bare scheme, a host "*", or every host under a public suffix.
func (s Sources) Broad() string {
	for _, source := range s {
		if h, ok := parseHost(source); ok && h.isBroad() {
			return source
		}
	}
	return ""
}

// Plain returns the first source that names an unencrypted scheme, or "".
func (s Sources) Plain() string {
	for _, source := range s {
		if h, ok := parseHost(source); ok && (h.scheme == "http" || h.scheme == "ftp") {
			return source
		}
	}
	return ""
}

// Covers returns the first source that allows https://host/path, or "" (CSP 3, section 6.7.2.8).
func (s Sources) Covers(host, path string) string {
	for _, source := range s {
		if h, ok := parseHost(source); ok && h.covers(host, path) {
			return source
		}
	}
	return ""
}

// keywords are the words in single quotes that browsers know.
var keywords = []string{
	"'none'", "'self'", "'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", "'strict-dynamic'", "'unsafe-hashes'",
	"'report-sample'", "'unsafe-allow-redirects'", "'inline-speculation-rules'", "'trusted-types-eval'",
	"'report-sha256'", "'report-sha384'", "'report-sha512'",
}

// Misread returns the first source that browsers do not understand as it was meant, or "": a keyword that they do not know, one without
// its quotes, a nonce or hash of a wrong form, the name of a directive, an IP address, what is no host at all.
func (s Sources) Misread() string {
	for _, source := range s {
		if !isUnderstood(source) {
			return source
		}
	}
	return ""
}

func isUnderstood(source string) bool {
	word := lower(source)
	if strings.HasPrefix(word, "'") {
		alone := Sources{source}
		return slices.Contains(keywords, word) || len(alone.Nonces()) > 0 || alone.HasHash()
	}
	quoted := "'" + word + "'"
	for _, prefix := range []string{"nonce-", "sha256-", "sha384-", "sha512-"} {
		if strings.HasPrefix(word, prefix) {
			return false
		}
	}
	h, ok := parseHost(source)
	return ok && !slices.Contains(keywords, quoted) && !IsDirective(word) && !h.isForeignAddress()
}

// hostSource is a scheme-source or host-source in lower case, its path aside.
type hostSource struct {
	scheme, port, path string
	host               string // "*" for any, "" for a scheme alone
	wildcard           bool   // every host under it
}

// parseHost reads a source that is neither a keyword nor a nonce or hash; ok is false for what is none.
func parseHost(source string) (h hostSource, ok bool) {
	if scheme, found := strings.CutSuffix(source, ":"); found {
		h.scheme = lower(scheme)
		return h, isScheme(h.scheme)
	}
	rest := source
	if scheme, after, found := strings.Cut(source, "://"); found {
		if h.scheme, rest = lower(scheme), after; !isScheme(h.scheme) {
			return h, false
		}
	}
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		h.path, _, _ = strings.Cut(rest[slash:], "?")
		rest = rest[:slash]
	}
	host, port, hasPort := strings.Cut(lower(rest), ":")
	if hasPort && port != "*" && (port == "" || !only(port, isDigit)) {
		return h, false
	}
	h.host, h.port = host, port
	if host == "*" {
		return h, true
	}
	h.host, h.wildcard = strings.CutPrefix(host, "*.")
	h.host = strings.TrimSuffix(h.host, ".")
	for label := range strings.SplitSeq(h.host, ".") {
		if label == "" || !only(label, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '-' || c == '_' }) {
			return h, false
		}
	}
	return h, true
}

func isScheme(s string) bool {
	return s != "" && isLetter(s[0]) && only(s, func(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '-' || c == '.' })
}

func (h hostSource) isBroad() bool {
	switch h.scheme {
	case "", "http", "https", "ftp":
	case "data":
		return h.host == ""
	default:
		return false
	}
	if h.host == "" || h.host == "*" {
		return true
	}
	suffix, listed := publicsuffix.PublicSuffix(h.host)
	return h.wildcard && suffix == h.host && (listed || strings.Contains(suffix, "."))
}

func (h hostSource) covers(host, path string) bool {
	if h.scheme != "" && h.scheme != "http" && h.scheme != "https" || h.port != "" && h.port != "*" && h.port != "80" && h.port != "443" {
		return false
	}
	switch {
	case h.wildcard && !strings.HasSuffix(host, "."+h.host), !h.wildcard && h.host != host:
		return false
	case h.path == "":
		return true
	case strings.HasSuffix(h.path, "/"):
		return strings.HasPrefix(path, h.path)
	}
	return path == h.path
}

// isForeignAddress reports whether the host is an IP address, which CSP lets browsers ignore, but for 127.0.0.1.
func (h hostSource) isForeignAddress() bool {
	address, err := netip.ParseAddr(h.host)
	return err == nil && address != netip.AddrFrom4([4]byte{127, 0, 0, 1})
}
