package mcp

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/weburl"
)

type crawlArgs struct {
	URL      string   `json:"url"`
	Mode     string   `json:"mode"`
	Project  string   `json:"project"`
	MaxPages *int     `json:"max_pages"`
	MaxDepth *int     `json:"max_depth"`
	Include  []string `json:"include"`
	Exclude  []string `json:"exclude"`
}

type getCrawlArgs struct {
	Crawl  string `json:"crawl"`
	Cursor string `json:"cursor"`
}

const errNoCrawl = mistake("This account has no such crawl. start_crawl begins one and tells its id.")

// startCrawl stores a crawl, which the worker begins, and shows it as it is then.
func (s *Server) startCrawl(ctx context.Context, account string, in crawlArgs) (answer, error) {
	n := db.NewCrawl{
		URL: completed(in.URL), Mode: in.Mode, Project: in.Project, MaxPages: in.MaxPages, MaxDepth: in.MaxDepth, Include: in.Include, Exclude: in.Exclude,
	}
	if err := s.permitted(n.URL); err != nil {
		return answer{}, err
	}
	made, _, err := s.store.CreateCrawl(ctx, account, n)
	if err != nil {
		return answer{}, err
	}
	return showCrawl(made, nil, 0, 0), nil
}

// completed returns a URL as an agent gave it, with the scheme that it may have left out.
func completed(given string) string {
	if given == "" {
		return ""
	}
	return weburl.Complete(given)
}

// permitted returns an error for a URL that names a machine that the auditor will not contact.
func (s *Server) permitted(address string) error {
	if u, err := weburl.Parse(address); err == nil && s.Forbidden != nil && s.Forbidden(u) {
		return mistake("url " + audit.ForbiddenDetail + ".")
	}
	return nil
}

// getCrawl shows how a crawl stands and, once it has ended, the addresses that it asked for: first those that search engines do not index, then
// the others, each the nearest to the start first. They do not change any more, so that their number is a place that stays.
func (s *Server) getCrawl(ctx context.Context, account string, in getCrawlArgs) (answer, error) {
	id, err := uuid.Parse(in.Crawl)
	if err != nil {
		return answer{}, errNoCrawl
	}
	from := 0
	if in.Cursor != "" {
		if from, err = strconv.Atoi(in.Cursor); err != nil || from < 1 {
			return answer{}, errCursor
		}
	}
	c, err := s.store.Crawl(ctx, account, id)
	if errors.Is(err, db.ErrNotFound) {
		return answer{}, errNoCrawl
	}
	if err != nil {
		return answer{}, err
	}
	rows, total, err := s.crawlPages(ctx, account, id, from)
	if err != nil {
		return answer{}, err
	}
	return showCrawl(c, rows, from, total), nil
}

// crawlPages returns a few addresses of a crawl, behind so many, and how many there are.
func (s *Server) crawlPages(ctx context.Context, account string, id uuid.UUID, from int) (rows []db.CrawlPage, total int, err error) {
	for _, indexable := range []bool{false, true} {
		q := listQuery()
		q.Ascending, q.Indexable = true, &indexable
		behind := max(0, from-total)
		q.Page += behind / q.PerPage
		page, err := s.store.CrawlPages(ctx, account, id, q)
		if err != nil {
			return nil, 0, err
		}
		if skipped := behind % q.PerPage; skipped < len(page.Rows) && len(rows) < q.PerPage {
			rows = append(rows, page.Rows[skipped:]...)
			if q.Offset()+len(page.Rows) < page.Total {
				return rows, page.Total + total, nil // the others come after all of these
			}
		}
		total += page.Total
	}
	return rows, total, nil
}

// shownCrawl is a crawl as start_crawl and get_crawl show it.
type shownCrawl struct {
	Score      *int             `json:"score"`
	Result     *string          `json:"result"`
	ID         string           `json:"id"`
	URL        string           `json:"url"`
	Mode       string           `json:"mode"`
	Project    projectRef       `json:"project"`
	Status     string           `json:"status"`
	Progress   db.CrawlProgress `json:"progress"`
	Error      *failedWith      `json:"error,omitempty"`
	Summary    *crawlSummary    `json:"summary,omitempty"`
	Limits     []shownLimit     `json:"limits_hit,omitempty"`
	Pages      []shownPage      `json:"pages"`
	NextCursor string           `json:"next_cursor,omitempty"`
}

type crawlSummary struct {
	Pages     int    `json:"pages"`
	Indexable int    `json:"indexable"`
	Good      int    `json:"good"`
	Decent    int    `json:"decent"`
	Bad       int    `json:"bad"`
	High      int    `json:"high"`
	Medium    int    `json:"medium"`
	Low       int    `json:"low"`
	Why       string `json:"untrusted_why"`
}

