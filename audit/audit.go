// Package audit fetches one page, checks it against the table of checks and rates it. It knows no storage, and its
// requests go out through fetch.
package audit

import (
	"context"
	"runtime"
	"strings"
	"time"

	"sitegrade/audit/page"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// Options are the limits of an audit. The zero value of a field means that of DefaultOptions.
type Options struct {
	Timeout       time.Duration // for the whole audit
	MaxSize       int64         // bytes of the decoded document
	MaxRedirects  int
	SiteRequests  int  // kinds of requests to the site, class b; negative: none
	Samples       int  // class c resources; negative: none
	CheckExternal bool // broken-links looks at links to other hosts too
	Workers       int  // audits that use the processor, or receive a large document, at once
	Now           func() time.Time
}

// DefaultOptions returns what an audit is limited to where nothing else is said. It has as many workers as there are processors.
func DefaultOptions() Options {
	return Options{
		Timeout: 30 * time.Second, MaxSize: 10 << 20, MaxRedirects: 10, SiteRequests: 10, Samples: 60,
		Workers: runtime.GOMAXPROCS(0), Now: time.Now,
	}
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	d := DefaultOptions()
	setDefault(&o.Timeout, d.Timeout)
	setDefault(&o.MaxSize, d.MaxSize)
	setDefault(&o.MaxRedirects, d.MaxRedirects)
	setDefault(&o.SiteRequests, d.SiteRequests)
	setDefault(&o.Samples, d.Samples)
	setDefault(&o.Workers, d.Workers)
	if o.Now == nil {
		o.Now = d.Now
	}
	return o
}

func setDefault[T comparable](option *T, value T) {
	var zero T
	if *option == zero {
		*option = value
	}
}

// robotsToken is the name by which robots.txt addresses the auditor.
const robotsToken = "Sitegrade"

// An Auditor makes audits. It is safe for concurrent use.
type Auditor struct {
	Options
	client *fetch.Client
	rooms  *rooms
	behind bool // nobody waits for what it makes
}

// New returns an auditor with these limits, whose requests client makes.
func New(client *fetch.Client, o Options) *Auditor {
	o = o.withDefaults()
	return &Auditor{Options: o, client: client, rooms: newRooms(o.Workers)}
}

// Behind returns an auditor for what nobody waits for. It shares client, limits and places with a, whose audits go first wherever one of
// both has to wait.
func (a *Auditor) Behind() *Auditor {
	behind := *a
	behind.behind = true
	return &behind
}

// Close gives up the connections that wait for another audit. The auditor can still be used.
func (a *Auditor) Close() { a.client.Close() }

// Computing returns how many audits use the processor at this moment.
func (a *Auditor) Computing() int { return int(a.rooms.computing.Load()) }

// Audit fetches the page at u, checks it and rates it. The error is a *Failure when the page could not be audited, and ctx's own
// error when the caller ended it.
func (a *Auditor) Audit(ctx context.Context, u *weburl.URL) (*Report, error) {
	start := time.Now()
	own := a.allot(ctx)
	defer own.leave()
	found, failure := a.fetchPage(own, u)
	var f *facts
	if failure == nil {
		f, failure = a.gather(own, found, u, nil)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if failure != nil {
		return nil, failure
	}
	return a.report(ctx, own, f, start)
}

// report rates what was gathered by an audit that began at start.
func (a *Auditor) report(ctx context.Context, own *allotment, f *facts, start time.Time) (*Report, error) {
	var report *Report
	end := time.Now()
	if err := own.compute(ctx, func() { report = grade(f) }); err != nil {
		return nil, err
	}
	report.Timings.Total = milliseconds(end.Sub(start) - own.waited)
	return report, nil
}

// gather reads the document that was found at an address, and fetches what else the checks look at. Only the document can fail: what
// else could not be had in time is a failure within the facts. series is nil for an audit that is alone.
func (a *Auditor) gather(own *allotment, found *fetchedPage, u *weburl.URL, series *Series) (*facts, *fetch.Failure) {
	if own.holdDocument(len(found.Body)) != nil {
		return nil, fetch.TimedOut()
	}
	var r *run
	if own.computeAlone(func() { r = a.startRun(own, found, u) }) != nil {
		return nil, fetch.TimedOut()
	}
	own.shrinkDocument()
	r.series, r.facts.inSeries = series, series != nil
	r.finish(own)
	return r.facts, nil
}

// startRun reads the document that was found at an address.
func (a *Auditor) startRun(own *allotment, found *fetchedPage, u *weburl.URL) *run {
	text, _ := page.ToUTF8(found.Body, strings.Join(found.Header.Values("Content-Type"), ", "))
	f := &facts{
		now:       a.Now().UTC(),
		address:   u,
		final:     found.URL,
		redirects: found.Redirects,
		response:  found.Response,
		cookies:   append(found.EarlierCookies, found.Header.Values("Set-Cookie")...),
		doc:       page.Parse(text, found.URL),
		timings:   found.timings,
	}
	return &run{client: a.client, own: own, options: a.Options, facts: f}
}
