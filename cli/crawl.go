package cli

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/db"
	"sitegrade/reports"
	"sitegrade/terminal"
	"sitegrade/weburl"
)

// crawlFlags say whether a site is crawled, and how.
type crawlFlags struct {
	on    bool
	given []string // the other flags that are there
	lines []string // of headers
	crawl.Options
}

// mostPages is the most that -max-pages takes, and so how long a list may be.
const mostPages = 100_000

func (f *crawlFlags) add(fs *flag.FlagSet) {
	fs.BoolVar(&f.on, "crawl", false, "crawl the site of URL and report on all of it; robots.txt is obeyed, and at most 2 requests are under way")
	add := func(name, doc string, set func(string) error) {
		fs.Func(name, doc, func(text string) error {
			f.given = append(f.given, name)
			return set(text)
		})
	}
	add("max-pages", "`number` of addresses that a crawl asks for (default 500, or the length of a list)", countValue(&f.MaxPages, 1, mostPages).set)
	add("max-depth", "`number` of clicks from URL that a crawl follows; 0: any", countValue(&f.MaxDepth, 0, 1_000_000).set)
	add("include", "`pattern` with * that an address must match to be crawled: the whole address, or the path with its query where the pattern "+
		"begins with \"/\"; may be repeated, and any of them is enough", appendTo(&f.Include))
	add("exclude", "`pattern` of addresses that are not crawled, whatever -include says; may be repeated", appendTo(&f.Exclude))
	add("header", "`line` \"Name: value\" that goes with each request to the host of URL, and to no other: for a staging "+
		"site; may be repeated", f.addHeader)
	add("mode", "`mode` of a crawl: links follows links and sitemaps, sitemap asks for what sitemaps list, list for the URLs "+
		"that are given, or that standard input has, one in a line, where URL is \"-\" (default links)", f.setMode)
}

func appendTo(list *[]string) func(string) error {
	return func(s string) error {
		if s == "" {
			return errors.New("a pattern is missing")
		}
		*list = append(*list, s)
		return nil
	}
}

// addHeader takes the line of a header. What is wrong with it is said later, since the error of a flag repeats its value, which may be a secret.
func (f *crawlFlags) addHeader(line string) error {
	f.lines = append(f.lines, line)
	return nil
}

// header returns the header that goes with each request to the site. The error says what is wrong with it.
func (f *crawlFlags) header() (http.Header, error) {
	given, err := db.ParseCrawlHeaders(f.lines...)
	header := http.Header{}
	for name, value := range given {
		header.Set(name, value)
	}
	return header, err
}

func (f *crawlFlags) setMode(text string) error {
	f.Mode = crawl.Mode(text)
	if !slices.Contains([]crawl.Mode{crawl.Links, crawl.Sitemaps, crawl.List}, f.Mode) {
		return fmt.Errorf("%q is not links, sitemap or list", text)
	}
	return nil
}

// starts returns the URLs that a crawl begins at. The error says what is wrong with the operands.
func (f *crawlFlags) starts(operands []string, stdin io.Reader) ([]*weburl.URL, error) {
	if f.Mode != crawl.List {
		if len(operands) > 1 {
			return nil, fmt.Errorf("a crawl begins at one URL, but there are %d; -mode list takes several", len(operands))
		}
		return parseURLs(operands)
	}
	if len(operands) == 1 && operands[0] == "-" {
		var err error
		if operands, err = readList(stdin); err != nil {
			return nil, err
		}
	}
	if len(operands) == 0 {
		return nil, errors.New("the list is empty")
	}
	if f.MaxPages == 0 {
		f.MaxPages = len(operands)
	}
	return parseURLs(operands)
}

// readList returns the lines that are not empty.
func readList(r io.Reader) ([]string, error) {
	var lines []string
	scanner := bufio.NewScanner(r)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			lines = append(lines, line)
		}
		if len(lines) > mostPages {
			return nil, fmt.Errorf("the list is longer than %d lines", mostPages)
		}
	}
	return lines, scanner.Err()
}

// auditSite crawls a site, prints the report of it, and judges it. A crawl that is interrupted ends with the report of what there is.
func (c *console) auditSite(ctx context.Context, auditor *audit.Auditor, wanted *wish, starts []*weburl.URL) (err error) {
	header, err := wanted.crawl.header()
	if err != nil {
		return c.usage("%s", err)
	}
	o := wanted.crawl.Options
	if o.Mode == "" {
		o.Mode = crawl.Links
	}
	site, err := reports.NewSite(starts[0], o.Mode, time.Now())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, site.Close()) }()
	w := &walk{
		Frontier: crawl.New(o, starts...), visitor: crawl.NewVisitor(auditor, starts[0], header, time.Now),
		site: site, progress: progressOn(c.stderr), reports: map[*crawl.Visit]*audit.Report{}, began: time.Now(),
	}
	d := crawl.Driver{Frontier: w.Frontier, Ask: w.ask, Keep: w.keep, Counted: w.show, Now: time.Now, After: time.After}
	err = d.Run(ctx)
	w.progress.clear()
	if err != nil && ctx.Err() == nil {
		return err
	}
	site.Stopped = ctx.Err() != nil && !w.Finished()
	if err := site.Finish(w.Findings(), w.Progress(), time.Now()); err != nil {
		return err
	}
	return wanted.finish(c.stdout, reports.CompareSite(site, wanted.baseline, wanted.conditions), siteFault(site))
}

// siteFault says why a crawl is not whole; "" when it is.
func siteFault(s *reports.Site) string {
	switch {
	case s.Stopped:
		return "the crawl was interrupted"
	case s.Summary.Score == nil:
		return "no page could be audited"
	case s.Progress.Failed > 0:
		return fmt.Sprintf("%d of %d addresses gave no response", s.Progress.Failed, s.Progress.Found)
	}
	return ""
}

// walk is a crawl under way.
type walk struct {
	*crawl.Frontier
	visitor  *crawl.Visitor
	site     *reports.Site
	progress *progress
	began    time.Time
	shown    time.Time
	pages    int
	last     string

	mu      sync.Mutex
	reports map[*crawl.Visit]*audit.Report // of visits that are not kept yet
}

// ask asks for an address.
func (w *walk) ask(ctx context.Context, a crawl.Address) (*crawl.Visit, error) {
	visit, report, err := w.visitor.Visit(ctx, a)
	if report != nil {
		w.mu.Lock()
		w.reports[visit] = report
		w.mu.Unlock()
	}
	return visit, err
}

// keep adds what came of an address to the site.
func (w *walk) keep(v *crawl.Visit) error {
	w.mu.Lock()
	report := w.reports[v]
	delete(w.reports, v)
	w.mu.Unlock()
	if report != nil {
		w.pages++
	}
	w.last = v.URL
	return w.site.Add(v, report)
}

// progressEvery is how often the line of progress changes.
const progressEvery = 100 * time.Millisecond

// show shows how far the crawl is.
func (w *walk) show() {
	now := time.Now()
	if now.Sub(w.shown) < progressEvery {
		return
	}
	w.shown = now
	p := w.Progress()
	w.progress.show("%d found, %d done, %d failed, %.1f pages a second: %s",
		p.Found, p.Done, p.Failed, float64(w.pages)/max(now.Sub(w.began).Seconds(), 0.001), terminal.Clean(w.last))
}
