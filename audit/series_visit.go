package audit

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"sitegrade/audit/page"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// Seen is what a crawl learns from one address, by one request for it.
type Seen struct {
	Status     int         // 0 without a response
	Failure    *Failure    // why there is no response, or none that could be read whole; nil otherwise
	Location   *weburl.URL // where it redirects to, without fragment; nil for anything else
	RetryAfter string      // the header of that name
	Challenge  bool        // the response is not the site's own: it asks whether a person is there

	// What follows is of a page alone: a response with status 200 and HTML.
	Report     *Report
	Document   *page.Document
	Canonical  *weburl.URL // that the page names first, without fragment; nil where it names none that can be read
	Alternates []*weburl.URL
	Noindex    bool // a meta or a header keeps all search engines from indexing it
}

// Visit asks for the address u of the site and follows no redirect; a page is audited. The request takes a connection that is there, since
// a crawl that connects anew for each page would cost the site more. The error is ctx's own.
func (s *Series) Visit(ctx context.Context, u *weburl.URL) (*Seen, error) {
	if seen := s.seenLoaded(u); seen != nil {
		return seen, nil
	}
	a, start := s.auditor, time.Now()
	own := a.allot(ctx)
	defer own.leave()
	e, failure := a.client.Open(own, fetch.Request{URL: u, Accept: acceptPage, Header: s.headerFor(u), Redirects: -1, Await: own.await, Behind: own.behind})
	start = start.Add(own.waited)
	if failure != nil {
		return &Seen{Failure: failure}, ctx.Err()
	}
	seen := &Seen{Status: e.Status, RetryAfter: retryAfter(&e.Result)}
	if e.Status == http.StatusOK {
		err := s.readPage(ctx, own, e, u, start, seen)
		return seen, err
	}
	defer e.Close()
	seen.Location, seen.Failure = e.Target()
	if seen.Challenge = asksForPerson(e); !seen.Challenge {
		e.Discard()
	}
	if seen.Location == nil && !seen.Challenge {
		s.keepVisited(u, e.Result)
	}
	return seen, ctx.Err()
}

// readPage fills in what a response with status 200 shows. It closes the exchange before anything else is asked for.
func (s *Series) readPage(ctx context.Context, own *allotment, e *fetch.Exchange, u *weburl.URL, start time.Time, seen *Seen) error {
	a := s.auditor
	found, failure := a.receivePage(own, e, start)
	e.Close()
	var f *facts
	if failure == nil {
		f, failure = a.gather(own, found, u, s)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failure != nil && failure.Code == CodeNotHTML:
		s.keepVisited(u, e.Result)
		return nil
	case failure != nil:
		seen.Failure = failure
		return nil
	}
	report, err := a.report(ctx, own, f, start)
	if err != nil {
		return err
	}
	seen.Report, seen.Document = report, f.doc
	seen.describe(f)
	return nil
}

// describe fills in what the page says about itself and other pages.
func (seen *Seen) describe(f *facts) {
	for _, c := range f.canonicals() {
		if c.url.IsWeb() {
			seen.Canonical = c.url.WithoutFragment()
			break
		}
	}
	for _, l := range f.alternates() {
		if l.url.IsWeb() {
			seen.Alternates = append(seen.Alternates, l.url.WithoutFragment())
		}
	}
	seen.Noindex = slices.ContainsFunc(f.directives(), func(t directive) bool { return t.Agent == "" && t.BlocksIndexing(f.now) })
}

// retryAfter returns the header Retry-After of a response.
func retryAfter(found *fetch.Result) string {
	if found.Failure != nil {
		return ""
	}
	return strings.TrimSpace(found.Header.Get("Retry-After"))
}

// challengeRead is how much of an error page is searched for the marks of a challenge.
const challengeRead = 64 << 10

// challengeMarks are what the pages of well-known guards have in them that ask whether a person is there: those of Cloudflare, Imperva,
// DataDome, Sucuri, HUMAN, AWS WAF and SiteGround, in lower case.
var challengeMarks = [][]byte{
	[]byte("/cdn-cgi/challenge-platform/"), []byte("_cf_chl_opt"), []byte("cf-browser-verification"), []byte("cf_captcha_kind"),
	[]byte("_incapsula_resource"), []byte("captcha-delivery.com"), []byte("sucuri_cloudproxy_js"), []byte("px-captcha"),
	[]byte("awswafcookiedomainlist"), []byte("/.well-known/sgcaptcha"), []byte("hcaptcha.com"),
	[]byte("<title>just a moment..."), []byte("checking your browser before accessing"),
}

// asksForPerson reports whether a response is a guard's question in place of the site's own answer.
func asksForPerson(e *fetch.Exchange) bool {
	if e.Header.Get("Cf-Mitigated") == "challenge" || e.Header.Get("X-Amzn-Waf-Action") != "" {
		return true
	}
	switch e.Status {
	case http.StatusForbidden, http.StatusServiceUnavailable, http.StatusTooManyRequests:
	default:
		return false
	}
	raw, cut, err := e.Receive(challengeRead)
	if err != nil {
		return false
	}
	if err := e.Decode(raw, cut, challengeRead); err != nil && !errors.Is(err, fetch.ErrTooLarge) {
		return false
	}
	body := bytes.ToLower(e.Body)
	return slices.ContainsFunc(challengeMarks, func(mark []byte) bool { return bytes.Contains(body, mark) })
}
