package crawl

import (
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/audit/sitemap"
	"sitegrade/weburl"
)

// paths returns what a crawl asked for, sorted, without the requests to the site.
func (r *run) paths() []string {
	var all []string
	for address := range r.asked {
		path := strings.TrimPrefix(address, fakeBase)
		if path != "/robots.txt" && !strings.Contains(path, "sitemap") {
			all = append(all, path)
		}
	}
	slices.Sort(all)
	return all
}

func (s fakeSite) robots(text string) fakeSite {
	s["/robots.txt"] = Visit{Status: 200, Robots: text}
	return s
}

func (s fakeSite) sitemap(path string, kind sitemap.Kind, listed ...string) {
	listing := &Listing{Contents: sitemap.Contents{Kind: kind}}
	for _, to := range listed {
		listing.Listed = append(listing.Listed, fakeBase+to)
	}
	s[path] = Visit{Status: 200, Sitemap: listing}
}

func TestWhatIsAskedFor(t *testing.T) {
	links := func(pages ...string) fakeSite {
		s := fakeSite{}
		s.page("/", pages...)
		for _, path := range pages {
			s.page(path)
		}
		return s
	}
	chain := fakeSite{}
	chain.page("/", "/1")
	chain.page("/1", "/2", "/to-3")
	chain.page("/2", "/4")
	chain.redirect("/to-3", "/3")
	chain.page("/3", "/4")
	late := fakeSite{}
	late.page("/", "/long", "/redirect")
	late.page("/long", "/x")
	late.redirect("/redirect", "/redirect-2")
	late.redirect("/redirect-2", "/redirect-3")
	late.redirect("/redirect-3", "/x")
	late.page("/x", "/y")
	listed := links("/a")
	listed.sitemap("/sitemap.xml", sitemap.URLs, "/b", "/a")
	listed.page("/b", "/c")
	index := fakeSite{}.robots("Sitemap: https://example.com/maps/sitemap.xml\nSitemap: https://cdn.example/sitemap.xml\n")
	index.page("/")
	index.sitemap("/maps/sitemap.xml", sitemap.Index, "/maps/sitemap-1.xml.gz")
	index.sitemap("/maps/sitemap-1.xml.gz", sitemap.URLs, "/a", "/b")
	elsewhere := fakeSite{}
	elsewhere.redirect("/", "https://other.example/")
	withWWW := fakeSite{}
	withWWW.redirect("/", "https://www.example.com/home")
	withWWW.page("/home", "/a")
	others := fakeSite{}
	others.page("/")
	others["/"] = Visit{Status: 200, IsPage: true, Links: []Link{
		{Target: "https://www.example.com/w"}, {Target: "http://example.com/h"}, {Target: "https://sub.example.com/"}, {Target: "https://example.com:8443/"},
	}}
	versions := fakeSite{}
	versions["/"] = Visit{Status: 200, IsPage: true, Canonical: fakeBase + "/canonical", Versions: []string{fakeBase + "/de"}}
	spelled := fakeSite{}
	spelled.page("/", "/%7euser", "/~user", "/caf%c3%a9", "/caf%C3%A9")
	for _, test := range []struct {
		name string
		site fakeSite
		o    Options
		want string
	}{
		{"links", links("/a", "/b/"), Options{}, "/ /a /b/"},
		{"other bots' groups", links("/a").robots("User-agent: OtherBot\nDisallow: /\n"), Options{}, "/ /a"},
		{"our own group", links("/a").robots("User-agent: *\nDisallow: /\nUser-agent: Sitegrade\nDisallow: /a\n"), Options{}, "/"},
		{"robots.txt with an error", func() fakeSite { s := links("/a"); s["/robots.txt"] = Visit{Status: 500}; return s }(), Options{}, ""},
		{"robots.txt without an answer", func() fakeSite { s := links("/a"); s["/robots.txt"] = Visit{Failure: "timeout"}; return s }(), Options{}, ""},
		{"robots.txt that is not there", links("/a"), Options{}, "/ /a"},
		{"depth", chain, Options{MaxDepth: 2}, "/ /1 /2 /3 /to-3"},
		{"depth by a way that is found late", late, Options{MaxDepth: 2}, "/ /long /redirect /redirect-2 /redirect-3 /x /y"},
		{"exclude beats include", links("/a/1", "/a/2", "/b"), Options{Include: []string{"/a/*"}, Exclude: []string{"*/2"}}, "/ /a/1"},
		{"patterns match the whole address", links("/a", "/a/b", "/b/a"), Options{Include: []string{"/a"}}, "/ /a"},
		{"patterns with the host", links("/a", "/b"), Options{Include: []string{"https://example.com/b*"}}, "/ /b"},
		{"the start is asked for all the same", links("/a"), Options{Exclude: []string{"*"}}, "/"},
		{"sitemaps beside links", listed, Options{}, "/ /a /b /c"},
		{"sitemaps alone", listed, Options{Mode: Sitemaps}, "/ /a /b"},
		{"the list alone", listed, Options{Mode: List}, "/"},
		{"an index", index, Options{}, "/ /a /b"},
		{"few pages", links("/a", "/b", "/c"), Options{MaxPages: 2}, "/ /a"},
		{"a start that redirects elsewhere", elsewhere, Options{}, "/"},
		{"a start that redirects to www.", withWWW, Options{}, "/ /a https://www.example.com/home"},
		{"hosts", others, Options{}, "/ http://example.com/h https://www.example.com/w"},
		{"canonicals and versions", versions, Options{}, "/ /canonical /de"},
		{"two spellings of one address", spelled, Options{}, "/ /%7euser /caf%c3%a9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := []string{}
			for _, path := range test.site.crawl(test.o).paths() {
				if !strings.HasSuffix(path, "/robots.txt") {
					got = append(got, path)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%q, want %q", strings.Join(got, " "), test.want)
			}
		})
	}
}

