package audit

import (
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// sitemapDepth bounds how deep elements nest. Sitemaps with images and videos need 5.
const sitemapDepth = 32

// sitemapRoots says what the root element of a file makes it, and where its addresses stand below.
var sitemapRoots = map[string]struct {
	kind sitemapKind
	path []string
}{
	"urlset":       {urlSitemap, []string{"url", "loc"}},
	"sitemapindex": {indexSitemap, []string{"sitemap", "loc"}},
	"rss":          {feedSitemap, []string{"channel", "item", "link"}},
	"feed":         {feedSitemap, []string{"entry", "link"}},
}

// sitemapXML follows the elements of a sitemap.
type sitemapXML struct {
	*sitemapReader
	open []xml.Name // from the root; Space is the prefix as written
	path []string   // where addresses stand, below the root
	text strings.Builder
}

// readXML reads a file token by token and keeps none. Prefixes are compared as written: whatever stands for the root's
// namespace stands for that of its addresses too, and image:loc is another thing.
func (s *sitemapReader) readXML(r *bufio.Reader) error {
	limited := &tokenReader{r: r}
	decoder := xml.NewDecoder(limited)
	decoder.CharsetReader = readCharset
	x := &sitemapXML{sitemapReader: s}
	for {
		limited.left = sitemapToken
		token, err := decoder.RawToken()
		if err == nil {
			err = x.take(token)
		}
		var syntax *xml.SyntaxError
		switch {
		case err == io.EOF:
			return x.atEnd()
		case errors.As(err, &syntax):
			return sitemapFaultf("line %d is not XML: %s", syntax.Line, syntax.Msg)
		case err != nil:
			return err
		}
	}
}

// readCharset returns the reader of a file that says it is not in UTF-8.
func readCharset(label string, r io.Reader) (io.Reader, error) {
	decoded, err := charset.NewReaderLabel(label, r)
	if err != nil {
		return nil, sitemapFaultf("its encoding %q is not known", cutText(label, 40))
	}
	return decoded, nil
}

// tokenReader hands out the bytes of one token and fails when it needs more than are left.
type tokenReader struct {
	r    *bufio.Reader
	left int
}

var errLongToken = sitemapFaultf("a tag or text is longer than %d bytes", sitemapToken)

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

func (x *sitemapXML) take(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		return x.start(token)
	case xml.CharData:
		if x.atAddress() && x.text.Len()+len(token) <= sitemapToken {
			x.text.Write(token)
		}
	case xml.EndElement:
		return x.end(token.Name)
	}
	return nil
}

func (x *sitemapXML) start(e xml.StartElement) error {
	if len(x.open) == 0 {
		root, known := sitemapRoots[e.Name.Local]
		if !known || x.kind != notSitemap {
			return sitemapFaultf("its root element is %s", cutText(e.Name.Local, 40))
		}
		x.kind, x.path = root.kind, root.path
	}
	if len(x.open) == sitemapDepth {
		return sitemapFaultf("its elements nest more than %d deep", sitemapDepth)
	}
	x.open = append(x.open, e.Name)
	x.text.Reset()
	if x.atAddress() && x.open[0].Local == "feed" { // Atom has its addresses in attributes
		for _, a := range e.Attr {
			if a.Name.Local == "href" && a.Name.Space == "" {
				x.text.WriteString(a.Value)
			}
		}
	}
	return nil
}

func (x *sitemapXML) end(name xml.Name) error {
	if len(x.open) == 0 || x.open[len(x.open)-1] != name {
		return sitemapFaultf("it is not well-formed: </%s> closes nothing", cutText(name.Local, 40))
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
func (x *sitemapXML) atAddress() bool {
	return len(x.open) == len(x.path)+1 && len(x.path) > 0 && slices.EqualFunc(x.open[1:], x.path, func(e xml.Name, local string) bool {
		return e.Local == local && e.Space == x.open[0].Space
	})
}

func (x *sitemapXML) atEnd() error {
	if len(x.open) > 0 || x.kind == notSitemap {
		return sitemapFaultf("it ends in the middle")
	}
	return nil
}
