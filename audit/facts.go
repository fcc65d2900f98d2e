package audit

import (
	"time"

	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// facts is everything that the checks look at. It is gathered once; the checks are pure functions of it.
type facts struct {
	now       time.Time
	address   *weburl.URL    // that was asked for
	final     *weburl.URL    // that answered, after redirects
	redirects []string       // URLs on the way, without the final one
	response  fetch.Response // the final one
	cookies   []string       // lines of Set-Cookie, those of redirects too
	doc       *page.Document
	site      site                // class b
	resources []resource          // class c, in the order of the document, links after css, js and images
	leftOut   [resourceKinds]bool // whether the page has resources of a kind that were not asked for
	sample    string              // see sampleName
	timings   Timings             // Total is set after the checks
	inSeries  bool                // the page is one of a crawl, which knows of all pages what one alone could only sample
}

// site is what the requests to the site beside the page found.
type site struct {
	robots    *fetch.Result // /robots.txt
	rules     *robots.File  // its rules; nil when there are none to apply (4xx)
	sitemaps  []sitemapFile // what was looked at: the declared ones, or /sitemap.xml
	notFound  *fetch.Result // a random path
	foreign   *fetch.Result // the page as a script of another site asks for it
	insecure  *fetch.Result // the http: variant of an https page, redirects followed
	otherHost *fetch.Result // the page with www. added or taken away, redirects followed
	favicon   *fetch.Result
	llms      *fetch.Result

	agents     []agentVisit // the page as agents ask for it
	markdown   *siteFile    // the page as Markdown, where it is offered
	agentsMD   *siteFile    // /AGENTS.md
	apiCatalog *siteFile    // /.well-known/api-catalog
	cards      []*siteFile  // as cardKinds
	license    *siteFile    // the first of those that robots.txt and the page name
}

// resourceKind says what the page uses a sampled URL for.
type resourceKind uint8

const (
	stylesheetResource resourceKind = iota
	scriptResource
	imageResource
	internalLink
	externalLink
	canonicalTarget
	hreflangTarget
	resourceKinds // how many there are
)

// resource is a sampled URL.
type resource struct {
	kind resourceKind
	fetch.Result
	evidence  Evidence // where the page names it
	truncated bool     // the body is not whole: HEAD, or over the sample's limit
}