func TestListAsksForWhatIsGiven(t *testing.T) {
	var start []*weburl.URL
	for _, address := range []string{"/a", "/b#x", "/b", "https://other.example/"} {
		start = append(start, weburl.Resolve(weburl.Restore(fakeBase+"/"), address))
	}
	s := fakeSite{}
	s.page("/a", "/c")
	r := &run{Frontier: New(Options{Mode: List}, start...), site: s, asked: map[string]int{}}
	for r.step(first) {
	}
	if got := strings.Join(r.paths(), " "); got != "/a /b" {
		t.Errorf("asked for %s", got)
	}
	if limits := r.Limits(); len(limits) != 1 || limits[0].Limit != "off_site" || limits[0].Addresses != 1 {
		t.Errorf("%+v", limits)
	}
}

func TestRests(t *testing.T) {
	s := fakeSite{}
	s.page("/", "/busy", "/a", "/b")
	s["/busy"] = Visit{Status: 503, RetryAfter: "120"}
	s.page("/a")
	s.page("/b")
	r := s.start(Options{})
	var times []time.Duration
	begin := r.now
	for {
		before := r.asked[fakeBase+"/busy"]
		if !r.step(first) {
			break
		}
		if r.asked[fakeBase+"/busy"] > before {
			times = append(times, r.now.Sub(begin))
		}
	}
	if want := []time.Duration{0, 2 * time.Minute, 4 * time.Minute, 6 * time.Minute}; !slices.Equal(times, want) {
		t.Errorf("the busy address was asked for at %v, want %v", times, want)
	}
	if p := r.Progress(); p.Done != 4 || p.Failed != 0 {
		t.Errorf("%+v", p)
	}
}

func TestRest(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": usualRest, "5": 5 * time.Second, "soon": usualRest, "-3": 0, "999999": mostRest,
		"Sat, 21 Nov 2026 12:00:30 GMT": 30 * time.Second, "Sat, 21 Nov 2026 11:00:00 GMT": 0,
	} {
		v := Visit{At: at, RetryAfter: text}
		if got := v.rest(); got != want {
			t.Errorf("%q rests %v, want %v", text, got, want)
		}
	}
}

