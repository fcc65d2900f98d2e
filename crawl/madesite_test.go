package crawl

import (
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// madeSite is a site with faults that were planted: it knows which check has to name which addresses, and nothing else may be named.
type madeSite struct {
	base    string // "http://127.0.0.1:1234"; set before it is served
	pages   map[string]*madePage
	other   map[string]http.HandlerFunc // what is no page
	order   []string
	listed  []string
	hidden  map[string]bool // left out of the sitemap
	faults  map[string]map[string]bool
	section int
}

type madePage struct {
	title, description, h1 string
	seed                   uint64 // of its text, which is made when it is asked for
	words                  int
	after                  string // follows the text
	canonical              string // a path; "" for itself, "-" for none
	links                  []string
	alternates             []string
	noindex, bare          bool // bare: it has no link at all
}

// makeSite plans a site of about n pages.
func makeSite(n int) *madeSite {
	s := &madeSite{
		pages: map[string]*madePage{}, other: map[string]http.HandlerFunc{}, hidden: map[string]bool{}, faults: map[string]map[string]bool{},
	}
	home := s.add("/")
	home.links = nil
	sections := max(4, n/200)
	for i := range sections {
		path := fmt.Sprintf("/section-%d/", i)
		s.add(path)
		home.link(path)
	}
	s.plantTexts()
	s.plantLinks()
	s.plantRedirects()
	s.plantVersions()
	s.plantSitemap()
	s.plantTrap()
	for i := 0; len(s.pages) < n; i++ {
		s.linked(fmt.Sprintf("/section-%d/page-%d", i%sections, i))
	}
	for _, p := range s.pages {
		if !p.bare {
			p.links = append(p.links, `<a href="/">Home</a>`, `<a href="/imprint">Imprint</a>`)
		}
	}
	s.status("/imprint", 404)
	s.fault("broken-target", "/imprint")
	s.fault("sitewide-broken-link", "/imprint")
	return s
}

func (s *madeSite) fault(check string, paths ...string) {
	if s.faults[check] == nil {
		s.faults[check] = map[string]bool{}
	}
	for _, path := range paths {
		s.faults[check][path] = true
	}
}

// add adds a page that has nothing wrong and that nothing links yet.
func (s *madeSite) add(path string) *madePage {
	k := len(s.pages)
	p := &madePage{
		title: fmt.Sprintf("Title number %d", k), description: fmt.Sprintf("Description number %d", k), h1: fmt.Sprintf("Heading number %d", k),
		seed: uint64(k), words: *wordsOfPage,
	}
	s.pages[path] = p
	s.order = append(s.order, path)
	return p
}

// linked adds a page that a section links.
func (s *madeSite) linked(path string) *madePage {
	p := s.add(path)
	s.linkTo(path)
	return p
}

func (s *madeSite) linkTo(path string) {
	s.section++
	s.pages[fmt.Sprintf("/section-%d/", s.section%4)].link(path)
}

func (p *madePage) link(path string) {
	p.links = append(p.links, fmt.Sprintf(`<a href="%s">To %s</a>`, html.EscapeString(path), html.EscapeString(path)))
}

// text returns a text of made-up words that is the same for the same seed.
func text(seed uint64, words int) string {
	random := rand.New(rand.NewPCG(1, seed))
	var b strings.Builder
	for range words {
		b.WriteByte(' ')
		for range 3 + random.IntN(7) {
			b.WriteByte(byte('a' + random.IntN(26)))
		}
	}
	return b.String()
}

func (s *madeSite) status(path string, status int) {
	s.other[path] = func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", status) }
}

func (s *madeSite) redirect(path, to string) {
	s.other[path] = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusMovedPermanently) }
}

func (s *madeSite) plantTexts() {
	for i := range 3 {
		a, b := s.linked(fmt.Sprintf("/title-a%d", i)), s.linked(fmt.Sprintf("/title-b%d", i))
		b.title = "  " + strings.ReplaceAll(a.title, " ", "\n  ") // folded they are the same
		s.fault("duplicate-title", fmt.Sprintf("/title-a%d", i), fmt.Sprintf("/title-b%d", i))
	}
	a, b := s.linked("/case-a"), s.linked("/case-b")
	b.title = strings.ToUpper(a.title) // case counts
	a, b = s.linked("/untitled-a"), s.linked("/untitled-b")
	a.title, b.title = "", " "
	a, b = s.linked("/noindex-a"), s.linked("/noindex-b")
	b.title, b.noindex = a.title, true
	s.hidden["/noindex-b"] = true

	a, b = s.linked("/description-a"), s.linked("/description-b")
	b.description = a.description
	s.fault("duplicate-description", "/description-a", "/description-b")
	a, b = s.linked("/h1-a"), s.linked("/h1-b")
	b.h1 = a.h1
	s.fault("duplicate-h1", "/h1-a", "/h1-b")
	a, b = s.linked("/text-a"), s.linked("/text-b")
	b.seed, b.h1 = a.seed, a.h1
	s.fault("duplicate-content", "/text-a", "/text-b")
	s.fault("duplicate-h1", "/text-a", "/text-b")
	for i := range 3 {
		a, b = s.linked(fmt.Sprintf("/near-a%d", i)), s.linked(fmt.Sprintf("/near-b%d", i))
		a.words, b.words, b.seed, b.after = 4000, 4000, a.seed, " afterthought"
		s.fault("near-duplicate-content", fmt.Sprintf("/near-a%d", i), fmt.Sprintf("/near-b%d", i))
	}
}

