package page

import (
	"bytes"
	"strings"

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
	s := scanner{rest: b}
	for len(s.rest) > 0 {
		if label := s.next(); label != "" {
			return label
		}
	}
	return xmlCharset(b)
}

// scanner reads tags as the prescan does, which unlike a parser looks for tags inside scripts and titles, too.
type scanner struct {
	rest []byte
	cut  bool // the last tag has no end
}

// next skips one byte, comment or tag, and returns the encoding that it declares, or "".
func (s *scanner) next() string {
	switch b := s.rest; {
	case bytes.HasPrefix(b, []byte("<!--")):
		// "<!-->" is a whole comment: the dashes that open it also close it.
		s.skipPast(2, "-->")
	case isMeta(b):
		s.rest = b[len("<meta"):]
		return s.meta()
	case len(b) > 1 && b[0] == '<' && (isLetter(b[1]) || b[1] == '/' && len(b) > 2 && isLetter(b[2])):
		s.tag()
	case bytes.HasPrefix(b, []byte("<!")), bytes.HasPrefix(b, []byte("</")), bytes.HasPrefix(b, []byte("<?")):
		s.skipPast(1, ">")
	default:
		next := bytes.IndexByte(b[1:], '<')
		if next < 0 {
			next = len(b) - 1
		}
		s.rest = b[1+next:]
	}
	return ""
}

// skipPast skips n bytes and everything up to and including end; all of the rest if there is no end.
func (s *scanner) skipPast(n int, end string) {
	at := bytes.Index(s.rest[n:], []byte(end))
	if at < 0 {
		s.rest = nil
		return
	}
	s.rest = s.rest[n+at+len(end):]
}

func isMeta(b []byte) bool {
	const open = "<meta"
	return len(b) > len(open) && strings.EqualFold(string(b[:len(open)]), open) && (isSpace(b[len(open)]) || b[len(open)] == '/')
}

// tag skips the name and the attributes of a tag.
func (s *scanner) tag() {
	for len(s.rest) > 0 && !isSpace(s.rest[0]) && s.rest[0] != '>' {
		s.rest = s.rest[1:]
	}
	for {
		if _, _, ok := s.attribute(); !ok {
			return
		}
	}
}

// meta reads the attributes of a meta element and returns the encoding that it declares, "" when it is none that browsers know.
func (s *scanner) meta() string {
	seen := map[string]bool{}
	var pragma, needPragma bool
	var label string
	for {
		name, value, ok := s.attribute()
		if !ok {
			break
		}
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
	if s.cut || needPragma && !pragma {
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

// attribute reads the next attribute of a tag, in lower case. At the end of the tag, which it skips, ok is false.
func (s *scanner) attribute() (name, value string, ok bool) {
	s.skip(func(c byte) bool { return isSpace(c) || c == '/' })
	if len(s.rest) == 0 {
		s.cut = true
		return "", "", false
	}
	if s.rest[0] == '>' {
		s.rest = s.rest[1:]
		return "", "", false
	}
	first := true // an equals sign may begin a name
	name = s.take(func(c byte) bool {
		in := first || c != '='
		first = false
		return in && !isSpace(c) && c != '/' && c != '>'
	})
	s.skip(isSpace)
	if len(s.rest) == 0 || s.rest[0] != '=' {
		return name, "", true
	}
	s.rest = s.rest[1:]
	s.skip(isSpace)
	return name, s.attributeValue(), true
}

func (s *scanner) attributeValue() string {
	if len(s.rest) == 0 {
		return ""
	}
	if quote := s.rest[0]; quote == '"' || quote == '\'' {
		s.rest = s.rest[1:]
		value := s.take(func(c byte) bool { return c != quote })
		if len(s.rest) > 0 {
			s.rest = s.rest[1:]
		}
		return value
	}
	return s.take(func(c byte) bool { return !isSpace(c) && c != '>' })
}

func (s *scanner) skip(of func(byte) bool) {
	for len(s.rest) > 0 && of(s.rest[0]) {
		s.rest = s.rest[1:]
	}
}

// take returns the bytes before the first that does not belong, in lower case.
func (s *scanner) take(belongs func(byte) bool) string {
	n := 0
	for n < len(s.rest) && belongs(s.rest[n]) {
		n++
	}
	taken := s.rest[:n]
	s.rest = s.rest[n:]
	return string(bytes.ToLower(taken))
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
