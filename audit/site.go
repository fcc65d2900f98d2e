package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"sitegrade/audit/robots"
	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

const (
	// robotsRead is a little more than counts of a robots.txt, so that a longer one is noticed.
	robotsRead = robots.MaxSize + 4<<10
	// llmsRead is how much of an llms.txt is looked at.
	llmsRead = 64 << 10
	// declaredSitemaps is how many sitemaps of a robots.txt are tried.
	declaredSitemaps = 3
	// sitemapTimeout leaves time for a file of 50 MB.
	sitemapTimeout = 10 * time.Second
)

// siteRequests are the kinds of requests to the site beside robots.txt, in the order in which a lower limit leaves them
// out from the end.
var siteRequests = []func(*run, context.Context){
	(*run).fetchSitemaps,
	(*run).fetchNotFound,
	(*run).fetchVariants,
	(*run).fetchFavicon,
	(*run).fetchLlms,
	(*run).fetchForeign,
	(*run).fetchAsAgents,
	(*run).fetchMarkdown,
	(*run).fetchAgentFiles,
}

// fetchSite makes the requests of class b that come after robots.txt, all at once. Each fills its own fields of the site.
func (r *run) fetchSite(ctx context.Context) {
	if r.series != nil {
		r.series.shareSite(ctx, r)
		return
	}
	r.fetchOwnSite(ctx)
}

// fetchOwnSite is fetchSite for an audit that shares nothing.
func (r *run) fetchOwnSite(ctx context.Context) {
	kinds := min(max(r.options.SiteRequests-1, 0), len(siteRequests)) // robots.txt was one
	var all sync.WaitGroup
	for _, fetch := range siteRequests[:kinds] {
		all.Go(func() { fetch(r, ctx) })
	}
	all.Wait()
}

// fetchRobots gets robots.txt, which must be known before anything else is asked for.
func (r *run) fetchRobots(ctx context.Context) {
	if r.series != nil {
		r.facts.site.robots, r.facts.site.rules = r.series.robotsOf(ctx, r)
		return
	}
	if r.options.SiteRequests < 1 {
		return
	}
	found, _ := r.get(ctx, r.facts.final.WithPath("/robots.txt"), acceptAnything, robotsRead)
	r.facts.site.robots = &found
	if found.Failure == nil && found.Status >= 200 && found.Status < 300 {
		r.facts.site.rules = robots.Parse(found.Body)
	}
}

// fetchSitemaps looks at the sitemaps of robots.txt and then at /sitemap.xml until one can be read, and at the first file of an
// index.
func (r *run) fetchSitemaps(ctx context.Context) {
	if r.series.knowsSitemaps() {
		return
	}
	limited := startClock(ctx, sitemapTimeout)
	defer limited.stop()
	wanted := r.facts.canonicalAddress()
	if wanted == nil {
		wanted = r.facts.final
	}
	declared := r.declaredSitemaps()
	candidates := declared
	if usual := r.facts.final.WithPath("/sitemap.xml"); !containsAddress(declared, usual) {
		candidates = append(slices.Clip(declared), usual)
	}
	for i, u := range candidates {
		found := r.fetchSitemap(limited, u, wanted)
		found.declared = i < len(declared)
		r.facts.site.sitemaps = append(r.facts.site.sitemaps, found)
		if !found.found() {
			continue
		}
		if first := weburl.Resolve(found.URL, found.First); found.Kind == sitemap.Index && first != nil && first.Check() == nil {
			file := r.fetchSitemap(limited, first, wanted)
			file.inIndex = true
			r.facts.site.sitemaps = append(r.facts.site.sitemaps, file)
		}
		return
	}
}

// declaredSitemaps returns the first sitemaps that robots.txt names and that can be asked for.
func (r *run) declaredSitemaps() []*weburl.URL {
	var found []*weburl.URL
	if r.facts.site.rules == nil {
		return nil
	}
	for _, declared := range r.facts.site.rules.Sitemaps {
		u := weburl.Resolve(nil, declared)
		if u == nil || u.Check() != nil || containsAddress(found, u) {
			continue
		}
		if found = append(found, u); len(found) == declaredSitemaps {
			break
		}
	}
	return found
}

func containsAddress(all []*weburl.URL, u *weburl.URL) bool {
	return slices.ContainsFunc(all, func(other *weburl.URL) bool { return other.WithoutFragment().String() == u.WithoutFragment().String() })
}

// fetchSitemap reads a sitemap in passing and looks for the wanted page in it.
func (r *run) fetchSitemap(ctx *clock, u, wanted *weburl.URL) sitemapFile {
	return r.listSitemap(ctx, u, wanted, func(string) {})
}

