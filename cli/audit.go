package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	"sitegrade/audit"
	"sitegrade/reports"
	"sitegrade/terminal"
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

// auditPages audits pages, compares them with each other and with a baseline, prints their reports in the order of the URLs, and judges
// them; or it does so with a whole site.
func auditPages(ctx context.Context, c *console, args []string) error {
	fs := c.flags()
	var wanted wish
	wanted.addFlags(fs)
	settings, operands, err := c.configure(fs, auditOptions, args)
	if err != nil {
		return err
	}
	if len(operands) == 0 {
		return c.usage("the address of a page is missing")
	}
	urls, err := wanted.urls(operands, c.stdin)
	if err != nil {
		return c.usage("%s", err)
	}
	if err := wanted.prepare(); err != nil {
		return c.usage("%s", err)
	}
	auditor := settings.auditor(append(settings.AllowNetworks, ownNetworks...))
	if wanted.crawl.on {
		wanted.crawl.MaxRedirects = settings.MaxRedirects
		return c.auditSite(ctx, auditor, &wanted, urls)
	}
	results, err := c.awaitAudits(ctx, auditor, urls)
	if err != nil {
		return err
	}
	r := reports.Compare(results, wanted.baseline, wanted.conditions)
	fault := ""
	if impossible := len(results) - len(r.Comparison.Pages); impossible > 0 {
		fault = fmt.Sprintf("%d of %d pages could not be audited", impossible, len(results))
	}
	return wanted.finish(c.stdout, r, fault)
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

// awaitAudits audits all URLs, with a line of progress, and returns what came of them in their order.
func (c *console) awaitAudits(ctx context.Context, auditor *audit.Auditor, urls []*weburl.URL) ([]reports.Page, error) {
	progress := progressOn(c.stderr)
	defer progress.clear()
	results := make([]reports.Page, len(urls))
	for i, result := range auditAll(ctx, auditor, urls) {
		progress.show("%d of %d: auditing %s", i+1, len(urls), terminal.Clean(urls[i].String()))
		results[i] = <-result
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// auditAll returns a channel for each URL, on which comes what the audit found.
func auditAll(ctx context.Context, auditor *audit.Auditor, urls []*weburl.URL) []chan reports.Page {
	results := make([]chan reports.Page, len(urls))
	next := make(chan int, len(urls))
	for i := range urls {
		results[i] = make(chan reports.Page, 1)
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

func auditOne(ctx context.Context, auditor *audit.Auditor, u *weburl.URL) reports.Page {
	report, err := auditor.Audit(ctx, u)
	result := reports.Page{URL: u, At: time.Now(), Report: report}
	if err != nil && !errors.As(err, &result.Failure) {
		result.Failure = &audit.Failure{Code: audit.CodeUnreachable, Detail: err.Error()}
	}
	return result
}

// progress is a line on a terminal that is written over again; elsewhere it is nothing.
type progress struct {
	w    io.Writer
	wide int
}

func progressOn(w io.Writer) *progress {
	if !terminal.IsTerminal(w) {
		return &progress{}
	}
	return &progress{w: w, wide: terminal.Columns(w)}
}

func (p *progress) show(format string, args ...any) {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K", terminal.Shorten(fmt.Sprintf(format, args...), p.wide-1))
	}
}

func (p *progress) clear() {
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// clearing is a writer of lines where a progress may stand.
type clearing struct {
	line *progress
	w    io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	c.line.clear()
	return c.w.Write(b)
}
