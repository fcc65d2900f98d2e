package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	"sitegrade/audit"
	"sitegrade/weburl"
)

// ownNetworks are what the command line may audit beside public addresses: its user is the machine's own. Link-local addresses
// are not among them, since cloud machines keep their credentials there.
var ownNetworks = []netip.Prefix{
	netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"), // loopback, RFC 1122 and RFC 4291
	netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("172.16.0.0/12"), netip.MustParsePrefix("192.168.0.0/16"), // RFC 1918
	netip.MustParsePrefix("fc00::/7"), // RFC 4193
}

// atOnce is how many pages the command line audits at the same time.
const atOnce = 4

// audited is what came of one URL: a report, or why there is none.
type audited struct {
	url     *weburl.URL
	at      time.Time // when that was known
	report  *audit.Report
	failure *audit.Failure
}

// auditPages audits pages, compares them with each other, and prints their reports in the order of the URLs.
func auditPages(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	format := fs.String("format", "text", "`format`: text, markdown, or json with a line {\"data\": {...}} for each page, as the API shows a report (default text)")
	failUnder := fs.Int("fail-under", 0, "`score` under which the exit status is 1")
	settings, operands, err := c.configure(fs, auditOptions, args)
	if err != nil {
		return err
	}
	written, known := reportFormats[*format]
	switch {
	case !known:
		return c.usage("-format: %q is not text, markdown or json", *format)
	case *failUnder < 0 || *failUnder > 100:
		return c.usage("-fail-under: %d is not a score from 0 to 100", *failUnder)
	case len(operands) == 0:
		return c.usage("the address of a page is missing")
	}
	urls, err := parseURLs(operands)
	if err != nil {
		return c.usage("%s", err)
	}
	allow := append(settings.AllowNetworks, ownNetworks...)
	return c.printAudits(ctx, settings.auditor(allow), urls, written, *failUnder)
}

// parseURLs returns the URLs that were typed, which need no scheme.
func parseURLs(typed []string) ([]*weburl.URL, error) {
	urls := make([]*weburl.URL, len(typed))
	for i, s := range typed {
		u, err := weburl.Parse(weburl.Complete(s))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
		urls[i] = u
	}
	return urls, nil
}

// printAudits audits all URLs and writes what came of them. It waits for all before it writes the first, since each is compared with
// the others.
func (c *console) printAudits(ctx context.Context, auditor *audit.Auditor, urls []*weburl.URL, written reportFormat, failUnder int) error {
	results, err := c.awaitAudits(ctx, auditor, urls)
	if err != nil {
		return err
	}
	var reports []*audit.Report
	under := 0
	for _, result := range results {
		if result.report != nil {
			reports = append(reports, result.report)
			if result.report.Score < failUnder {
				under++
			}
		}
	}
	audit.CompareAll(reports)
	if err := written.all(c.stdout, results); err != nil {
		return err
	}
	switch impossible := len(urls) - len(reports); {
	case impossible > 0:
		return &exitError{statusNotPossible, fmt.Errorf("%d of %d pages could not be audited", impossible, len(urls))}
	case under > 0:
		return &exitError{statusFailed, fmt.Errorf("%d of %d scores are under %d", under, len(urls), failUnder)}
	}
	return nil
}

// awaitAudits audits all URLs, with a line of progress, and returns what came of them in their order.
func (c *console) awaitAudits(ctx context.Context, auditor *audit.Auditor, urls []*weburl.URL) ([]audited, error) {
	progress := progressOn(c.stderr)
	defer progress.clear()
	results := make([]audited, len(urls))
	for i, result := range auditAll(ctx, auditor, urls) {
		progress.show("%d of %d: auditing %s", i+1, len(urls), clean(urls[i].String()))
		results[i] = <-result
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// auditAll returns a channel for each URL, on which comes what the audit found.
func auditAll(ctx context.Context, auditor *audit.Auditor, urls []*weburl.URL) []chan audited {
	results := make([]chan audited, len(urls))
	next := make(chan int, len(urls))
	for i := range urls {
		results[i] = make(chan audited, 1)
		next <- i
	}
	close(next)
	for range min(atOnce, len(urls)) {
		go func() {
			for i := range next {
				results[i] <- auditOne(ctx, auditor, urls[i])
			}
		}()
	}
	return results
}

func auditOne(ctx context.Context, auditor *audit.Auditor, u *weburl.URL) audited {
	report, err := auditor.Audit(ctx, u)
	result := audited{url: u, at: time.Now(), report: report}
	if err != nil && !errors.As(err, &result.failure) {
		result.failure = &audit.Failure{Code: audit.CodeUnreachable, Detail: err.Error()}
	}
	return result
}

// progress is a line on a terminal that is written over again; elsewhere it is nothing.
type progress struct {
	w    io.Writer
	wide int
}

func progressOn(w io.Writer) *progress {
	if !isTerminal(w) {
		return &progress{}
	}
	return &progress{w: w, wide: columns(w)}
}

func (p *progress) show(format string, args ...any) {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K", shorten(fmt.Sprintf(format, args...), p.wide-1))
	}
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
