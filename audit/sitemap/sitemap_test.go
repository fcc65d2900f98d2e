package sitemap

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"sitegrade/weburl"
)

const sitemapStart = `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`

// zip returns a body as a .gz file has it.
func zip(t testing.TB, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wide returns ASCII text in UTF-16, its characters at the even bytes or, with 1, at the odd ones.
func wide(text string, odd int) string {
	b := make([]byte, 2*len(text))
	for i := range len(text) {
		b[2*i+odd] = text[i]
	}
	return string(b)
}

func TestRelativeAddresses(t *testing.T) {
	got, err := Read(strings.NewReader("<urlset><url><loc>/a</loc></url><url><loc>b</loc></url><url><loc>https://example.com/</loc></url></urlset>"), nil)
	if err != nil || got.Relative != 2 || got.URLs != 1 || got.Problem != "" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSitemaps(t *testing.T) {
	page := "https://example.com/ü?a=1&b=2"
	tests := []struct {
		name, body string
		kind       Kind
		urls       int
		first      string
		listed     bool
		problem    string
	}{
		{"urlset", sitemapStart + "<url><loc>https://example.com/</loc><lastmod>2026-01-01</lastmod></url><url><loc>https://example.com/b</loc></url></urlset>",
			URLs, 2, "https://example.com/", false, ""},
		{"page by entities", sitemapStart + "<url><loc>\n https://example.com/ü?a=1&amp;b=2 \n</loc></url></urlset>",
			URLs, 1, "https://example.com/ü?a=1&b=2", true, ""},
		{"page by escapes", sitemapStart + "<url><loc>HTTPS://EXAMPLE.com:443/%C3%BC?a=1&#38;b=2</loc></url></urlset>",
			URLs, 1, "HTTPS://EXAMPLE.com:443/%C3%BC?a=1&b=2", true, ""},
		{"CDATA", sitemapStart + "<url><loc><![CDATA[https://example.com/ü?a=1&b=2]]></loc></url></urlset>",
			URLs, 1, "https://example.com/ü?a=1&b=2", true, ""},
		{"comment inside", sitemapStart + "<!-- <url><loc>x</loc></url> --><url><loc>https://exam<!-- -->ple.com/</loc></url></urlset>",
			URLs, 1, "https://example.com/", false, ""},
		{"prefix", `<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>https://example.com/</s:loc></s:url></s:urlset>`,
			URLs, 1, "https://example.com/", false, ""},
		{"images", sitemapStart + `<url><loc>https://example.com/</loc><image:image><image:loc>https://example.com/i.png</image:loc></image:image><image:loc>x</image:loc></url></urlset>`,
			URLs, 1, "https://example.com/", false, ""},
		{"no namespace", "<urlset><url><loc>https://example.com/</loc></url></urlset>", URLs, 1, "https://example.com/", false, ""},
		{"mark and space", "\xef\xbb\xbf \n<urlset><url><loc>https://example.com/</loc></url></urlset>", URLs, 1, "https://example.com/", false, ""},
		{"empty loc", "<urlset><url><loc/></url><url><loc> </loc></url></urlset>", URLs, 0, "", false, ""},
		{"loc elsewhere", "<urlset><loc>https://example.com/</loc><x><loc>y</loc></x></urlset>", URLs, 0, "", false, ""},
		{"index", `<sitemapindex><sitemap><loc>https://example.com/1.xml</loc></sitemap><sitemap><loc>https://example.com/2.xml</loc></sitemap></sitemapindex>`,
			Index, 2, "https://example.com/1.xml", false, ""},
		{"RSS", `<rss version="2.0"><channel><link>https://example.com/</link><atom:link href="x"/><item><title>x</title><link>https://example.com/a</link><atom:link href="y"/></item></channel></rss>`,
			Feed, 1, "https://example.com/a", false, ""},
		{"Atom", `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.com/"/><entry><link rel="alternate" href="https://example.com/a"/></entry></feed>`,
			Feed, 1, "https://example.com/a", false, ""},
		{"text", "https://example.com/\r\n\r\nhttps://example.com/ü?a=1&b=2\n", Text, 2, "https://example.com/", true, ""},
		{"windows-1252", "<?xml version='1.0' encoding='windows-1252'?><urlset><url><loc>https://example.com/\xfc?a=1&amp;b=2</loc></url></urlset>",
			URLs, 1, "https://example.com/ü?a=1&b=2", true, ""},

		{"another namespace", `<urlset xmlns="http://www.google.com/schemas/sitemap/0.84"><url><loc>https://example.com/</loc></url></urlset>`,
			URLs, 1, "https://example.com/", false, ""},
		{"a prefix for what is inside", `<urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>https://example.com/</s:loc></s:url></urlset>`,
			URLs, 1, "https://example.com/", false, ""},
		{"a prefix of images", `<urlset xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><i:url><i:loc>https://example.com/</i:loc></i:url></urlset>`,
			URLs, 0, "", false, ""},
		{"any case", `<UrlSet><URL><Loc>https://example.com/</loc></Url></URLSET>`, URLs, 1, "https://example.com/", false, ""},
		{"odd values", "<urlset><url><loc>https://example.com/</loc><lastmod>yesterday</lastmod><changefreq>now</changefreq><priority>7</priority></url></urlset>",
			URLs, 1, "https://example.com/", false, ""},
		{"videos and news", sitemapStart + `<url><loc>https://example.com/</loc><video:video><video:player_loc>x</video:player_loc></video:video>` +
			`<news:news><news:title>A &amp; B</news:title></news:news><xhtml:link rel="alternate" href="https://example.com/de"/></url></urlset>`,
			URLs, 1, "https://example.com/", false, ""},
		{"another host", "<urlset><url><loc>https://other.example/</loc></url></urlset>", URLs, 1, "https://other.example/", false, ""},
		{"relative and absolute", "<urlset><url><loc>/a</loc></url><url><loc>HTTPS://example.com/</loc></url></urlset>", URLs, 1, "HTTPS://example.com/", false, ""},
		{"UTF-16, low bytes first", "\xff\xfe" + wide(`<?xml version="1.0" encoding="UTF-16"?><urlset><url><loc>https://example.com/</loc></url></urlset>`, 0),
			URLs, 1, "https://example.com/", false, ""},
		{"UTF-16, high bytes first, without a mark", wide(`<?xml version="1.0" encoding="utf-16"?><urlset><url><loc>https://example.com/</loc></url></urlset>`, 1),
			URLs, 1, "https://example.com/", false, ""},
		{"text with a mark", "\xef\xbb\xbfhttps://example.com/\nhttp://example.com/b", Text, 2, "https://example.com/", false, ""},
		{"text in UTF-16", "\xff\xfe" + wide("https://example.com/\n", 0), Text, 1, "https://example.com/", false, ""},
		{"Atom with other links", `<feed><entry><link rel="self" href="https://example.com/a.xml"/><link href="https://example.com/a"/>` +
			`<link rel="enclosure" href="https://example.com/a.mp3"/></entry></feed>`, Feed, 1, "https://example.com/a", false, ""},

		{"nothing but relative addresses", "<urlset><url><loc>/a</loc></url></urlset>", URLs, 0, "", false, "its addresses are not absolute"},
		{"text below a heading", "Pages:\nhttps://example.com/\n", Text, 1, "https://example.com/", false, "line 1 is not an address"},
		{"text that goes on", "https://example.com/\nx\nhttps://example.com/b\n", Text, 2, "https://example.com/", false, "line 2 is not an address"},
		{"nothing", "", None, 0, "", false, "it is empty"},
		{"white space", " \n\n", None, 0, "", false, "it is empty"},
		{"words", "Not found", None, 0, "", false, "it is neither XML nor a list of addresses"},
		{"text with another line", "https://example.com/\nfoo\n", Text, 1, "https://example.com/", false, "line 2 is not an address"},
		{"HTML", "<!doctype html><html><body>Not found</body></html>", None, 0, "", false, "its root element is html"},
		{"cut", sitemapStart + "<url><loc>https://example.com/</loc></url>", URLs, 1, "https://example.com/", false, "it ends in the middle"},
		{"cut in a tag", sitemapStart + "<url><lo", URLs, 0, "", false, "line 1 is not XML: unexpected EOF"},
		{"bare ampersand", sitemapStart + "\n<url><loc>https://example.com/?a&b</loc></url></urlset>", URLs, 0, "", false,
			"line 2 is not XML: invalid character entity &b (no semicolon)"},
		{"wrong order", "<urlset><url><loc>https://example.com/</url></loc></urlset>", URLs, 0, "", false, "it is not well-formed: </url> closes nothing"},
		{"two roots", "<urlset></urlset><urlset></urlset>", URLs, 0, "", false, "its root element is urlset"},
		{"own entity", `<!DOCTYPE urlset [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>`, URLs, 0, "", false,
			"line 1 is not XML: invalid character entity &a;"},
		{"deep", strings.Repeat("<urlset>", 100), URLs, 0, "", false, "its elements nest more than 32 deep"},
		{"unknown encoding", "<?xml version='1.0' encoding='x'?><urlset/>", None, 0, "", false, `its encoding "x" is not known`},
		{"long line", "https://example.com/" + strings.Repeat("x", maxToken), None, 0, "", false, "a line is longer than 65536 bytes"},
		{"long text", "<urlset><url><loc>" + strings.Repeat("x", maxToken), URLs, 0, "", false, "a tag or text is longer than 65536 bytes"},
	}
	for _, test := range tests {
		got, err := Read(strings.NewReader(test.body), weburl.Resolve(nil, page))
		want := Contents{Kind: test.kind, URLs: test.urls, First: test.first, ListsPage: test.listed, Problem: test.problem, Size: got.Size, Relative: got.Relative}
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, err, want)
		}
		zipped, err := Read(bytes.NewReader(zip(t, []byte(test.body))), weburl.Resolve(nil, page))
		if want.Size = zipped.Size; err != nil || zipped != want || zipped.Size != got.Size {
			t.Errorf("%s, compressed: %+v, %v, want %+v", test.name, zipped, err, want)
		}
	}
}