// listSitemap is fetchSitemap for those who want the addresses too.
func (r *run) listSitemap(ctx *clock, u, wanted *weburl.URL, listed func(string)) sitemapFile {
	e, failure := r.open(ctx, r.request(http.MethodGet, u, acceptAnything, ctx))
	if failure != nil {
		return sitemapFile{Result: fetch.Failed(u, failure)}
	}
	defer e.Close()
	if e.Status != http.StatusOK {
		e.Discard()
		return sitemapFile{Result: e.Result}
	}
	if fetch.NeedsWindow(e.Encoding) {
		if err := r.own.windows.enter(ctx, 1, r.own.behind); err != nil {
			return sitemapFile{Result: fetch.Failed(u, fetch.TimedOut())}
		}
		defer r.own.windows.leave(1, r.own.behind)
	}
	// A little beyond the limit, which the reader of the sitemap watches itself.
	body, err := e.Stream(sitemap.MaxSize + 1<<20)
	if err != nil {
		return sitemapFile{Result: fetch.Failed(u, fetch.BodyFailure(ctx, err, sitemap.MaxSize))}
	}
	defer body.Close()
	contents, err := sitemap.List(body, wanted, listed)
	if err != nil {
		return sitemapFile{Result: fetch.Failed(u, fetch.BodyFailure(ctx, err, sitemap.MaxSize))}
	}
	e.Size = contents.Size
	return sitemapFile{Result: e.Result, Contents: contents}
}

// fetchNotFound asks for an address that does not exist. It is another one for each host and the same at each audit, so that
// the same page gives the same report.
func (r *run) fetchNotFound(ctx context.Context) {
	sum := sha256.Sum256([]byte("no such page at " + r.facts.final.Host()))
	found, _ := r.get(ctx, r.facts.final.WithPath("/"+hex.EncodeToString(sum[:12])), acceptPage, 0)
	r.facts.site.notFound = &found
}

// fetchVariants asks for the page by http: where it came by https:, and with www. added to its host or taken away.
func (r *run) fetchVariants(ctx context.Context) {
	final := r.facts.final
	var both sync.WaitGroup
	if final.Scheme() == "https" && final.Port() == "" {
		both.Go(func() { r.facts.site.insecure = r.variant(ctx, "http", final.Host()) })
	}
	if host := otherHost(final); host != "" {
		both.Go(func() { r.facts.site.otherHost = r.variant(ctx, final.Scheme(), host) })
	}
	both.Wait()
}

func (r *run) variant(ctx context.Context, scheme, host string) *fetch.Result {
	found, _ := r.get(ctx, r.facts.final.WithHost(scheme, host), acceptPage, 0)
	return &found
}

// otherHost returns the host with "www." taken away, or added to a registrable domain; "" where neither makes sense.
func otherHost(u *weburl.URL) string {
	name := strings.TrimSuffix(u.Hostname(), ".")
	if bare, ok := strings.CutPrefix(name, "www."); ok {
		if !strings.Contains(bare, ".") {
			return ""
		}
		return strings.Replace(u.Host(), name, bare, 1)
	}
	if _, isIP := u.IP(); !isIP && isRegistrable(name) {
		return "www." + u.Host()
	}
	return ""
}

// isRegistrable reports whether a host is a registrable domain, such as example.co.uk.
func isRegistrable(name string) bool {
	domain, err := publicsuffix.EffectiveTLDPlusOne(name)
	return err == nil && domain == name
}

// fetchFavicon asks for the icon that the page names, and for /favicon.ico where there is none that answers.
func (r *run) fetchFavicon(ctx context.Context) {
	var named *fetch.Result
	if u := r.iconAddress(); u != nil {
		found := r.head(ctx, u, acceptImage)
		if named = &found; found.Failure == nil && found.Status < 400 {
			r.facts.site.favicon = named
			return
		}
	}
	usual := r.head(ctx, r.facts.final.WithPath("/favicon.ico"), acceptImage)
	if named != nil && (usual.Failure != nil || usual.Status >= 400) {
		r.facts.site.favicon = named
		return
	}
	r.facts.site.favicon = &usual
}

// iconAddress returns the address of the first icon that the page names and that can be asked for.
func (r *run) iconAddress() *weburl.URL {
	for _, l := range r.facts.doc.Links {
		if slices.Contains(l.Rel, "icon") && l.URL != nil && l.URL.Check() == nil {
			return l.URL
		}
	}
	return nil
}

func (r *run) fetchLlms(ctx context.Context) {
	found, _ := r.get(ctx, r.facts.final.WithPath("/llms.txt"), acceptAnything, llmsRead)
	r.facts.site.llms = &found
}

// foreignOrigin is the origin of a site that no server has a reason to trust (RFC 2606).
const foreignOrigin = "https://stranger.example"

// fetchForeign asks for the page as a script of another site does, since many servers answer with the origin that asks.
func (r *run) fetchForeign(ctx context.Context) {
	found := r.visit(ctx, func(request *fetch.Request) {
		if request.Header == nil {
			request.Header = http.Header{}
		}
		request.Header.Set("Origin", foreignOrigin)
	})
	r.facts.site.foreign = &found
}
