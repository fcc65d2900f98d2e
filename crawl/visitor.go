package crawl

import (
	"context"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"sitegrade/audit"
	"sitegrade/audit/robots"
	"sitegrade/audit/sitemap"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// Visitor asks for what a frontier gives out, and audits pages on the way: one request is for both. It is safe for concurrent use.
type Visitor struct {
	series *audit.Series
	scope  scope
	now    func() time.Time
}

// NewVisitor returns a visitor of the site of start. header goes with each request to the site, as
// audit.NewSeries tells; nil for none. now tells
// when a visit is over.
func NewVisitor(a *audit.Auditor, start *weburl.URL, header http.Header, now func() time.Time) *Visitor {
	return &Visitor{series: a.NewSeries(start, header), scope: scope{host: start.HostKey()}, now: now}
}

// Remember has keep called with what is asked for beside what the frontier gives out, as visits for a later run of the crawl. It is called by
// several goroutines at once.
func (v *Visitor) Remember(keep func(*Visit)) {
	v.series.Remember = func(text []byte) { keep(&Visit{Kind: Beside, At: v.now().UTC(), Beside: text}) }
}

// Recall tells the visitor of a visit that an earlier run of the crawl has made, so that the site's robots.txt and sitemaps are not asked
// for again, nor what pages load. The error says that the visit is not readable.
func (v *Visitor) Recall(old *Visit) error {
	if old.Kind == Beside {
		return v.series.Remind(old.Beside)
	}
	u := weburl.Restore(old.URL)
	var failure *audit.Failure
	if old.Failure != "" {
		failure = fetch.NewFailure(fetch.Code(old.Failure), "There was no response.")
	}
	switch old.Kind {
	case Robots:
		v.series.Recall(u, audit.Robots{Status: old.Status, Failure: failure, Body: []byte(old.Robots)})
		v.spare([]byte(old.Robots))
	case Sitemap:
		seen := audit.Sitemap{Status: old.Status, Failure: failure}
		if old.Sitemap != nil {
			seen.Contents = old.Sitemap.Contents
		}
		v.series.RecallSitemap(u, seen)
	}
	return nil
}

// Visit asks for an address. The report is nil for what is no page. The error is ctx's own, and then the address is to be asked for again.
func (v *Visitor) Visit(ctx context.Context, a Address) (*Visit, *audit.Report, error) {
	visit := &Visit{URL: a.URL.WithoutFragment().String(), Kind: a.Kind}
	var report *audit.Report
	var err error
	switch a.Kind {
	case Robots:
		err = v.readRobots(ctx, a.URL, visit)
	case Sitemap:
		err = v.readSitemap(ctx, a.URL, visit)
	default:
		report, err = v.readPage(ctx, a.URL, visit)
	}
	if err != nil {
		return nil, nil, err
	}
	visit.At = v.now().UTC()
	return visit, report, nil
}

func (v *Visitor) readRobots(ctx context.Context, u *weburl.URL, visit *Visit) error {
	seen, err := v.series.Robots(ctx, u)
	if err != nil {
		return err
	}
	visit.answered(seen.Status, seen.Failure, seen.RetryAfter)
	visit.Robots = string(seen.Body)
	v.spare(seen.Body)
	return nil
}

// spare has the pages audited without what they load from the site, where its robots.txt asks for pauses between requests: a page may load
// more than can be asked for at that pace.
func (v *Visitor) spare(robotsTxt []byte) {
	if robots.Parse(robotsTxt).Delay(token) > 0 {
		v.series.Spare()
	}
}

func (v *Visitor) readSitemap(ctx context.Context, u *weburl.URL, visit *Visit) error {
	var listed []string
	seen, err := v.series.Sitemap(ctx, u, func(text string) {
		if len(listed) < sitemap.MaxURLs {
			if u := weburl.Resolve(nil, text); u != nil && v.scope.holds(u) {
				listed = append(listed, u.WithoutFragment().String())
			}
		}
	})
	if err != nil {
		return err
	}
	visit.answered(seen.Status, seen.Failure, seen.RetryAfter)
	if seen.Failure == nil && seen.Status == http.StatusOK && seen.Kind != sitemap.None {
		visit.Sitemap = &Listing{Contents: seen.Contents, Listed: listed}
	}
	return nil
}

func (v *Visitor) readPage(ctx context.Context, u *weburl.URL, visit *Visit) (*audit.Report, error) {
	seen, err := v.series.Visit(ctx, u)
	if err != nil {
		return nil, err
	}
	visit.answered(seen.Status, seen.Failure, seen.RetryAfter)
	visit.Challenge = seen.Challenge
	if seen.Location != nil {
		visit.Redirect = seen.Location.String()
	}
	if seen.Report != nil {
		v.describe(seen, visit)
	}
	return seen.Report, nil
}

// answered notes how a request was answered.
func (v *Visit) answered(status int, failure *audit.Failure, retryAfter string) {
	v.Status = status
	if failure != nil {
		v.Failure = string(failure.Code)
	}
	if v.isTryAgain() {
		v.RetryAfter = retryAfter
	}
}

// describe notes what a page says.
func (v *Visitor) describe(seen *audit.Seen, visit *Visit) {
	page := &seen.Report.Page
	visit.IsPage, visit.Noindex = true, seen.Noindex
	// These are parts of the page's text, which is not to be kept with them.
	visit.Title, visit.Description, visit.H1 = strings.Clone(page.Title), strings.Clone(page.Description), strings.Clone(page.H1)
	visit.TextHash, visit.Words = page.ContentHash, page.Words
	visit.Score = seen.Report.Score
	if page.Words >= leastWords {
		visit.SimHash = SimHash(seen.Document.Text)
	}
	if seen.Canonical != nil {
		visit.Canonical = seen.Canonical.String()
	}
	for _, u := range seen.Alternates {
		visit.Versions = append(visit.Versions, u.String())
	}
	v.addLinks(seen, visit)
}

// addLinks notes the links of a page: each target with each text once, and those of other sites by their number.
func (v *Visitor) addLinks(seen *audit.Seen, visit *Visit) {
	type key struct {
		target, text string
		unnamed      bool
	}
	met := map[key]bool{}
	external := map[string]bool{}
	for _, h := range seen.Document.Hyperlinks() {
		target := h.URL.WithoutFragment().String()
		switch {
		case target == visit.URL:
		case !v.scope.holds(h.URL):
			external[target] = true
		default:
			k := key{target, strings.Clone(cut(h.Text, mostText)), h.Unnamed}
			if !met[k] {
				met[k] = true
				visit.Links = append(visit.Links, Link{target, k.text, h.Unnamed, seen.Document.Line(h.Element)})
			}
		}
	}
	visit.External = len(external)
}

// mostText is how many bytes of the text of a link are kept.
const mostText = 200

// cut returns at most limit bytes of a text, whole characters alone.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