func TestDamagedGzipSitemap(t *testing.T) {
	whole := zip(t, []byte(sitemapStart+"<url><loc>https://example.com/</loc></url></urlset>"))
	damaged := bytes.Clone(whole)
	damaged[len(damaged)-5] ^= 1 // in the checksum
	for want, body := range map[string][]byte{"it ends in the middle": whole[:len(whole)-12], "its gzip data is damaged": damaged} {
		if got, err := Read(bytes.NewReader(body), nil); err != nil || got.Problem != want {
			t.Errorf("%+v, %v, want %q", got, err, want)
		}
	}
}

// sitemapOf writes a sitemap of n addresses without holding it.
func sitemapOf(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		io.WriteString(w, sitemapStart)
		for i := range n {
			if _, err := fmt.Fprintf(w, "<url><loc>https://example.com/%040d</loc></url>\n", i); err != nil {
				return
			}
		}
		io.WriteString(w, "</urlset>")
		w.Close()
	}()
	return r
}

func TestSitemapLimits(t *testing.T) {
	tests := []struct {
		urls     int
		tooLarge bool
	}{
		{MaxURLs, false},
		{MaxURLs + 1, true},
	}
	for _, test := range tests {
		got, err := Read(sitemapOf(test.urls), nil)
		if err != nil || got.URLs != test.urls || got.TooLarge != test.tooLarge || got.Problem != "" {
			t.Errorf("%d addresses: %+v, %v", test.urls, got, err)
		}
	}
	long := sitemapStart + strings.Repeat(strings.Repeat(" ", 999)+"<!-- -->", MaxSize/1007+1)
	if got, err := Read(strings.NewReader(long), nil); err != nil || !got.TooLarge || got.Size < MaxSize {
		t.Errorf("%d bytes: %+v, %v", len(long), got, err)
	}
}

