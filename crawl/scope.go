package crawl

import (
	"slices"
	"strings"

	"sitegrade/weburl"
)

// scope is which addresses a crawl may ask for.
type scope struct {
	host             string // as weburl.URL.HostKey
	include, exclude []string
}

// holds reports whether a URL belongs to the site: to its host with or without "www.", by http or https.
func (s scope) holds(u *weburl.URL) bool { return u.IsWeb() && u.HostKey() == s.host }

// wants reports whether the patterns let an address be asked for.
func (s scope) wants(u *weburl.URL) bool {
	if matchesAny(s.exclude, u) {
		return false
	}
	return len(s.include) == 0 || matchesAny(s.include, u)
}

func matchesAny(patterns []string, u *weburl.URL) bool {
	return slices.ContainsFunc(patterns, u.Matches)
}

// keyOf returns what tells addresses apart: the URL as it is written, with escapes that need not be there undone and the others in upper
// case, since both spellings name one resource (RFC 3986, section 6.2.2).
func keyOf(address string) string {
	if !strings.Contains(address, "%") {
		return address
	}
	var b strings.Builder
	for i := 0; i < len(address); i++ {
		if address[i] != '%' || i+2 >= len(address) || !isHex(address[i+1]) || !isHex(address[i+2]) {
			b.WriteByte(address[i])
			continue
		}
		if c := valueOf(address[i+1])<<4 | valueOf(address[i+2]); isUnreserved(c) {
			b.WriteByte(c)
		} else {
			b.WriteString(strings.ToUpper(address[i : i+3]))
		}
		i += 2
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

func valueOf(hex byte) byte {
	if hex <= '9' {
		return hex - '0'
	}
	return hex | 0x20 - 'a' + 10
}

func isUnreserved(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c == '-' || c == '.' || c == '_' || c == '~'
}
