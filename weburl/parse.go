package weburl

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// MaxLength is how many bytes a normalised URL may have.
const MaxLength = 2048

// Limits of a host name (RFC 1035 section 2.3.4).
const (
	maxHost  = 253
	maxLabel = 63
)

// Parse returns the URL of a page as browsers would write it (WHATWG URL): scheme and host in lower case, an international host
// in its ASCII form, numbers that mean an IPv4 address as one, the default port and the fragment left out, a path that is at
// least "/". The error is one sentence that says what would be right: the URL must be absolute, http or https, at most MaxLength
// bytes, without user information and control characters, with a real host.
func Parse(s string) (*URL, error) {
	s, _, _ = strings.Cut(strings.Trim(s, " \t\r\n"), "#")
	if err := checkText(s); err != nil {
		return nil, err
	}
	authority, err := authorityOf(s)
	if err != nil {
		return nil, err
	}
	if strings.Contains(authority, "@") {
		return nil, errUser
	}
	u := Resolve(nil, s)
	if u == nil {
		return nil, errHost
	}
	if err := u.Check(); err != nil {
		return nil, err
	}
	return u, nil
}

// The texts are sentences because the API shows them as they are.
var (
	errHost   = parseError("The address must name a real host, such as example.com or 192.0.2.1.")
	errUser   = parseError("The address must not hold a user name or password.")
	errLength = parseError("The address must be at most 2,048 bytes long.")
)

// parseError is why a URL was refused: one sentence for people.
type parseError string

func (e parseError) Error() string { return string(e) }

// checkText refuses what no URL can hold, before anything looks at its parts.
func checkText(s string) error {
	switch {
	case s == "":
		return parseError("The address must not be empty.")
	case len(s) > MaxLength:
		return errLength
	case !utf8.ValidString(s):
		return parseError("The address must be valid UTF-8.")
	case strings.ContainsFunc(s, isControl):
		return parseError("The address must not hold control characters.")
	}
	return nil
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// authorityOf returns what stands between "//" and the path. Browsers also read "http:host" and "http:///host"; whoever
// sends these to an API made a mistake.
func authorityOf(s string) (string, error) {
	scheme, rest, found := strings.Cut(s, "://")
	if !found || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", parseError("The address must be absolute and start with http:// or https://.")
	}
	if end := strings.IndexAny(rest, `/?\`); end >= 0 {
		rest = rest[:end]
	}
	if rest == "" {
		return "", errHost
	}
	return rest, nil
}

// Check says why a URL cannot be requested; nil when it can. The error is a sentence as that of Parse.
func (u *URL) Check() error {
	switch {
	case !u.IsWeb():
		return parseError("The address must start with http:// or https://.")
	case u.user != "":
		return errUser
	case len(u.String()) > MaxLength:
		return errLength
	case u.Port() == "0":
		return parseError("The port of the address must be from 1 to 65535.")
	case !isHost(u.Hostname()):
		return errHost
	}
	return nil
}

// isHost reports whether a normalised host is an IP address or a name that can be looked up: labels of letters, digits, hyphens and
// underscores, with at most one dot at the end.
func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > maxHost {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > maxLabel || strings.ContainsFunc(label, isNotInLabel) {
			return false
		}
	}
	return true
}

func isNotInLabel(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
