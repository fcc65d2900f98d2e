package weburl

import (
	"net/url"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// maxReference is how many bytes of a reference are looked at. Longer ones are not links to follow, and resolving a page
// full of them would cost more than the page.
const maxReference = 8192

// Resolve returns the URL that a reference in a page leads to, as browsers find it (WHATWG URL): nil when it is unreadable, over
// maxReference bytes, or relative to no base. A URL that is not http or https has its scheme, the rest unread in Opaque. The base
// may be nil. The fragment stays.
func Resolve(base *URL, reference string) *URL {
	reference = strings.Trim(reference, spaceAndControl)
	if scheme, rest, ok := otherScheme(reference); ok {
		return &URL{scheme: scheme, opaque: rest}
	}
	if len(reference) > maxReference {
		return nil
	}
	if r, ok := readPlain(reference); ok {
		return r.resolve(base)
	}
	return resolveLikeBrowser(base, reference)
}

// spaceAndControl is what browsers take away from both ends.
const spaceAndControl = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

// otherScheme splits a reference that has a scheme other than http and https. Tabs and line breaks in the scheme count for
// nothing, as in "java\nscript:".
func otherScheme(reference string) (scheme, rest string, ok bool) {
	end := strings.IndexAny(reference, ":/?#")
	if end <= 0 || reference[end] != ':' {
		return "", "", false
	}
	scheme = withoutBreaks.Replace(reference[:end])
	if scheme == "" || scheme[0] < 'A' || strings.ContainsFunc(scheme, isNotInScheme) {
		return "", "", false
	}
	scheme = strings.ToLower(scheme)
	return scheme, reference[end+1:], scheme != "http" && scheme != "https"
}

var withoutBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

func isNotInScheme(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '+' && r != '-' && r != '.'
}

// resolveLikeBrowser follows the standard to the letter, which is slow.
func resolveLikeBrowser(base *URL, reference string) *URL {
	var found *whatwg.Url
	var err error
	if base == nil {
		found, err = whatwg.Parse(reference)
	} else {
		found, err = whatwg.ParseRef(base.String(), reference)
	}
	if err != nil {
		return nil
	}
	u, err := url.Parse(forNetURL(found.Href(false)))
	if err != nil {
		return nil
	}
	return fromNetURL(u)
}

// fromNetURL returns the URL with the parts that net/url writes.
func fromNetURL(u *url.URL) *URL {
	return &URL{
		scheme: u.Scheme, opaque: u.Opaque, user: u.User.String(), host: u.Host, path: u.EscapedPath(),
		query: u.RawQuery, hasQuery: u.RawQuery != "" || u.ForceQuery, fragment: u.EscapedFragment(),
	}
}

// forNetURL escapes the percent signs that begin no escape. The standard leaves them alone; net/url does so only in a query.
func forNetURL(address string) string {
	if !strings.Contains(address, "%") {
		return address
	}
	address, fragment, hasFragment := strings.Cut(address, "#")
	path, query, hasQuery := strings.Cut(address, "?")
	address = escapeLonePercents(path)
	if hasQuery {
		address += "?" + query
	}
	if hasFragment {
		address += "#" + escapeLonePercents(fragment)
	}
	return address
}

// escapeLonePercents writes %25 for each percent sign without two hexadecimal digits after it.
func escapeLonePercents(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		b.WriteByte(s[i])
		if s[i] == '%' && !isEscape(s, i) {
			b.WriteString("25")
		}
	}
	return b.String()
}

// isEscape reports whether s has a percent sign and two hexadecimal digits at i.
func isEscape(s string, i int) bool {
	return i+2 < len(s) && s[i] == '%' && isHex(s[i+1]) && isHex(s[i+2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
