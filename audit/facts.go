package audit

import (
	"crypto/x509"
	"net/http"
	"time"

	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/weburl"
)

// facts is everything that the checks look at. It is gathered once; the checks are pure functions of it.
type facts struct {
	now       time.Time
	address   *weburl.URL // asked for
	final     *weburl.URL // answered
	redirects []string    // addresses on the way, without the final one
	response  response    // the final answer
	doc       *page.Document
	site      site       // class b
	resources []resource // class c, in the order of the document, links after css, js and images
	timings   Timings    // Total is set after the checks
}

// response is one HTTP answer, its body decoded.
type response struct {
	url      *weburl.URL
	status   int
	proto    string // "HTTP/1.1", "HTTP/2.0"
	header   http.Header
	encoding string // Content-Encoding as sent, lower case; "" for none
	body     []byte // decoded
	size     int64  // decoded bytes
	wire     int64  // bytes of the body as they came
	tls      *tlsFacts
}

// tlsFacts is what the handshake told. The connection is made even with a certificate that browsers refuse: that is a failed
// check of a report, not a failed report.
type tlsFacts struct {
	version  uint16
	problem  string    // why browsers would refuse the certificate; "" if they would not
	notAfter time.Time // of the leaf
	leaf     *x509.Certificate
}

// site is what the requests to the site beside the page found.
type site struct {
	robots    *fetched      // /robots.txt
	rules     *robots.File  // its rules; nil when there are none to apply (4xx)
	sitemaps  []sitemapFile // what was looked at: the declared ones, or /sitemap.xml
	notFound  *fetched      // a random path
	insecure  *fetched      // the http: variant of an https page, redirects followed
	otherHost *fetched      // the page with www. added or taken away, redirects followed
	favicon   *fetched
	llms      *fetched
}

// fetched is a request beside the document: an answer or a failure. A nil *fetched was not tried.
type fetched struct {
	response
	redirects []string // as in facts
	failure   *Failure // when not nil, the rest means nothing
}

// resourceKind says what a sampled address is to the page.
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

// resource is one sampled address.
type resource struct {
	kind resourceKind
	fetched
	evidence  Evidence // where the page names it
	truncated bool     // the body is not whole: HEAD, or over the sample's limit
}
