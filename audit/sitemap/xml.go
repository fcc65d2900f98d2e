package sitemap

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxDepth bounds how deep elements nest. Sitemaps with images and videos need 5.
const maxDepth = 32

// roots says what the root element of a file makes it, and where its addresses stand below.
var roots = map[string]struct {
	kind Kind
	path []string
}{
	"urlset":       {URLs, []string{"url", "loc"}},
	"sitemapindex": {Index, []string{"sitemap", "loc"}},
	"rss":          {Feed, []string{"channel", "item", "link"}},
	"feed":         {Feed, []string{"entry", "link"}},
}

// xmlReader follows the elements of a sitemap.
type xmlReader struct {
	*reader
	open []xml.Name // from the root; Space is the prefix as written
	own  []string   // the prefixes of the root and of what stands for the same namespace
	path []string   // where addresses stand, below the root
	text strings.Builder
}

// readXML reads a file token by token and keeps none. Search engines take elements by their names, whatever the root's namespace is,
// if any; image:loc is another thing.
func (s *reader) readXML(r *bufio.Reader) error {
	limited := &tokenReader{r: r}
	decoder := xml.NewDecoder(limited)
	decoder.CharsetReader = s.readCharset
	x := &xmlReader{reader: s}
	for {
		limited.left = maxToken
		token, err := decoder.RawToken()
		if err == nil {
			err = x.take(token)
		}
		var syntax *xml.SyntaxError
		switch {
		case err == io.EOF:
			return x.atEnd()
		case errors.As(err, &syntax):
			return faultf("line %d is not XML: %s", syntax.Line, syntax.Msg)
		case err != nil:
			return err
		}
	}
}

// readCharset returns the reader of a file that says it is not in UTF-8.
func (s *reader) readCharset(label string, r io.Reader) (io.Reader, error) {
	if s.decoded {
		return r, nil
	}
	decoded, err := charset.NewReaderLabel(label, r)
	if err != nil {
		return nil, faultf("its encoding %.40q is not known", label)
	}
	return decoded, nil
}

// tokenReader hands out the bytes of one token and fails when it needs more than are left.
type tokenReader struct {
	r    *bufio.Reader
	left int
}

var errLongToken = faultf("a tag or text is longer than %d bytes", maxToken)

func (t *tokenReader) ReadByte() (byte, error) {
	if t.left--; t.left < 0 {
		return 0, errLongToken
	}
	return t.r.ReadByte()
}

// Read serves files in other encodings than UTF-8, which are read ahead.
func (t *tokenReader) Read(p []byte) (int, error) {
	if t.left <= 0 {
		return 0, errLongToken
	}
	n, err := t.r.Read(p[:min(len(p), t.left)])
	t.left -= n
	return n, err
}

func (x *xmlReader) take(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return x.start(token)
	case xml.CharData:
		if x.atAddress() && x.text.Len()+len(token) <= maxToken {
			x.text.Write(token)
		}
	case xml.EndElement:
		return x.end(token.Name)
	}
	return nil
}

func (x *xmlReader) start(e xml.StartElement) error {
	if len(x.open) == 0 {
		root, known := roots[strings.ToLower(e.Name.Local)]
		if !known || x.Kind != None {
			return faultf("its root element is %.40s", e.Name.Local)
		}
		x.Kind, x.path, x.own = root.kind, root.path, ownPrefixes(e)
	}
	if len(x.open) == maxDepth {
		return faultf("its elements nest more than %d deep", maxDepth)
	}
	x.open = append(x.open, e.Name)
	x.text.Reset()
	if x.atAddress() && strings.EqualFold(x.open[0].Local, "feed") {
		x.text.WriteString(entryAddress(e.Attr))
	}
	return nil
}

// entryAddress returns the address in a link of an Atom entry, or "" when the link is to something else than the page: Atom has its
// addresses in attributes.
func entryAddress(attributes []xml.Attr) (href string) {
	for _, a := range attributes {
		switch {
		case a.Name.Space != "":
		case strings.EqualFold(a.Name.Local, "href"):
			href = a.Value
		case strings.EqualFold(a.Name.Local, "rel") && a.Value != "" && !strings.EqualFold(a.Value, "alternate"):
			return ""
		}
	}
	return href
}

// ownPrefixes returns the prefix of a root element, and those that it declares for the namespace of sitemaps.
func ownPrefixes(root xml.StartElement) []string {
	own := []string{root.Name.Space}
	for _, a := range root.Attr {
		prefix, declares := a.Name.Local, a.Name.Space == "xmlns"
		if a.Name.Space == "" && a.Name.Local == "xmlns" {
			prefix, declares = "", true
		}
		if declares && strings.Contains(a.Value, "/schemas/sitemap/") {
			own = append(own, prefix)
		}
	}
	return own
}

func (x *xmlReader) end(name xml.Name) error {
	if len(x.open) == 0 || !sameName(x.open[len(x.open)-1], name) {
		return faultf("it is not well-formed: </%.40s> closes nothing", name.Local)
	}
	if x.atAddress() {
		if address := strings.TrimSpace(x.text.String()); address != "" {
			x.add(address)
		}
	}
	x.open = x.open[:len(x.open)-1]
	return nil
}

// atAddress reports whether the innermost open element is one that holds an address.
func (x *xmlReader) atAddress() bool {
	return len(x.open) == len(x.path)+1 && len(x.path) > 0 && slices.EqualFunc(x.open[1:], x.path, func(e xml.Name, local string) bool {
		return strings.EqualFold(e.Local, local) && slices.Contains(x.own, e.Space)
	})
}

// sameName reports whether two tags belong together. Search engines do not mind their case.
func sameName(a, b xml.Name) bool {
	return a == b || strings.EqualFold(a.Local, b.Local) && strings.EqualFold(a.Space, b.Space)
}

func (x *xmlReader) atEnd() error {
	if len(x.open) > 0 || x.Kind == None {
		return faultf("it ends in the middle")
	}
	return nil
}
