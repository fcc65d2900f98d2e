package audit

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"sitegrade/audit/robots"
	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// A Series is the audits of the pages of one site by one crawl. They share the requests to the site and what several pages load, so that
// each of these is asked for once, and they leave the links within the site to the crawl, which asks for all of them. It is safe for
// concurrent use.
type Series struct {
	auditor *Auditor
	start   *weburl.URL
	header  http.Header

	// Remember is told what the series would ask for again in another run of the crawl, beside robots.txt, sitemaps and pages: as text that Remind
	// takes. It is called by several goroutines at once; nil for nobody.
	Remember func(text []byte)

	mu       sync.Mutex
	robots   map[string]*robotsFile // by origin
	sitemaps []sitemapFile
	known    bool // the sitemaps were looked for by the crawl
	sparing  bool
	loaded   loaded

	siteTurn chan struct{} // whoever holds it may set site
	site     *sharedSite
}

// robotsFile is the robots.txt of an origin, as it came.
type robotsFile struct {
	fetch.Result
	rules *robots.File // nil when it has none (4xx)
}

// sharedSite is what the requests to the site found, made for one of its pages.
type sharedSite struct {
	site
	page *weburl.URL
}

// NewSeries returns the series of a crawl that begins at start. The site is that of start's host, with and without "www.", by http and
// https. header goes with each request to it, and with no other; nil for none. Where start is https, it does not go with those by http.
func (a *Auditor) NewSeries(start *weburl.URL, header http.Header) *Series {
	s := &Series{auditor: a, start: start, header: header, robots: map[string]*robotsFile{}, siteTurn: make(chan struct{}, 1)}
	s.loaded.answers = map[loadedKey]*loadedAnswer{}
	return s
}

// Spare has the audits that follow ask the site for nothing but the page, robots.txt and sitemaps: it is for sites that want pauses
// between requests.
func (s *Series) Spare() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sparing = true
}

func (s *Series) isSparing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sparing
}

// isInside reports whether a URL belongs to the site. Nothing does to that of a nil series.
func (s *Series) isInside(u *weburl.URL) bool {
	return s != nil && u.IsWeb() && u.HostKey() == s.start.HostKey()
}

// headerFor returns the header that goes with a request of the series for u. One that began with https sends it over nothing else.
func (s *Series) headerFor(u *weburl.URL) http.Header {
	if !s.isInside(u) || u.Scheme() != "https" && s.start.Scheme() == "https" {
		return nil
	}
	return s.header.Clone()
}