type shownLimit struct {
	Limit     string `json:"limit"`
	Detail    string `json:"untrusted_detail"`
	Addresses int    `json:"addresses"`
}

type shownPage struct {
	Status    int      `json:"status,omitempty"`
	Indexable bool     `json:"indexable"`
	Reason    string   `json:"reason,omitempty"`
	Depth     int      `json:"depth"`
	Inlinks   int      `json:"inlinks"`
	Report    string   `json:"report,omitempty"`
	Untrusted siteSays `json:"untrusted"`
}

type siteSays struct {
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
}

// shownLimits is how many of the limits that a crawl met are shown.
const shownLimits = 5

// showCrawl returns the answer that shows a crawl with some of its addresses, before which so many come.
func showCrawl(c db.Crawl, rows []db.CrawlPage, from, total int) answer {
	f := newFence()
	return fitted(len(rows), func(n int) answer {
		shown := shownCrawl{
			Score: c.Score, ID: c.ID.String(), URL: short(c.URL, maxURL), Mode: string(c.Mode), Project: projectRef{c.Project.ID.String(), short(c.Project.Name, maxName)},
			Status: string(c.Status), Progress: c.Progress, Pages: make([]shownPage, 0, n),
		}
		if c.Score != nil {
			result := c.Result.String()
			shown.Result = &result
		}
		if c.Failure != nil {
			shown.Error = &failedWith{string(c.Failure.Code), said(c.Failure.Detail, maxDetail)}
		}
		if from == 0 {
			shown.conclude(c)
		}
		for _, p := range rows[:n] {
			shown.Pages = append(shown.Pages, showPage(p))
		}
		if n > 0 && from+n < total {
			shown.NextCursor = strconv.Itoa(from + n)
		}
		return answer{shown, shown.text(f)}
	})
}

// conclude adds what a crawl found, and what it left out.
func (s *shownCrawl) conclude(c db.Crawl) {
	if n := c.Summary; n != nil {
		s.Summary = &crawlSummary{n.Pages, n.Indexable, n.Good, n.Decent, n.Bad, n.High, n.Medium, n.Low, said(n.Why, maxDetail)}
	}
	for _, l := range c.Limits[:min(shownLimits, len(c.Limits))] {
		s.Limits = append(s.Limits, shownLimit{l.Limit, said(l.Detail, maxSnippet), l.Addresses})
	}
}

func showPage(p db.CrawlPage) shownPage {
	shown := shownPage{
		Status: p.Status, Indexable: p.Reason == "", Reason: p.Reason, Depth: p.Depth, Inlinks: p.Inlinks,
		Untrusted: siteSays{said(p.URL, maxURL), said(p.Title, maxName)},
	}
	if p.Report != uuid.Nil {
		shown.Report = p.Report.String()
	}
	return shown
}

// text returns the crawl for reading.
func (s *shownCrawl) text(f fence) string {
	rated := "No score yet"
	if s.Score != nil {
		rated = fmt.Sprintf("Score %d of 100, %s", *s.Score, *s.Result)
	}
	p := s.Progress
	text := lines(
		fmt.Sprintf("%s: %s (crawl %s, project %s, %s)", rated, s.URL, s.ID, s.Project.Name, s.Status),
		fmt.Sprintf("%d addresses found: %d done, %d without an answer, %d still to come", p.Found, p.Done, p.Failed, p.Queued+p.UnderWay),
	)
	if s.Error != nil {
		text += "The crawl failed (" + s.Error.Code + "): " + f.around(s.Error.Detail) + "\n"
	}
	if db.CrawlStatus(s.Status).Unfinished() {
		text += "It is not over: call get_crawl with crawl " + s.ID + " in some seconds.\n"
	}
	if n := s.Summary; n != nil {
		text += fmt.Sprintf("%d pages, %d of them indexable: %d good, %d decent, %d bad. list_site_issues with project %s tells what is wrong.\n",
			n.Pages, n.Indexable, n.Good, n.Decent, n.Bad, s.Project.ID)
		if n.Why != "" {
			text += f.around(n.Why) + "\n"
		}
	}
	for _, l := range s.Limits {
		text += fmt.Sprintf("Left out %d (%s): %s\n", l.Addresses, l.Limit, f.around(l.Detail))
	}
	for _, page := range s.Pages {
		text += page.text(f)
	}
	return text + moreText("get_crawl", s.NextCursor)
}

func (p shownPage) text(f fence) string {
	state := "not indexable: " + p.Reason
	if p.Indexable {
		state = "indexable"
	}
	report := ""
	if p.Report != "" {
		report = ", report " + p.Report
	}
	return fmt.Sprintf("- %s (status %d, %s%s)\n", f.around(p.Untrusted.URL+" "+p.Untrusted.Title), p.Status, state, report)
}