func TestPauses(t *testing.T) {
	s := fakeSite{}.robots("User-agent: *\nCrawl-delay: 60\n")
	s.page("/", "/a", "/b")
	r := s.start(Options{})
	last := time.Time{}
	for {
		n := len(r.asked)
		if !r.step(first) {
			break
		}
		if len(r.asked) > n && len(r.asked) > 3 { // after robots.txt, the sitemap and the start
			if r.now.Sub(last) < mostDelay {
				t.Errorf("%v between two requests", r.now.Sub(last))
			}
		}
		if len(r.asked) > n {
			last = r.now
		}
	}
	if len(r.asked) != 5 || r.Delay() != mostDelay {
		t.Errorf("%d addresses, %v between them", len(r.asked), r.Delay())
	}
}

// A page leads to others, each of them to more of its kind: what is endless is cut off, and what is not is crawled whole.
func TestTraps(t *testing.T) {
	for _, test := range []struct {
		name    string
		next    func(path string, n int) []string // what the nth page of a trap leads to
		entry   string
		endless bool
	}{
		{"months in the path", func(_ string, n int) []string { return []string{fmt.Sprintf("/cal/%d/%02d", 2030+n/12, n%12+1)} }, "/cal/2026/11", true},
		{"months with names", func(_ string, n int) []string { return []string{fmt.Sprintf("/cal/%s-%d", months[n%12], 2030+n/12)} }, "/cal/november-2026", true},
		{"sessions", func(_ string, n int) []string {
			return []string{fmt.Sprintf("/a?sid=%d", 3*n), fmt.Sprintf("/b?sid=%d", 3*n+1), fmt.Sprintf("/c?x=1&sid=%d", 3*n+2)}
		}, "/a?sid=x", true},
		{"made-up values", func(_ string, n int) []string {
			return []string{fmt.Sprintf("/a?v=%016xa1", uint64(n)*0x9e3779b97f4a7c15), fmt.Sprintf("/b?v=%016xb2", uint64(n)*0x9e3779b97f4a7c15)}
		}, "/a?v=0123456789abcdef", true},
		{"filters", func(_ string, n int) []string {
			return []string{fmt.Sprintf("/shop?color=%d&size=%d&sort=%d", n, n+1, n%2)}
		}, "/shop?color=0&size=0&sort=0", true},
		{"segments that come again", func(path string, _ int) []string { return []string{path + "b/a/"} }, "/a/", true},
		{"pages turned one by one", func(_ string, n int) []string { return []string{fmt.Sprintf("/list?page=%d", n+2)} }, "/list?page=1", true},
		{"a tree of numbers", func(_ string, n int) []string {
			var all []string
			for i := range 10 {
				if 10*n+i < 2000 {
					all = append(all, fmt.Sprintf("/item/%d", 10*n+i))
				}
			}
			return all
		}, "/item/0", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := fakeSite{}.start(Options{MaxPages: 3000})
			r.site.page("/last", "/")
			r.site["/"] = Visit{Status: 200, IsPage: true, Links: []Link{{Target: fakeBase + test.entry}, {Target: fakeBase + "/last"}}}
			for n := 0; n < 20_000 && r.stepInTrap(test.next); n++ {
			}
			limits := r.Limits()
			for _, l := range limits {
				holdsRecognised(t, l.Detail)
			}
			cut := slices.ContainsFunc(limits, func(l Limit) bool {
				return l.Limit == "trap" && l.Addresses > 0 && strings.Contains(l.Detail, fakeBase)
			})
			if cut != test.endless {
				t.Errorf("cut off: %v, after %d addresses: %v", cut, len(r.asked), limits)
			}
			if test.endless && len(r.asked) > mostSteps+10 {
				t.Errorf("%d addresses were asked for", len(r.asked))
			}
			named := map[string]int{}
			for issue := range r.Findings().Issues() {
				named[issue.Check]++
			}
			if test.endless && named["duplicate-title"] > 20 {
				t.Errorf("what was cut off takes part in checks: %v", named)
			}
		})
	}
}

// stepInTrap is step for a site whose pages make more of themselves as they are asked for.
func (r *run) stepInTrap(next func(string, int) []string) bool {
	for _, a := range r.under {
		path := a.URL.Target()
		if _, met := r.site[path]; met || a.Kind != Page {
			continue
		}
		v := Visit{Status: 200, IsPage: true, Title: "The same", TextHash: path}
		for _, to := range next(path, len(r.site)) {
			v.Links = append(v.Links, Link{Target: fakeBase + to})
		}
		r.site[path] = v
	}
	return r.step(first)
}