// mayAsk reports whether robots.txt lets the audits of the series ask for a URL. An origin whose file was not read has that of the start.
// A nil series asks for everything.
func (s *Series) mayAsk(u *weburl.URL) bool {
	if !s.isInside(u) || u.Path() == "/robots.txt" {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	file := s.robots[u.Origin()]
	if file == nil {
		file = s.robots[s.start.Origin()]
	}
	return file == nil || !file.isOut() && file.rules.Allowed(robotsToken, u)
}

// isOut reports whether the server could not say what it forbids, which forbids everything (RFC 9309, section 2.3.1.4).
func (f *robotsFile) isOut() bool {
	return f.Failure != nil || f.Status >= 500 || f.Status == http.StatusTooManyRequests
}

// Robots asks for the robots.txt of u's origin. The error is ctx's own.
func (s *Series) Robots(ctx context.Context, u *weburl.URL) (Robots, error) {
	own := s.auditor.allot(ctx)
	defer own.leave()
	r := s.run(own)
	found, _ := r.get(own, u.WithPath("/robots.txt"), acceptAnything, robotsRead)
	if ctx.Err() != nil {
		return Robots{}, ctx.Err()
	}
	seen := Robots{Status: found.Status, Failure: found.Failure, RetryAfter: retryAfter(&found)}
	if found.Failure == nil && found.Status >= 200 && found.Status < 300 {
		seen.Body = found.Body
	}
	s.keepRobots(u, found)
	return seen, nil
}

// Robots is what came of a request for robots.txt.
type Robots struct {
	Status     int      // 0 without a response
	Failure    *Failure // why there is no response
	Body       []byte   // of a response with a status of success
	RetryAfter string   // the header of that name
}

// Recall tells the series of the robots.txt of u's origin that an earlier run of the crawl has asked for.
func (s *Series) Recall(u *weburl.URL, seen Robots) {
	u = u.WithPath("/robots.txt")
	found := fetch.Result{Response: fetch.Response{URL: u, Status: seen.Status, Header: http.Header{}, Body: seen.Body, Size: int64(len(seen.Body))}}
	found.Failure = seen.Failure
	s.keepRobots(u, found)
}

func (s *Series) keepRobots(u *weburl.URL, found fetch.Result) {
	file := &robotsFile{Result: found}
	if found.Failure == nil && found.Status >= 200 && found.Status < 300 {
		file.rules = robots.Parse(found.Body)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.robots[u.Origin()] = file
}

// robotsOf returns the robots.txt for the page of a run.
func (s *Series) robotsOf(ctx context.Context, r *run) (*fetch.Result, *robots.File) {
	s.mu.Lock()
	file := s.robots[r.facts.final.Origin()]
	s.mu.Unlock()
	if file == nil {
		found, _ := r.get(ctx, r.facts.final.WithPath("/robots.txt"), acceptAnything, robotsRead)
		s.keepRobots(r.facts.final, found)
		s.mu.Lock()
		file = s.robots[r.facts.final.Origin()]
		s.mu.Unlock()
	}
	return &file.Result, file.rules
}

// Sitemap is what a file that may be a sitemap says.
type Sitemap struct {
	Status     int      // 0 without a response
	Failure    *Failure // why there is no response
	RetryAfter string   // the header of that name
	sitemap.Contents
}

// maxKeptSitemaps is how many sitemaps the checks of pages look at.
const maxKeptSitemaps = 100

// Sitemap reads the sitemap at u and gives each address to listed, as written there. The error is ctx's own.
func (s *Series) Sitemap(ctx context.Context, u *weburl.URL, listed func(address string)) (Sitemap, error) {
	own := s.auditor.allot(ctx)
	defer own.leave()
	file := s.run(own).listSitemap(own.clock, u, nil, listed)
	if ctx.Err() != nil {
		return Sitemap{}, ctx.Err()
	}
	s.keepSitemap(file)
	return Sitemap{Status: file.Status, Failure: file.Failure, RetryAfter: retryAfter(&file.Result), Contents: file.Contents}, nil
}

// RecallSitemap tells the series of a sitemap that an earlier run of the crawl has read.
func (s *Series) RecallSitemap(u *weburl.URL, seen Sitemap) {
	s.keepSitemap(sitemapFile{
		Result:   fetch.Result{Response: fetch.Response{URL: u, Status: seen.Status, Header: http.Header{}}, Failure: seen.Failure},
		Contents: seen.Contents,
	})
}

func (s *Series) keepSitemap(file sitemapFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known = true
	if len(s.sitemaps) < maxKeptSitemaps {
		s.sitemaps = append(s.sitemaps, file)
	}
}

// knowsSitemaps reports whether the crawl itself has looked for sitemaps.
func (s *Series) knowsSitemaps() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known
}

// run returns a run for a request that belongs to no page.
func (s *Series) run(own *allotment) *run {
	return &run{client: s.auditor.client, own: own, options: s.auditor.Options, series: s}
}

// shareSite fills in what the requests to the site found. They are made for the first page.
func (s *Series) shareSite(ctx context.Context, r *run) {
	if s.isSparing() {
		s.addSitemaps(&r.facts.site)
		return
	}
	select {
	case s.siteTurn <- struct{}{}:
		defer func() { <-s.siteTurn }()
	case <-ctx.Done():
		return
	}
	if s.site != nil {
		r.facts.site = s.site.forPage(r.facts)
		return
	}
	r.fetchOwnSite(ctx)
	s.addSitemaps(&r.facts.site)
	if ctx.Err() == nil {
		s.site = &sharedSite{r.facts.site, r.facts.final}
		s.remember(remembered{Site: rememberSite(s.site)})
	}
}

func (s *Series) addSitemaps(found *site) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found.sitemaps = append(found.sitemaps, s.sitemaps...)
}

// forPage returns the site as another of its pages finds it. Where a variant of the first page's URL led to that page, those of this page's
// URL would lead to this page.
func (s *sharedSite) forPage(f *facts) site {
	found := s.site
	found.robots, found.rules = f.site.robots, f.site.rules
	found.insecure = variantOf(s.insecure, s.page, f.final)
	found.otherHost = variantOf(s.otherHost, s.page, f.final)
	return found
}

// variantOf returns what came of a variant of from's URL as it would be for that of to.
func variantOf(variant *fetch.Result, from, to *weburl.URL) *fetch.Result {
	if variant == nil || variant.Failure != nil || !samePlace(variant.URL, from) {
		return variant
	}
	other := *variant
	other.URL = to
	other.Redirects = nil
	for _, hop := range variant.Redirects {
		u := weburl.Restore(hop)
		other.Redirects = append(other.Redirects, strings.Replace(hop, u.Origin()+from.Target(), u.Origin()+to.Target(), 1))
	}
	return &other
}
