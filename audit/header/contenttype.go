package header

import (
	"net/http"
	"strings"
)

// MIMEType returns the type of a response without its parameters, in lower case, as ContentType reads it.
func MIMEType(h http.Header) string {
	essence, _ := ContentType(h.Values("Content-Type"))
	return essence
}

// ContentType returns the type that the lines of Content-Type name, in lower case and without its parameters, and the charset as written
// (Fetch, "extract a MIME type"); "" for what is missing or cannot be read. The last type that can be read counts, with the charset of
// equal ones before it where it has none.
func ContentType(lines []string) (essence, charset string) {
	t := extractMIMEType(lines)
	return t.essence, t.charset
}

// mimeType is a type with the one parameter that matters.
type mimeType struct{ essence, charset string }

func extractMIMEType(lines []string) mimeType {
	var found mimeType
	carried := "" // the charset of the first of equal types
	for _, value := range split(lines) {
		t := parseMIMEType(value)
		switch {
		case t.essence == "" || t.essence == "*/*":
			continue
		case t.essence != found.essence:
			carried = t.charset
		case t.charset == "":
			t.charset = carried
		}
		found = t
	}
	return found
}

// parseMIMEType reads one type (MIME Sniffing, "parse a MIME type"). Parameters that cannot be read are passed over.
func parseMIMEType(s string) mimeType {
	s = strings.Trim(s, httpSpace)
	essence, rest, _ := strings.Cut(s, ";")
	essence = lower(strings.TrimRight(essence, httpSpace))
	kind, subtype, _ := strings.Cut(essence, "/")
	if !isToken(kind) || !isToken(subtype) {
		return mimeType{}
	}
	t := mimeType{essence: essence}
	for rest != "" {
		var name, value string
		var ok bool
		if name, value, ok, rest = mimeParameter(rest); ok && name == "charset" {
			t.charset = value
			return t // of two the first counts
		}
	}
	return t
}

// httpSpace is the white space of types.
const httpSpace = " \t\n\r"

// mimeParameter reads the parameter at the start, and returns what comes after its semicolon.
func mimeParameter(s string) (name, value string, ok bool, rest string) {
	s = strings.TrimLeft(s, httpSpace)
	end := strings.IndexAny(s, ";=")
	if end < 0 {
		return "", "", false, ""
	}
	name, rest = lower(s[:end]), s[end+1:]
	if s[end] == ';' {
		return "", "", false, rest
	}
	if strings.HasPrefix(rest, `"`) {
		end := quotedEnd(rest, 0)
		value, ok = unquote(rest[:end]), true
		_, rest, _ = strings.Cut(rest[end:], ";")
	} else {
		value, rest, _ = strings.Cut(rest, ";")
		value = strings.TrimRight(value, httpSpace)
		ok = value != ""
	}
	return name, value, ok && isToken(name) && only(value, isQuotableByte), rest
}

// unquote returns what a quoted string holds, also one without its end.
func unquote(s string) string {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		if s[i] == '"' {
			break
		}
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// isQuotableByte reports whether a byte may stand in a quoted string; those beyond ASCII are bytes of other encodings.
func isQuotableByte(c byte) bool { return c == '\t' || c >= ' ' && c != 0x7F }
