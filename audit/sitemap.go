package audit

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"

	"sitegrade/weburl"
)

// Limits of a sitemap file (sitemaps.org, "Sitemap file requirements").
const (
	sitemapURLs = 50_000
	sitemapSize = 50 << 20 // bytes, uncompressed
)

// sitemapToken bounds one tag, text or line of a sitemap, so that a hostile one cannot fill the memory.
const sitemapToken = 64 << 10

// sitemapKind is a format that search engines read.
type sitemapKind uint8

const (
	notSitemap   sitemapKind = iota
	urlSitemap               // urlset
	indexSitemap             // sitemapindex: a list of sitemaps
	feedSitemap              // RSS or Atom
	textSitemap              // an address a line
)

// sitemap is a file that was looked at as one. Its body was read in passing and not kept.
type sitemap struct {
	fetched
	sitemapContents
	declared bool // in robots.txt
	inIndex  bool // the first file of the index before it
}

// sitemapContents is what a sitemap says.
type sitemapContents struct {
	kind      sitemapKind
	urls      int    // addresses listed
	plainSize int64  // bytes read, uncompressed
	tooLarge  bool   // over sitemapURLs or sitemapSize; what comes after sitemapSize was not read
	first     string // the first address listed, as written
	listsPage bool   // the page that was looked for is listed
	problem   string // why search engines cannot read all of it; "" if they can
}

// found reports whether the file is a sitemap that search engines can read.
func (s *sitemap) found() bool {
	return s.failure == nil && s.status == 200 && s.kind != notSitemap && s.problem == ""
}

// readSitemap reads a sitemap of any kind, plain or compressed with gzip, without keeping it, and looks for the page (nil for
// none). What is wrong with the file is in its problem; an error is one of the way it came.
func readSitemap(r io.Reader, page *weburl.URL) (sitemapContents, error) {
	return listSitemap(r, page, func(string) {})
}

// listSitemap is readSitemap for those who want the addresses too: each is given to listed, as written.
func listSitemap(r io.Reader, page *weburl.URL, listed func(address string)) (sitemapContents, error) {
	s := &sitemapReader{page: page, listed: listed}
	if page != nil {
		s.wanted = page.WithoutFragment().String()
	}
	err := s.read(r)
	s.plainSize = s.size.read
	s.tooLarge = s.plainSize > sitemapSize || s.urls > sitemapURLs
	var fault *sitemapFault
	switch {
	case errors.As(err, &fault):
		s.problem = fault.text
	case errors.Is(err, io.ErrUnexpectedEOF):
		s.problem = "it ends in the middle"
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum):
		s.problem = "its gzip data is damaged"
	case err != nil && !errors.Is(err, errTooLarge):
		return s.sitemapContents, err
	}
	return s.sitemapContents, nil
}

// sitemapFault is a fault of the file.
type sitemapFault struct{ text string }

func (f *sitemapFault) Error() string { return f.text }

func sitemapFaultf(format string, args ...any) error {
	return &sitemapFault{fmt.Sprintf(format, args...)}
}

type sitemapReader struct {
	sitemapContents
	page   *weburl.URL
	wanted string // the page's address without its fragment
	listed func(address string)
	size   countedReader
}

func (s *sitemapReader) read(r io.Reader) error {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(b)
		if err != nil {
			return err
		}
		defer unzipped.Close()
		s.size.r = unzipped
	} else {
		s.size.r = b
	}
	plain := bufio.NewReader(&s.size)
	if mark, _ := plain.Peek(3); string(mark) == "\xef\xbb\xbf" {
		plain.Discard(len(mark))
	}
	start, err := plain.Peek(512)
	if len(start) == 0 && err != io.EOF {
		return err
	}
	if start = bytes.TrimLeft(start, " \t\r\n"); bytes.HasPrefix(start, []byte("<")) {
		return s.readXML(plain)
	}
	return s.readText(plain)
}

// countedReader counts what it reads and fails beyond the size of a sitemap.
type countedReader struct {
	r    io.Reader
	read int64
}

func (c *countedReader) Read(p []byte) (int, error) {
	if c.read > sitemapSize {
		return 0, errTooLarge
	}
	n, err := c.r.Read(p)
	c.read += int64(n)
	return n, err
}

// readText reads a file with an address a line. It is a sitemap if the first line is one.
func (s *sitemapReader) readText(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, sitemapToken)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		switch {
		case line == "":
		case isWebAddress(line):
			s.kind = textSitemap
			s.add(line)
		case s.kind == notSitemap:
			return sitemapFaultf("it is neither XML nor a list of addresses")
		default:
			return sitemapFaultf("line %d is not an address", number)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return sitemapFaultf("a line is longer than %d bytes", sitemapToken)
	}
	if lines.Err() == nil && s.kind == notSitemap {
		return sitemapFaultf("it is empty")
	}
	return lines.Err()
}

func isWebAddress(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// add counts an address.
func (s *sitemapReader) add(address string) {
	if s.urls == 0 {
		s.first = address
	}
	s.urls++
	s.listed(address)
	if s.page == nil || s.listsPage {
		return
	}
	if u := weburl.Resolve(nil, address); u != nil {
		s.listsPage = u.WithoutFragment().String() == s.wanted
	}
}