func TestNoTrapWhereOthersLead(t *testing.T) {
	s := fakeSite{}
	var days []string
	for i := range 300 {
		day := fmt.Sprintf("/diary/%d-%02d-%02d", 2020+i/336, i/28%12+1, i%28+1)
		days = append(days, day)
		s.page(day, "/")
	}
	s.page("/", days...)
	if r := s.crawl(Options{}); len(r.asked) < 300 || len(r.Limits()) > 0 {
		t.Errorf("%d of 300 days, %v", len(r.asked), r.Limits())
	}
}

// Near finds each pair that comparing all with all finds, once.
func TestNear(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	unique := map[uint64]bool{}
	for range 300 {
		hash := random.Uint64()
		for range 6 {
			unique[hash] = true
			for range random.IntN(5) {
				hash ^= 1 << random.IntN(64)
			}
		}
	}
	hashes := slices.Sorted(maps.Keys(unique))
	want, got := map[[2]int]int{}, map[[2]int]int{}
	for i := range hashes {
		for j := range i {
			if bits.OnesCount64(hashes[i]^hashes[j]) <= mostApart {
				want[[2]int{j, i}] = 1
			}
		}
	}
	near(hashes, func(i, j int) { got[[2]int{i, j}]++ })
	if len(want) < 1000 || !maps.Equal(got, want) {
		t.Errorf("%d pairs, want %d", len(got), len(want))
	}
}

func TestSimHash(t *testing.T) {
	if SimHash("two words") != 0 {
		t.Error("a text of two words has a hash")
	}
	if SimHash("One two  THREE four") != SimHash("one two three\nfour") {
		t.Error("case or white space changes the hash")
	}
	// FNV-1a of "a b c", which is the only feature.
	if got := SimHash("A b c"); got != 0x69cf480885ad45af {
		t.Errorf("%#x", got)
	}
}

// Where not every sitemap was read, nobody knows what they leave out.
func TestMissingInSitemap(t *testing.T) {
	for robots, want := range map[string]int{
		"Sitemap: https://example.com/map.xml\n":                                           1,
		"Sitemap: https://example.com/map.xml\nSitemap: https://cdn.example/map.xml\n":     0,
		"Sitemap: https://example.com/map.xml\nSitemap: https://example.com/missing.xml\n": 1,
		"Sitemap: https://example.com/map.xml\nSitemap: https://example.com/error.xml\n":   0,
		"Sitemap: https://example.com/map.xml\nSitemap: https://example.com/forbidden/x\n": 0,
		"Sitemap: https://example.com/none.xml\n":                                          0,
		"": 0,
	} {
		s := fakeSite{}.robots("User-agent: *\nDisallow: /forbidden/\n" + robots)
		s.page("/", "/a")
		s.page("/a", "/")
		s.sitemap("/map.xml", sitemap.URLs, "/")
		s["/error.xml"] = Visit{Status: 500}
		n := 0
		for issue := range s.crawl(Options{}).Findings().Issues() {
			if issue.Check == "missing-in-sitemap" {
				n++
			}
		}
		if n != want {
			t.Errorf("%q: %d pages are missing, want %d", robots, n, want)
		}
	}
}

