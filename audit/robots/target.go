package robots

import "strings"

// newTarget returns the path and query of a URL. "*" and "$" mean nothing there: they are encoded, as a pattern has to write them.
func newTarget(raw string) target { return newSpellings(literals.Replace(normalize(raw))) }

var literals = strings.NewReplacer("*", "%2A", "$", "%24")

// newPattern returns a pattern. Its "$" means something at the end alone.
func newPattern(raw string) target {
	pattern, anchored := strings.CutSuffix(normalize(raw), "$")
	pattern = strings.ReplaceAll(pattern, "$", "%24")
	if anchored {
		pattern += "$"
	}
	return newSpellings(pattern)
}

func newSpellings(plain string) target { return target{plain, decodeReservedQuery(plain)} }

// normalize makes equal what RFC 9309 section 2.2.2 calls equal: octets that no URL may have (RFC 3986 section 2) are percent-encoded,
// encoded unreserved characters (section 2.3) are decoded, and the other encodings have their digits in upper case.
func normalize(raw string) string {
	if !strings.ContainsFunc(raw, func(c rune) bool { return c == '%' || c >= 0x80 || isEncodedInURLs(byte(c)) }) {
		return raw
	}
	var b strings.Builder
	b.Grow(len(raw))
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if isEncodedInURLs(c) {
			writePercent(&b, c)
			continue
		}
		octet, ok := percentOctet(raw, i)
		switch {
		case !ok:
			b.WriteByte(c)
			continue
		case isUnreserved(octet):
			b.WriteByte(octet)
		default:
			writePercent(&b, octet)
		}
		i += 2
	}
	return b.String()
}

// isEncodedInURLs reports whether URLs have an octet only in its encoding.
func isEncodedInURLs(c byte) bool {
	return c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0
}

// decodeReservedQuery decodes, after the first "?", the reserved characters that need no encoding there. The table of RFC
// 9309 section 2.2.2 has ?baz=https://foo.bar match ?baz=https%3A%2F%2Ffoo.bar.
func decodeReservedQuery(path string) string {
	head, query, ok := strings.Cut(path, "?")
	if !ok || !strings.Contains(query, "%") {
		return path
	}
	return head + "?" + reservedInQuery.Replace(query)
}

var reservedInQuery = strings.NewReplacer("%3A", ":", "%2F", "/", "%3F", "?", "%40", "@", "%5B", "[", "%5D", "]",
	"%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2C", ",", "%3B", ";")

// percentOctet returns the octet that s has percent-encoded at i.
func percentOctet(s string, i int) (byte, bool) {
	if s[i] != '%' || i+2 >= len(s) {
		return 0, false
	}
	high, ok := hexDigit(s[i+1])
	low, ok2 := hexDigit(s[i+2])
	return high<<4 | low, ok && ok2
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}

func writePercent(b *strings.Builder, octet byte) {
	const digits = "0123456789ABCDEF"
	b.WriteByte('%')
	b.WriteByte(digits[octet>>4])
	b.WriteByte(digits[octet&15])
}

func isUnreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}