func (s *madeSite) plantLinks() {
	for i := range 3 {
		path := fmt.Sprintf("/orphan-%d", i)
		s.add(path)
		s.fault("orphan-page", path)
		path = fmt.Sprintf("/end-%d", i)
		s.linked(path).bare = true
		s.fault("dead-end", path)
	}
	s.add("/by-redirect")
	s.redirect("/to-by-redirect", "/by-redirect")
	s.linkTo("/to-by-redirect")
	last := s.linked("/deep-2") // two clicks from the start
	for i := 3; i <= 7; i++ {
		path := fmt.Sprintf("/deep-%d", i)
		last.link(path)
		last = s.add(path)
		if i > deepest {
			s.fault("deep-page", path)
		}
	}
	for path, status := range map[string]int{"/missing": 404, "/gone": 410, "/error": 500} {
		s.status(path, status)
		s.linkTo(path)
		s.fault("broken-target", path)
	}
	s.other["/hung"] = func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }
	s.linkTo("/hung")
	s.fault("broken-target", "/hung")
	s.redirect("/to-missing", "/missing")
	s.linkTo("/to-missing")
	s.fault("broken-target", "/to-missing")
	s.other["/file.pdf"] = func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Write([]byte("%PDF"))
	}
	s.linkTo("/file.pdf")
	s.other["/guarded"] = func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		w.Write([]byte("<html><head><title>Just a moment...</title>"))
	}
	s.linkTo("/guarded")

	s.linked("/pictured")
	s.linked("/pictured-well")
	home := s.pages["/section-0/"]
	home.links = append(home.links, `<a href="/pictured"><img src="/x.png"></a>`, `<a href="/pictured-well"><img src="/x.png" alt="Well"></a>`)
	s.fault("unnamed-link-target", "/pictured")
	for _, pair := range [][2]string{{"/Upper", "/upper"}, {"/slash", "/slash/"}, {"/folder/", "/folder/index.html"}, {"/order?a=1&b=2", "/order?b=2&a=1"}} {
		for _, path := range pair {
			s.linked(path)
			s.fault("mixed-addresses", path)
		}
	}
}

func (s *madeSite) plantRedirects() {
	s.linked("/arrival")
	s.redirect("/chain-1", "/chain-2")
	s.redirect("/chain-2", "/arrival")
	s.linkTo("/chain-1")
	s.fault("redirect-chain", "/chain-1")
	s.redirect("/loop-1", "/loop-2")
	s.redirect("/loop-2", "/loop-3")
	s.redirect("/loop-3", "/loop-2")
	s.linkTo("/loop-1")
	s.fault("redirect-loop", "/loop-1")
	s.redirect("/self", "/self")
	s.linkTo("/self")
	s.fault("redirect-loop", "/self")
	for i := range 12 {
		s.redirect(fmt.Sprintf("/long-%d", i), fmt.Sprintf("/long-%d", i+1))
	}
	s.linked("/long-12")
	s.linkTo("/long-0")
	s.fault("redirect-loop", "/long-0")
	s.redirect("/away", "https://other.example/")
	s.linkTo("/away")
}

func (s *madeSite) plantVersions() {
	canonical := func(path, to string) {
		s.linked(path).canonical = to
		s.hidden[path] = true
	}
	s.linked("/c-end")
	canonical("/c-mid", "/c-end")
	canonical("/c-start", "/c-mid")
	s.fault("canonical-chain", "/c-start")
	canonical("/c-loop-1", "/c-loop-2")
	canonical("/c-loop-2", "/c-loop-1")
	s.fault("canonical-loop", "/c-loop-1", "/c-loop-2")
	s.linked("/hidden").noindex = true
	s.hidden["/hidden"] = true
	for i, target := range []string{"/hidden", "/missing", "/chain-2", "/file.pdf", "/forbidden/page"} {
		path := fmt.Sprintf("/c-bad-%d", i)
		canonical(path, target)
		s.fault("canonical-not-indexable", path)
	}
	s.linked("/no-canonical").canonical = "-"
	canonical("/c-guarded", "/guarded") // nobody knows what is there

	s.linked("/de").alternates = []string{"/de", "/en"}
	s.linked("/en").alternates = []string{"/en", "/de"}
	s.linked("/one-sided").alternates = []string{"/one-sided", "/arrival"}
	s.fault("hreflang-no-return", "/one-sided")
	s.linked("/to-hidden").alternates = []string{"/hidden"}
	s.fault("hreflang-not-indexable", "/to-hidden")
}

