// Package crawl goes over a whole site: which address next, what the pages say of each other, and the checks across pages.
//
// A Frontier knows which addresses there are and gives out the next one. Whoever drives it, as a Driver does, asks for the address, with a
// Visitor or otherwise, and hands back a Visit: a small record of what was seen. The state of a frontier follows from its options and its visits alone,
// in the order in which they were handed back: a crawl that was interrupted goes on when they are handed to a new frontier. When no address
// is left, Findings says what is wrong across the pages.
//
// The package knows no storage, and no clock: times are given to it. A Frontier is not safe for concurrent use.
package crawl

import (
	"fmt"
	"time"

	"sitegrade/weburl"
)

// Mode says which addresses a crawl asks for.
type Mode string

// The modes.
const (
	Links    Mode = "links"   // the start, and what pages link or name as their versions, redirects lead to, and sitemaps list
	Sitemaps Mode = "sitemap" // the start, and what the site's sitemaps list
	List     Mode = "list"    // what is given, and nothing else
)

// Options say what a crawl asks for. The zero value of a field means the default that its comment names.
type Options struct {
	Mode     Mode     // Links
	MaxPages int      // addresses asked for, beside robots.txt and sitemaps; 500, at most 100,000
	MaxDepth int      // clicks from the start that are followed; 0: any number
	Include  []string // patterns, one of which an address must match; none: every address does
	Exclude  []string // patterns of addresses that are not asked for, whatever Include says
	// MaxRedirects is how many redirects in a row lead somewhere; 10. It limits no request, since a crawl asks for each address alone.
	MaxRedirects int
}

const (
	defaultPages     = 500
	mostPages        = 100_000
	defaultRedirects = 10
)

func (o Options) withDefaults() Options {
	if o.Mode == "" {
		o.Mode = Links
	}
	if o.MaxPages <= 0 {
		o.MaxPages = defaultPages
	}
	o.MaxPages = min(o.MaxPages, mostPages)
	if o.MaxRedirects <= 0 {
		o.MaxRedirects = defaultRedirects
	}
	return o
}

// Kind says what is at an address.
type Kind string

// The kinds of addresses that a frontier gives out.
const (
	Page    Kind = "page" // what may be a page
	Robots  Kind = "robots"
	Sitemap Kind = "sitemap"
	Beside  Kind = "beside" // what was asked for beside the crawl: the site, and what pages load; no frontier hears of it
)

// Address is what to ask for next.
type Address struct {
	URL  *weburl.URL
	Kind Kind
}

// Politeness, as a site may expect it.
const (
	// mostAtOnce is how many addresses are under way at once.
	mostAtOnce = 2
	// mostDelay is the longest Crawl-delay that is kept.
	mostDelay = 10 * time.Second
	// mostTries is how often an address is asked for that answers with 429 or 503.
	mostTries = 4
	// usualRest is how long the host rests where it does not say how long, and mostRest the longest it can ask for.
	usualRest = 10 * time.Second
	mostRest  = time.Hour
)

// Bounds of what a frontier knows.
const (
	// leastKnown and knownByPage bound how many addresses are known: what a page links beyond that is counted and forgotten.
	leastKnown  = 20_000
	knownByPage = 5
	// mostSitemaps is how many files are read, and mostListed how many addresses of them.
	mostSitemaps = 2_000
	mostListed   = 1_000_000
)

// Limit is a limit that a crawl met, so that some addresses were left out.
type Limit struct {
	Limit     string `json:"limit"` // "max_pages", "max_depth", "trap", "robots_txt", "challenge", "addresses", "sitemaps", "off_site"
	Detail    string `json:"detail"`
	Addresses int    `json:"addresses"` // how many were left out
}

// Progress counts the addresses of a crawl, beside robots.txt and sitemaps. Found is the sum of the others.
type Progress struct {
	Found    int `json:"found"`
	Queued   int `json:"queued"`
	Done     int `json:"done"` // those that robots.txt forbids are done without a request
	Failed   int `json:"failed"`
	UnderWay int `json:"under_way"`
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
