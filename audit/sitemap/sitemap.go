// Package sitemap reads sitemaps of every kind that search engines read (sitemaps.org, RSS, Atom, text), in passing and within bounds.
package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"

	"sitegrade/weburl"
)

// Limits of a sitemap file (sitemaps.org, "Sitemap file requirements").
const (
	MaxURLs = 50_000
	MaxSize = 50 << 20 // bytes, uncompressed
)

// maxToken bounds one tag, text or line of a sitemap, so that a hostile one cannot fill the memory.
const maxToken = 64 << 10

// Kind is a format that search engines read.
type Kind uint8

// The formats. None is what search engines cannot read.
const (
	None  Kind = iota
	URLs       // urlset
	Index      // sitemapindex: a list of sitemaps
	Feed       // RSS or Atom
	Text       // an address a line
)

// Contents is what a sitemap says.
type Contents struct {
	Kind      Kind
	URLs      int    // addresses listed
	Relative  int    // what is listed beside them that is no absolute address: search engines pass it over
	Size      int64  // bytes read, uncompressed
	TooLarge  bool   // over MaxURLs or MaxSize; what comes after MaxSize was not read
	First     string // the first address listed, as written
	ListsPage bool   // the page that was looked for is listed
	Problem   string // why search engines cannot read all of it; "" if they can
}

// Read reads a sitemap of any kind, plain or compressed with gzip, without keeping it, and looks for the page (nil for
// none). What is wrong with the file is in its problem; an error is one of the way it came.
func Read(r io.Reader, page *weburl.URL) (Contents, error) {
	return List(r, page, func(string) {})
}

// List is Read for those who want the addresses too: each is given to listed, as written.
func List(r io.Reader, page *weburl.URL, listed func(address string)) (Contents, error) {
	s := &reader{page: page, listed: listed}
	if page != nil {
		s.wanted = page.WithoutFragment().String()
	}
	err := s.read(r)
	s.Size = s.count.read
	s.TooLarge = s.Size > MaxSize || s.URLs > MaxURLs
	if err == nil && s.URLs == 0 && s.Relative > 0 {
		err = faultf("its addresses are not absolute")
	}
	var fault *fault
	switch {
	case errors.As(err, &fault):
		s.Problem = fault.text
	case errors.Is(err, io.ErrUnexpectedEOF):
		s.Problem = "it ends in the middle"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		s.Problem = "its gzip data is damaged"
	case err != nil && !errors.Is(err, errSize):
		return s.Contents, err
	}
	return s.Contents, nil
}

// errSize ends the reading of a file that is too large.
var errSize = errors.New("sitemap over its limit")

// fault is a fault of the file.
type fault struct{ text string }

func (f *fault) Error() string { return f.text }

func faultf(format string, args ...any) error {
	return &fault{fmt.Sprintf(format, args...)}
}

type reader struct {
	Contents
	page    *weburl.URL
	wanted  string // the page's address without its fragment
	listed  func(address string)
	count   countedReader
	decoded bool // the file is in UTF-16 and was decoded, whatever it declares
}

func (s *reader) read(r io.Reader) error {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(b)
		if err != nil {
			return err
		}
		defer unzipped.Close()
		s.count.r = unzipped
	} else {
		s.count.r = b
	}
	plain := s.decode(bufio.NewReader(&s.count))
	start, err := plain.Peek(512)
	if len(start) == 0 && err != io.EOF {
		return err
	}
	if start = bytes.TrimLeft(start, " \t\r\n"); bytes.HasPrefix(start, []byte("<")) {
		return s.readXML(plain)
	}
	return s.readText(plain)
}

// decode returns a reader of the file without the mark that tells its encoding. UTF-16 is known by its mark, or by the byte beside
// the first bracket.
func (s *reader) decode(r *bufio.Reader) *bufio.Reader {
	start, _ := r.Peek(3)
	order := unicode.LittleEndian
	switch {
	case bytes.HasPrefix(start, []byte("\xef\xbb\xbf")):
		r.Discard(len(start))
		return r
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("<\x00")):
	case bytes.HasPrefix(start, []byte("\xfe\xff")), bytes.HasPrefix(start, []byte("\x00<")):
		order = unicode.BigEndian
	default:
		return r
	}
	s.decoded = true
	return bufio.NewReader(unicode.UTF16(order, unicode.UseBOM).NewDecoder().Reader(r))
}

// countedReader counts what it reads and fails beyond the size of a sitemap.
type countedReader struct {
	r    io.Reader
	read int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	if c.read > MaxSize {
		return 0, errSize
	}
	n, err := c.r.Read(p)
	c.read += int64(n)
	return n, err
}

// readText reads a file with an address a line. It is a sitemap if one line is an address.
func (s *reader) readText(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxToken)
	wrong := 0 // the first line that is something else
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "":
		case isWebAddress(line):
			s.Kind = Text
			s.add(line)
		case wrong == 0:
			wrong = number
		}
	}
	switch {
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return faultf("a line is longer than %d bytes", maxToken)
	case lines.Err() != nil:
		return lines.Err()
	case s.Kind == Text && wrong > 0:
		return faultf("line %d is not an address", wrong)
	case s.Kind == None && wrong > 0:
		return faultf("it is neither XML nor a list of addresses")
	case s.Kind == None:
		return faultf("it is empty")
	}
	return nil
}

// isWebAddress reports whether s begins as an absolute URL of the web does.
func isWebAddress(s string) bool {
	scheme, rest, ok := strings.Cut(s, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

// add counts an address.
func (s *reader) add(address string) {
	if !isWebAddress(address) {
		s.Relative++
		return
	}
	if s.URLs == 0 {
		s.First = address
	}
	s.URLs++
	s.listed(address)
	if s.page == nil || s.ListsPage {
		return
	}
	if u := weburl.Resolve(nil, address); u != nil {
		s.ListsPage = u.WithoutFragment().String() == s.wanted
	}
}