func (s *madeSite) plantSitemap() {
	s.listed = append(s.listed, "/missing", "/chain-2", "/hidden", "/forbidden/listed", "/listed-only-404", "/guarded")
	s.status("/listed-only-404", 404)
	s.fault("sitemap-not-indexable", "/missing", "/chain-2", "/hidden", "/forbidden/listed", "/listed-only-404")
	s.linked("/unlisted")
	s.hidden["/unlisted"] = true
	s.fault("missing-in-sitemap", "/unlisted")
	s.linked("/query?x=1&y=2") // "&amp;" in the sitemap
	s.linkTo("/forbidden/page")
}

// plantTrap adds a calendar that has a next month for ever.
func (s *madeSite) plantTrap() {
	s.linkTo("/calendar?month=2026-11")
	s.other["/calendar"] = func(w http.ResponseWriter, r *http.Request) {
		var year, month int
		fmt.Sscanf(r.URL.Query().Get("month"), "%d-%d", &year, &month)
		if month++; month > 12 {
			year, month = year+1, 1
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<title>Calendar</title><h1>Calendar</h1><a href="/calendar?month=%04d-%02d">next</a><a href="/">Home</a>`, year, month)
	}
	s.fault("missing-in-sitemap", "/calendar?month=2026-11") // the first month is a page like others
}

const madeRobots = "User-agent: OtherBot\nDisallow: /\n\nUser-agent: *\nDisallow: /forbidden/\nSitemap: %s/sitemap-index.xml\n"

func (s *madeSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.RequestURI()
	switch {
	case path == "/robots.txt":
		fmt.Fprintf(w, madeRobots, s.base)
	case path == "/sitemap-index.xml":
		fmt.Fprintf(w, `<sitemapindex><sitemap><loc>%s/sitemap-1.xml</loc></sitemap></sitemapindex>`, s.base)
	case path == "/sitemap-1.xml":
		s.serveSitemap(w)
	case s.pages[path] != nil:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		s.pages[path].write(w, s.base, path)
	case s.other[r.URL.Path] != nil:
		s.other[r.URL.Path](w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *madeSite) serveSitemap(w http.ResponseWriter) {
	var b strings.Builder
	b.WriteString("<urlset>")
	for _, path := range s.order {
		if !s.hidden[path] {
			b.WriteString("<url><loc>" + html.EscapeString(s.base+path) + "</loc></url>\n")
		}
	}
	for _, path := range s.listed {
		b.WriteString("<url><loc>" + s.base + path + "</loc></url>\n")
	}
	b.WriteString("</urlset>")
	w.Write([]byte(b.String()))
}

func (p *madePage) write(w http.ResponseWriter, base, path string) {
	var b strings.Builder
	b.WriteString("<!doctype html><html lang=en><head><meta charset=utf-8>\n<title>" + p.title + "</title>\n")
	b.WriteString(`<meta name="description" content="` + p.description + `">` + "\n")
	if p.noindex {
		b.WriteString(`<meta name=robots content=noindex>`)
	}
	switch p.canonical {
	case "-":
	case "":
		b.WriteString(`<link rel=canonical href="` + base + html.EscapeString(path) + `">` + "\n")
	default:
		b.WriteString(`<link rel=canonical href="` + base + p.canonical + `">` + "\n")
	}
	for i, alternate := range p.alternates {
		b.WriteString(`<link rel=alternate hreflang=` + []string{"de", "en"}[i%2] + ` href="` + base + alternate + `">` + "\n")
	}
	b.WriteString("</head><body><h1>" + p.h1 + "</h1><p>" + text(p.seed, p.words) + p.after + "</p>\n")
	if !p.bare {
		b.WriteString(strings.Join(p.links, "\n"))
	}
	b.WriteString("</body></html>")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.Write([]byte(b.String()))
}

// want returns the addresses that a check has to name, sorted.
func (s *madeSite) want(check string) []string {
	return slices.Sorted(maps.Keys(s.faults[check]))
}