// What goes wrong on the way is no fault of the file.
func TestSitemapBrokenOff(t *testing.T) {
	lost := errors.New("lost")
	r := io.MultiReader(strings.NewReader(sitemapStart), errorReader{lost})
	if _, err := Read(r, nil); !errors.Is(err, lost) {
		t.Errorf("got %v", err)
	}
}

type errorReader struct{ err error }

func (r errorReader) Read([]byte) (int, error) { return 0, r.err }

func FuzzSitemap(f *testing.F) {
	for _, seed := range []string{
		sitemapStart + "<url><loc>https://example.com/</loc></url></urlset>", "<rss><channel><item><link>x</link></item></channel></rss>",
		"<feed><entry><link href='x'/></entry></feed>", "https://example.com/\n", "<?xml version='1.0' encoding='utf-16'?><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
	} {
		f.Add([]byte(seed))
		f.Add(zip(f, []byte(seed)))
	}
	page := weburl.Resolve(nil, "https://example.com/")
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := Read(bytes.NewReader(body), page)
		if err == nil && got.Kind == None && got.Problem == "" && !got.TooLarge {
			t.Errorf("%q is no sitemap for no reason", body)
		}
		if got.ListsPage && got.URLs == 0 {
			t.Errorf("%q lists the page and nothing", body)
		}
	})
}

func BenchmarkSitemap(b *testing.B) {
	var file bytes.Buffer
	if _, err := file.ReadFrom(sitemapOf(MaxURLs)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	page := weburl.Resolve(nil, "https://example.com/")
	for b.Loop() {
		if _, err := Read(bytes.NewReader(file.Bytes()), page); err != nil {
			b.Fatal(err)
		}
	}
}
