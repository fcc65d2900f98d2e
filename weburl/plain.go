package weburl

import "strings"

// plainReference is a reference whose parts need nothing done to them: no dot segments, nothing to escape, a host of
// lower-case letters, digits, dots and hyphens without a port. Most references of most pages are; they cost a tenth of the
// others. The zero value of a part means that it is absent.
type plainReference struct {
	scheme, host, path, query, fragment string
	hasHost, hasQuery                   bool
}

// readPlain splits a reference, or says that it is not plain.
func readPlain(s string) (plainReference, bool) {
	var r plainReference
	r.scheme, s = cutScheme(s)
	if strings.HasPrefix(s, "//") {
		end := strings.IndexAny(s[2:], "/?#")
		if end < 0 {
			end = len(s) - 2
		}
		r.host, s, r.hasHost = s[2:2+end], s[2+end:], true
	}
	s, r.fragment, _ = strings.Cut(s, "#")
	r.path, r.query, r.hasQuery = strings.Cut(s, "?")
	if r.hasHost != isPlainHost(r.host) || r.scheme != "" && !r.hasHost {
		return r, false
	}
	return r, isPlainPath(r.path) && isPlainTail(r.query, "%/?:@!$*();,") && isPlainTail(r.fragment, "/?:@!$*();,")
}

func cutScheme(s string) (scheme, rest string) {
	for _, scheme := range [...]string{"https", "http"} {
		if len(s) > len(scheme) && s[len(scheme)] == ':' && s[:len(scheme)] == scheme {
			return scheme, s[len(scheme)+1:]
		}
	}
	return "", s
}

// isPlainHost leaves everything to the standard that could be a number, an international name or a mistake.
func isPlainHost(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if last == "" || last[0] < 'a' || strings.Contains(host, "xn--") {
		return false
	}
	for i := 0; i < len(host); i++ {
		c := host[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

// isPlainPath refuses everything that browsers would change in a path, and whatever may be a dot segment.
func isPlainPath(path string) bool {
	slash := false
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case isPlainByte(c) || strings.IndexByte("@!$*();,", c) >= 0:
		case c == '/':
			slash = true
		case c == ':' && slash:
		case c == '.':
			if i+1 == len(path) || path[i+1] == '.' || path[i+1] == '/' {
				return false
			}
		case c == '%':
			if !isEscape(path, i) || path[i+1] == '2' && path[i+2]|0x20 == 'e' {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isPlainTail reports whether a query or fragment has only plain bytes, dots and these.
func isPlainTail(s, others string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; !isPlainByte(c) && c != '.' && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

func isPlainByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '-' || c == '_' || c == '~' || c == '=' || c == '&' || c == '+'
}

// resolve returns the URL, or nil when a base is needed and there is none.
func (r plainReference) resolve(base *URL) *URL {
	if r.scheme != "" {
		return r.at(r.scheme, r.host, r.path)
	}
	if !base.IsWeb() {
		return nil
	}
	switch {
	case r.hasHost:
		return r.at(base.scheme, r.host, r.path)
	case r.path == "" && !r.hasQuery:
		r.query, r.hasQuery = base.query, base.hasQuery
		return r.at(base.scheme, base.host, base.path)
	case r.path == "":
		return r.at(base.scheme, base.host, base.path)
	case r.path[0] == '/':
		return r.at(base.scheme, base.host, r.path)
	}
	return r.at(base.scheme, base.host, base.path[:strings.LastIndexByte(base.path, '/')+1]+r.path)
}

// at returns the URL with this scheme, host and escaped path, and with the query and fragment of r.
func (r plainReference) at(scheme, host, path string) *URL {
	if path == "" || path[0] != '/' {
		path = "/" + path
	}
	return &URL{scheme: scheme, host: host, path: path, query: r.query, hasQuery: r.hasQuery, fragment: r.fragment}
}
