package audit

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// MaxAddress is how many bytes a normalised address may have.
const MaxAddress = 2048

// Limits of a host name (RFC 1035 section 2.3.4).
const (
	maxHost  = 253
	maxLabel = 63
)

// ParseAddress returns the address of a page as browsers would write it (WHATWG URL): scheme and host in lower case, an
// international host in its ASCII form, numbers that mean an IPv4 address as one, the default port and the fragment left out, a
// path that is at least "/". The error is one sentence that says what would be right: the address must be absolute, http or
// https, at most MaxAddress bytes, without user information and control characters, with a real host.
func ParseAddress(s string) (string, error) {
	u, err := parseAddress(s)
	if err != nil {
		return "", err
	}
	return u.String(), nil
}

// parseAddress is ParseAddress for those who go on with the parts.
func parseAddress(s string) (*url.URL, error) {
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
	u := resolve(nil, s)
	if u == nil {
		return nil, errHost
	}
	return u, checkTarget(u)
}

// The texts are sentences because the API shows them as they are.
var (
	errHost   = addressError("The address must name a real host, such as example.com or 192.0.2.1.")
	errUser   = addressError("The address must not hold a user name or password.")
	errLength = addressError("The address must be at most 2,048 bytes long.")
)

// addressError is why an address was refused: one sentence for people.
type addressError string

func (e addressError) Error() string { return string(e) }

// checkText refuses what no address can hold, before anything looks at its parts.
func checkText(s string) error {
	switch {
	case s == "":
		return addressError("The address must not be empty.")
	case len(s) > MaxAddress:
		return errLength
	case !utf8.ValidString(s):
		return addressError("The address must be valid UTF-8.")
	case strings.ContainsFunc(s, isControl):
		return addressError("The address must not hold control characters.")
	}
	return nil
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// authorityOf returns what stands between "//" and the path. Browsers also read "http:host" and "http:///host"; whoever
// sends these to an API made a mistake.
func authorityOf(s string) (string, error) {
	scheme, rest, found := strings.Cut(s, "://")
	if !found || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", addressError("The address must be absolute and start with http:// or https://.")
	}
	if end := strings.IndexAny(rest, `/?\`); end >= 0 {
		rest = rest[:end]
	}
	if rest == "" {
		return "", errHost
	}
	return rest, nil
}

// checkTarget says what is wrong with a normalised address that shall be requested.
func checkTarget(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return addressError("The address must start with http:// or https://.")
	case u.User != nil:
		return errUser
	case len(u.String()) > MaxAddress:
		return errLength
	case u.Port() == "0":
		return addressError("The port of the address must be from 1 to 65535.")
	case !isHost(u.Hostname()):
		return errHost
	}
	return nil
}

// isHost reports whether a normalised host is an address or a name that can be looked up: labels of letters, digits, hyphens and
// underscores, with at most one dot at the end.
func isHost(host string) bool {
	if isAddress(host) {
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

// isAddress reports whether a host is an IP address.
func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}

func isNotInLabel(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

// HostName returns the host of a normalised address for people: in Unicode, without a leading "www.", with the port where it is
// not the scheme's. It is "" for what ParseAddress would not give.
func HostName(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(u.Host, "["+u.Hostname()+"]"), ":")
	name := strings.TrimSuffix(u.Host, ":"+port)
	if bare := strings.TrimPrefix(name, "www."); bare != "" {
		name = bare
	}
	if unicode, err := idna.Display.ToUnicode(name); err == nil {
		name = unicode
	}
	if port == "" {
		return name
	}
	return name + ":" + port
}
