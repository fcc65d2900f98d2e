package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf16"
)

// maker makes up one page. How careful its author was decides how often something odd is chosen instead of something good. Addresses
// of other sites are on https://localhost, where nothing answers, so that a run asks nobody else.
type maker struct {
	*rand.Rand
	language
	odd    float64 // share of odd choices, 0..1
	answer answer
	b      strings.Builder
	ids    int
}

// cares are the authors: those who get nearly everything right, those who do so mostly, and those who do not.
var cares = []float64{0.05, 0.2, 0.5}

// makePages makes up pages. The same seed gives the same pages.
func makePages(n int, seed uint64) []page {
	pages := make([]page, n)
	for i := range pages {
		m := &maker{
			Rand:     rand.New(rand.NewPCG(seed, uint64(i))),
			language: languages[i%len(languages)],
			odd:      cares[i%len(cares)],
		}
		style := styles[i%len(styles)]
		m.page(style)
		pages[i] = page{name: fmt.Sprintf("%03d-%s-%s", i, style.name, m.code), html: m.encoded(), answer: m.answer}
	}
	return pages
}

// one returns one of the choices.
func (m *maker) one(choices ...string) string { return choices[m.IntN(len(choices))] }

// pick returns a good choice, or an odd one as often as the author makes such.
func (m *maker) pick(good, odd []string) string {
	if m.isOdd() {
		return m.one(odd...)
	}
	return m.one(good...)
}

func (m *maker) isOdd() bool { return m.Float64() < m.odd }

func (m *maker) coin() bool { return m.IntN(2) == 0 }

// write writes a line of the page.
func (m *maker) write(format string, args ...any) {
	fmt.Fprintf(&m.b, format, args...)
	m.b.WriteByte('\n')
}

// some writes between least and most things.
func (m *maker) some(least, most int, write func()) {
	for range least + m.IntN(most-least+1) {
		write()
	}
}

func (m *maker) topic() string { return m.one(m.topics...) }

// text returns a few sentences.
func (m *maker) text() string {
	var all []string
	for range 1 + m.IntN(4) {
		all = append(all, m.one(m.sentences...))
	}
	return strings.Join(all, " ")
}

// id returns an id that no other element has.
func (m *maker) id() string {
	m.ids++
	return fmt.Sprintf("x%d", m.ids)
}

// page writes a page of a style.
func (m *maker) page(s style) {
	m.served()
	m.write("%s", m.pick(goodDoctypes, oddDoctypes))
	m.write("<html%s>", m.htmlAttributes())
	m.head()
	m.write("<body>")
	s.body(m)
	if m.isOdd() {
		return // end tags may be left out
	}
	m.write("</body>\n</html>")
}

// encoded returns the page in the encoding that its author chose.
func (m *maker) encoded() []byte {
	text := m.b.String()
	if m.isOdd() && m.IntN(6) == 0 {
		m.header("Content-Type", "text/html")
		return inUTF16(text)
	}
	if m.IntN(20) == 0 {
		return append([]byte("\xef\xbb\xbf"), text...)
	}
	return []byte(text)
}

// inUTF16 returns a text in UTF-16, little endian, with its mark.
func inUTF16(text string) []byte {
	encoded := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		encoded = append(encoded, byte(unit), byte(unit>>8))
	}
	return encoded
}

func (m *maker) header(name, value string) {
	if m.answer.Headers == nil {
		m.answer.Headers = map[string]string{}
	}
	m.answer.Headers[name] = value
}

// served decides how the page is answered.
func (m *maker) served() {
	m.answer.Path = m.pick([]string{"/", "/visit/", "/visit/tickets", "/news/2026/oven.html"}, []string{"/index.php?id=12&Lang=x", "/a_b/C"})
	if m.isOdd() && m.coin() {
		m.answer.Status = []int{404, 500, 410, 403, 201}[m.IntN(5)]
	}
	m.header("Content-Type", m.pick([]string{"text/html; charset=utf-8", "text/html;charset=UTF-8", "text/html"},
		[]string{"text/html", "text/html; charset=nonsense", "text/html; charset="}))
	if m.isOdd() {
		m.header("X-Robots-Tag", m.one("noindex", "none", "nofollow", "googlebot: noindex", "noindex, nofollow", "otherbot: noindex",
			"unavailable_after: 25 Jun 2020 15:00:00 PST", "max-snippet: 0, noindex", "unavailable_after: 2099-01-01", "all"))
	}
	if m.isOdd() {
		m.header("Link", m.one(`</visit/>; rel="canonical"`, `<https://localhost/a>; rel=canonical`,
			`<https://localhost/de/>; rel="alternate"; hreflang="de"`, `</de/>; rel="alternate"; hreflang="de"`,
			`<https://localhost/x>; rel="alternate"; hreflang="xx"`, `</style.css>; rel=preload; as=style`))
	}
	if m.coin() || m.isOdd() {
		m.answer.RobotsTXT = m.pick(goodRobots, oddRobots)
	}
	if m.isOdd() && m.IntN(3) == 0 {
		m.answer.RobotsStatus = []int{404, 500, 503, 403}[m.IntN(4)]
	}
}

var goodRobots = []string{
	"User-agent: *\nDisallow:\n",
	"User-agent: *\nDisallow: /admin/\nAllow: /admin/public\n\nSitemap: https://localhost/sitemap.xml\n",
	"# welcome\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 5\nDisallow: /*?sort=\nDisallow: /*.pdf$\n",
	"\ufeffUser-agent: *\r\nDisallow: /private\r\n",
}

var oddRobots = []string{
	"User-agent: *\nDisallow: /\n",
	"User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /\n",
	"Disallow: /\nUser-agent: *\n",
	"User-agent: *\nDisalow: /x\n",
	"User-agent: *\nDisallow: private\n",
	"User-agent: *\nDisallow: /a$b\n",
	"User-agent: *\nDisallow: /visit\nAllow: /visit/tickets\n",
	"Sitemap: /sitemap.xml\n",
	"<!DOCTYPE html><html><title>Not found</title><p>Nothing here.</html>",
	"User-agent: *\nNoindex: /x\n",
	"User-agent:\nDisallow: /x\n",
	"User-agent: *\nCrawl-delay: often\n",
	"User-agent: *\nUnknown-thing: 1\nHost: example.org\nClean-param: ref /\n",
	"User-agent *\nDisallow /x\n",
}

// style is a way in which people build pages.
type style struct {
	name string
	body func(*maker)
}

var styles = []style{
	{"article", (*maker).article}, {"shop", (*maker).shop}, {"table", (*maker).tableLayout}, {"app", (*maker).app},
	{"docs", (*maker).docs}, {"landing", (*maker).landing}, {"form", (*maker).formPage}, {"media", (*maker).media},
	{"forum", (*maker).forum}, {"wild", (*maker).wild},
}

// shuffled runs parts in an order of chance.
func (m *maker) shuffled(parts ...func()) {
	for _, i := range m.Perm(len(parts)) {
		parts[i]()
	}
}

// otherLanguages returns the codes of some languages, the page's own first.
func (m *maker) otherLanguages() []string {
	codes := []string{m.code}
	for _, i := range m.Perm(len(languages))[:3] {
		if code := languages[i].code; !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}
