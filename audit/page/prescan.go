package page

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

const (
	// PrescanSize is how much of a page the standard searches for the declaration of its encoding.
	PrescanSize = 1024
	// lateSize is how much of a head is searched for a declaration that comes later. Browsers start again when they find one.
	lateSize = 64 << 10
)

// declaredCharset returns the name of the encoding that a page declares in its source, "" when it declares none that browsers know
// (WHATWG HTML, "prescan a byte stream to determine its encoding").
func declaredCharset(body []byte) string {
	if label := Prescan(body); label != "" {
		return label
	}
	head := body[:min(len(body), lateSize)]
	if end := indexFold(head, "<body"); end >= 0 {
		head = head[:end]
	}
	if len(head) <= PrescanSize {
		return ""
	}
	return scanCharset(head)
}

// indexFold returns the index of the first place where b has the text lower in any case, or -1.
func indexFold(b []byte, lower string) int {
	for i := 0; i+len(lower) <= len(b); i++ {
		if b[i] == lower[0] && strings.EqualFold(string(b[i:i+len(lower)]), lower) {
			return i
		}
	}
	return -1
}

// Prescan returns the name of the encoding that the first PrescanSize bytes of a page declare, "" when they declare none that browsers
// know.
func Prescan(body []byte) string { return scanCharset(body[:min(len(body), PrescanSize)]) }

// scanCharset is prescan without a limit.
func scanCharset(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("<\x00?\x00x\x00")):
		return "utf-16le"
	case bytes.HasPrefix(b, []byte("\x00<\x00?\x00x")):
		return "utf-16be"
	}
	z := html.NewTokenizer(bytes.NewReader(b))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		z.NextIsNotRawText() // the prescan looks for tags inside scripts and titles, too
		if name, _ := z.TagName(); string(name) != "meta" {
			continue
		}
		if label := metaCharset(z); label != "" {
			return label
		}
	}
	return xmlCharset(b)
}

// metaCharset returns the encoding that the meta element before the tokenizer declares, "" when it is none that browsers know.
func metaCharset(z *html.Tokenizer) string {
	seen := map[string]bool{}
	var pragma, needPragma bool
	var label string
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		name, value := string(key), strings.ToLower(string(val))
		if seen[name] {
			continue
		}
		seen[name] = true
		switch name {
		case "http-equiv":
			pragma = value == "content-type"
		case "content":
			if found := charsetOfContent(value); found != "" && !seen["charset"] {
				label, needPragma = found, true
			}
		case "charset":
			label, needPragma = value, false
		}
	}
	if needPragma && !pragma {
		return ""
	}
	return usableLabel(label)
}

// usableLabel returns the name of the encoding that a declaration in the source stands for. As the standard has it, UTF-16 means UTF-8,
// since the declaration could be read as ASCII, and x-user-defined means windows-1252.
func usableLabel(label string) string {
	e, name := charset.Lookup(label)
	switch {
	case e == nil:
		return ""
	case strings.HasPrefix(name, "utf-16"):
		return "utf-8"
	case name == "x-user-defined":
		return "windows-1252"
	}
	return name
}

// charsetOfContent returns the label in the content of a meta element, such as "text/html; charset=utf-8" (WHATWG HTML,
// "extracting a character encoding from a meta element").
func charsetOfContent(content string) string {
	for {
		_, after, found := strings.Cut(content, "charset")
		if !found {
			return ""
		}
		content = strings.TrimLeft(after, "\t\n\f\r ")
		if value, ok := strings.CutPrefix(content, "="); ok {
			return unquoted(strings.TrimLeft(value, "\t\n\f\r "))
		}
	}
}

// unquoted returns the text in quotes or, without quotes, up to white space or a semicolon. It is "" when the closing quote is missing.
func unquoted(s string) string {
	if s == "" {
		return ""
	}
	if s[0] == '"' || s[0] == '\'' {
		value, _, closed := strings.Cut(s[1:], s[:1])
		if !closed {
			return ""
		}
		return value
	}
	if end := strings.IndexAny(s, "\t\n\f\r ;"); end >= 0 {
		return s[:end]
	}
	return s
}

// xmlCharset returns the encoding that an XML declaration at the very beginning names, "" when there is none that browsers know.
func xmlCharset(b []byte) string {
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return ""
	}
	declaration, _, closed := bytes.Cut(b, []byte(">"))
	if !closed {
		return ""
	}
	_, after, found := strings.Cut(string(declaration), "encoding")
	after = strings.TrimLeft(after, "\t\n\r ")
	if !found || !strings.HasPrefix(after, "=") {
		return ""
	}
	after = strings.TrimLeft(after[1:], "\t\n\r ")
	if after == "" || after[0] != '"' && after[0] != '\'' {
		return ""
	}
	return usableLabel(unquoted(after))
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
