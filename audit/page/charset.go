package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"sitegrade/audit/header"
)

// ToUTF8 returns a page in UTF-8 and the name of the encoding it came in, as browsers decide it (WHATWG HTML, "encoding sniffing
// algorithm"): a byte order mark, the charset of Content-Type, a declaration in the page, else windows-1252, or UTF-8 for XHTML.
// Bytes that are not a character in that encoding become U+FFFD. A byte order mark is removed.
func ToUTF8(body []byte, contentType string) (text []byte, name string) {
	from, name := encodingOf(body, contentType)
	if name == "utf-8" {
		body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		if utf8.Valid(body) {
			return body, name
		}
	}
	text, err := from.NewDecoder().Bytes(body)
	if err != nil { // decoders replace what they cannot read and do not fail; should one fail all the same, the bytes are kept
		return bytes.ToValidUTF8(body, []byte("\uFFFD")), name
	}
	return bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), name
}

func encodingOf(body []byte, contentType string) (encoding.Encoding, string) {
	if label := MarkedEncoding(body); label != "" {
		return charset.Lookup(label)
	}
	media, label := header.ContentType([]string{contentType})
	if e, name := charset.Lookup(label); e != nil {
		return e, name
	}
	if label := declaredCharset(body); label != "" {
		return charset.Lookup(label)
	}
	if strings.HasSuffix(media, "xml") {
		return charset.Lookup("utf-8")
	}
	return charset.Lookup("windows-1252")
}

// MarkedEncoding returns the name of the encoding whose byte order mark a page begins with, "" when it begins with none.
func MarkedEncoding(body []byte) string {
	switch {
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return "utf-8"
	case bytes.HasPrefix(body, []byte("\xfe\xff")):
		return "utf-16be"
	case bytes.HasPrefix(body, []byte("\xff\xfe")):
		return "utf-16le"
	}
	return ""
}

// CharsetOfType returns the charset parameter of a Content-Type, as written; "" when it is missing or browsers do not know it.
func CharsetOfType(contentType string) string {
	_, label := header.ContentType([]string{contentType})
	return knownCharset(label)
}

// knownCharset returns the label if browsers know an encoding of that name, else "".
func knownCharset(label string) string {
	if _, name := charset.Lookup(strings.TrimSpace(label)); name == "" {
		return ""
	}
	return label
}