func TestLimits(t *testing.T) {
	s := fakeSite{}
	s.page("/", "/a", "/b", "/c")
	s.page("/a", "/deep")
	s["/b"] = Visit{Status: 403, Challenge: true}
	away := fakeSite{}
	away.redirect("/", "https://other.example/")
	out := fakeSite{"/robots.txt": Visit{Status: 503}}
	for _, test := range []struct {
		site fakeSite
		o    Options
		want string
	}{
		{s, Options{MaxPages: 2}, "max_pages 3"},
		{s, Options{MaxDepth: 1}, "max_depth 1, challenge 1"},
		{away, Options{}, "off_site 1"},
		{out, Options{}, "robots_txt 1"},
	} {
		var got []string
		for _, l := range test.site.crawl(test.o).Limits() {
			holdsRecognised(t, l.Detail)
			got = append(got, fmt.Sprint(l.Limit, " ", l.Addresses))
			if !strings.HasSuffix(l.Detail, ".") || strings.Contains(l.Detail, "%!") {
				t.Errorf("%q is no sentence", l.Detail)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
	}
}

// Texts with the same hash and others are near, equal texts are not.
func TestNearDuplicates(t *testing.T) {
	s := fakeSite{}
	var all []string
	add := func(path, text string, hash uint64, words int) {
		s.page(path)
		v := s[path]
		v.TextHash, v.SimHash, v.Words = text, hash, words
		s[path] = v
		all = append(all, path)
	}
	add("/same-hash-1", "a", 0xff00, 100)
	add("/same-hash-2", "b", 0xff00, 100)
	add("/same-hash-2-copy", "b", 0xff00, 100)
	add("/six-apart", "c", 0xff3f, 100)
	add("/seven-apart", "d", 0xff7f<<32, 100)
	add("/short", "e", 0xff00, 99)
	add("/copy-1", "f", 0xf0f0f0f0f0f0, 100)
	add("/copy-2", "f", 0xf0f0f0f0f0f0, 100)
	s.page("/", all...)
	named := map[string]int{}
	for issue := range s.crawl(Options{}).Findings().Issues() {
		if issue.Check == "near-duplicate-content" {
			named[strings.TrimPrefix(issue.URL, fakeBase)] = len(issue.Evidence)
		}
	}
	if want := map[string]int{"/same-hash-1": 2, "/same-hash-2": 2, "/same-hash-2-copy": 2, "/six-apart": 1}; !maps.Equal(named, want) {
		t.Errorf("%v, want %v", named, want)
	}
}

// What is returned comes again, and a crawl of it ends as any other.
func TestReturn(t *testing.T) {
	s := fakeSite{}
	s.page("/", "/a")
	s.page("/a")
	r := s.start(Options{})
	returned := map[string]bool{}
	for !r.Finished() {
		next, _, ok := r.Next(r.now)
		if !ok {
			t.Fatalf("nothing to ask for: %+v", r.Progress())
		}
		if !returned[next.URL.String()] {
			returned[next.URL.String()] = true
			r.Return(next)
			continue
		}
		r.Done(s.visit(next, r.now))
	}
	if p := r.Progress(); len(returned) != 4 || p.Done != 2 || p.Found != 2 {
		t.Errorf("%v: %+v", returned, p)
	}
}

// Where a limit kept the crawl from pages, one of these may link what a sitemap lists.
func TestNoOrphansWherePagesWereLeftOut(t *testing.T) {
	s := fakeSite{}
	s.page("/", "/a")
	s.page("/a", "/b")
	s.page("/alone", "/")
	s.sitemap("/sitemap.xml", sitemap.URLs, "/alone", "/later", "/b")
	s.page("/later", "/alone")
	s.page("/b")
	for most, want := range map[int]int{500: 1, 4: 0} { // with 500: /later
		n := 0
		for issue := range s.crawl(Options{MaxPages: most}).Findings().Issues() {
			if issue.Check == "orphan-page" {
				n++
			}
		}
		if n != want {
			t.Errorf("of %d pages, %d are orphans; want %d", most, n, want)
		}
	}
}

func TestScoreOfAPreview(t *testing.T) {
	for _, test := range []struct {
		canonical string
		want      int
	}{{"https://www.elsewhere.example/a", 70}, {fakeBase + "/b", 60}} {
		s := fakeSite{
			"/":  {Status: 200, IsPage: true, Score: 50, Links: []Link{{Target: fakeBase + "/a"}, {Target: fakeBase + "/b"}}},
			"/a": {Status: 200, IsPage: true, Score: 90, Canonical: test.canonical, Links: []Link{{Target: fakeBase + "/"}}},
			"/b": {Status: 200, IsPage: true, Score: 70, Links: []Link{{Target: fakeBase + "/"}}},
		}
		if got := s.crawl(Options{}).Findings().Summary(); got.Score == nil || *got.Score != test.want {
			t.Errorf("with the canonical %s: %+v, want %d", test.canonical, got, test.want)
		}
	}
}
