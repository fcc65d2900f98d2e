package db

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/weburl"
)

// MovedCrawl is a crawl with what an export takes along besides.
type MovedCrawl struct {
	Crawl
	URLs    []string       // of a list that is still to be crawled
	Failing map[string]int // on how many reports of the project each check failed when the crawl ended
	// Headers says that it has headers, which an export leaves out.
	Headers bool
}

// crawlLine is the line of a crawl. Its rows have lines of their own behind it.
type crawlLine struct {
	Kind    LineKind `json:"kind"`
	Account string   `json:"account"`
	ID      string   `json:"id,omitempty"`
	Project string   `json:"project,omitempty"` // its name
	CrawlText
	Status     CrawlStatus    `json:"status,omitempty"` // "" for queued
	Progress   *CrawlProgress `json:"progress,omitempty"`
	Limits     []CrawlLimit   `json:"limits_hit,omitempty"`
	Summary    *CrawlSummary  `json:"summary,omitempty"`
	Score      *int           `json:"score,omitempty"`
	Error      *audit.Failure `json:"error,omitempty"`
	Failing    map[string]int `json:"failing,omitempty"`
	CreatedAt  *time.Time     `json:"created_at,omitempty"`
	StartedAt  *time.Time     `json:"started_at,omitempty"`
	FinishedAt *time.Time     `json:"finished_at,omitempty"`
}

// headersStay is why a crawl has failed where it is imported.
var headersStay = audit.Failure{
	Code: audit.CodeUnreachable, Detail: "The crawl had not ended when it was exported, and an export leaves its headers out. Start it again with them.",
}

// moved returns the crawl as it is where it is imported. What a crawl saw before its end does not move: it begins anew there, unless somebody asked
// for its end, or it cannot do without headers.
func (c MovedCrawl) moved() MovedCrawl {
	if !c.Status.Unfinished() {
		c.URLs = nil
		return c
	}
	c.Progress, c.Limits = CrawlProgress{}, nil
	switch {
	case c.Stopping:
		c.Status, c.URLs, c.FinishedAt = CrawlStopped, nil, c.StartedAt
	case c.Headers:
		c.Status, c.URLs, c.FinishedAt, c.Failure = CrawlFailed, nil, c.CreatedAt, &headersStay
	default:
		c.Status, c.StartedAt = CrawlQueued, time.Time{}
	}
	return c
}

// LineOfCrawl returns the line of a crawl, to be written as JSON. One that has not ended is queued in it.
func LineOfCrawl(account string, c MovedCrawl) any {
	c = c.moved()
	l := crawlLine{
		Kind: CrawlLine, Account: account, ID: c.ID.String(), Project: c.Project.Name, Status: c.Status, Limits: c.Limits, Summary: c.Summary,
		CrawlText: *(&ScheduledCrawl{CrawlOptions: c.CrawlOptions, URLs: c.URLs}).crawlText(), Score: c.Score, Error: c.Failure, Failing: c.Failing,
		CreatedAt: timeOrNil(c.CreatedAt), StartedAt: timeOrNil(c.StartedAt), FinishedAt: timeOrNil(c.FinishedAt),
	}
	if c.Progress != (CrawlProgress{}) {
		l.Progress = &c.Progress
	}
	return l
}

// CrawlRow is a row of one of the lists of a crawl that has ended: its addresses, links, folders, or what a check across pages names. One of
// the pointers is not nil.
type CrawlRow struct {
	Crawl  uuid.UUID
	Number int // in its list, from 0
	Page   *CrawlPage
	Link   *CrawlLink
	Folder *CrawlFolder
	Issue  *CrawlIssue
}

// crawlRowHead is what the lines of all rows begin with.
type crawlRowHead struct {
	Kind    LineKind `json:"kind"`
	Account string   `json:"account"`
	ID      string   `json:"id"` // of the crawl
	Number  int      `json:"number"`
}

type crawlPageLine struct {
	crawlRowHead
	URL       string    `json:"url"`
	Status    int       `json:"status,omitempty"`
	Depth     *int      `json:"depth,omitempty"` // nil where links do not lead
	Inlinks   int       `json:"inlinks,omitempty"`
	Outlinks  int       `json:"outlinks,omitempty"`
	Reason    string    `json:"reason,omitempty"`
	Canonical string    `json:"canonical,omitempty"`
	Title     string    `json:"title,omitempty"`
	Report    uuid.UUID `json:"report,omitzero"`
	Score     *int      `json:"score,omitempty"`
}

type crawlLinkLine struct {
	crawlRowHead
	Target  string       `json:"target"`
	Status  int          `json:"status,omitempty"`
	Broken  bool         `json:"broken,omitempty"`
	Sources int          `json:"sources,omitempty"`
	First   []LinkSource `json:"first,omitempty"`
}

type crawlFolderLine struct {
	crawlRowHead
	URL    string `json:"url"`
	Level  int    `json:"level,omitempty"`
	Pages  int    `json:"pages,omitempty"`
	Score  int    `json:"score,omitempty"`
	Good   int    `json:"good,omitempty"`
	Decent int    `json:"decent,omitempty"`
	Bad    int    `json:"bad,omitempty"`
}

type crawlIssueLine struct {
	crawlRowHead
	Check    string           `json:"check"`
	URL      string           `json:"url"`
	Report   uuid.UUID        `json:"report,omitzero"`
	Evidence []audit.Evidence `json:"evidence,omitempty"`
}

// LineOfCrawlRow returns the line of a row, to be written as JSON.
func LineOfCrawlRow(account string, r CrawlRow) any {
	head := func(kind LineKind) crawlRowHead {
		return crawlRowHead{Kind: kind, Account: account, ID: r.Crawl.String(), Number: r.Number}
	}
	switch {
	case r.Page != nil:
		p := r.Page
		l := crawlPageLine{
			crawlRowHead: head(CrawlPageLine), URL: p.URL, Status: p.Status, Inlinks: p.Inlinks, Outlinks: p.Outlinks, Reason: p.Reason,
			Canonical: p.Canonical, Title: p.Title, Report: p.Report, Score: p.Score,
		}
		if p.Depth >= 0 {
			l.Depth = &p.Depth
		}
		return l
	case r.Link != nil:
		k := r.Link
		return crawlLinkLine{head(CrawlLinkLine), k.Target, k.Status, k.Broken, k.Sources, k.First}
	case r.Folder != nil:
		f := r.Folder
		return crawlFolderLine{head(CrawlFolderLine), f.URL, f.Level, f.Pages, f.Score, f.Good, f.Decent, f.Bad}
	}
	return crawlIssueLine{head(CrawlIssueLine), r.Issue.Check, r.Issue.URL, r.Issue.Report, r.Issue.Evidence}
}

// isOfCrawls reports whether a line is of a kind that parseOfCrawls reads. Its fields have names that stand for something else in other lines.
func isOfCrawls(text []byte) (kind LineKind, is bool) {
	if !bytes.Contains(text, []byte(`"crawl`)) {
		return "", false
	}
	var l struct{ Kind LineKind }
	err := json.Unmarshal(text, &l)
	switch l.Kind {
	case CrawlLine, CrawlPageLine, CrawlLinkLine, CrawlFolderLine, CrawlIssueLine:
		return l.Kind, err == nil
	}
	return "", false
}

// parseOfCrawls reads the line of a crawl or of a row of one.
func (p *ParsedLine) parseOfCrawls(text []byte, account string) error {
	var l crawlRowHead // a crawl has nothing else by these names
	if err := json.Unmarshal(text, &l); err != nil {
		return fmt.Errorf("not of a crawl: %w", err)
	}
	head := Line{Account: l.Account, ID: l.ID}
	id, err := head.parseID()
	if err != nil {
		return err
	}
	if p.Account, err = head.in(account); err != nil {
		return err
	}
	if p.Kind == CrawlLine {
		p.Crawl, err = parseCrawl(text)
		p.Crawl.ID = id
		return err
	}
	if id == uuid.Nil {
		return errors.New("id: is required: that of the crawl")
	}
	p.CrawlRow, err = parseCrawlRow(text, l)
	p.CrawlRow.Crawl = id
	return err
}

// parseCrawl returns a crawl with the name of its project.
func parseCrawl(text []byte) (MovedCrawl, error) {
	var l crawlLine
	if err := json.Unmarshal(text, &l); err != nil {
		return MovedCrawl{}, fmt.Errorf("not a crawl: %w", err)
	}
	c := MovedCrawl{Failing: l.Failing}
	if c.Status = l.Status; c.Status == "" || c.Status == CrawlRunning {
		c.Status = CrawlQueued
	}
	if detail := oneOf(c.Status, CrawlStatuses); detail != "" {
		return c, fmt.Errorf("status: %s", detail)
	}
	asked, project := l.asked(), l.Project
	if c.Status != CrawlQueued && CrawlMode(l.Mode) == CrawlList {
		asked.URL, asked.URLs = "", []string{l.URL}
	}
	wanted, urls, err := asked.Normalised()
	if err != nil {
		return c, err
	}
	if project == "" {
		project = weburl.Restore(wanted.URL).Site()
	} else if err := validStoredName("project", project); err != nil {
		return c, err
	}
	c.CrawlOptions, c.Project.Name, c.Revision, c.CreatedAt = wanted.CrawlOptions, project, 1, timeOf(l.CreatedAt)
	if c.Status == CrawlQueued {
		c.URLs = urls
		return c, nil
	}
	return c, l.parseEnd(&c)
}

// parseEnd reads what a crawl has that has ended.
func (l *crawlLine) parseEnd(c *MovedCrawl) error {
	c.StartedAt, c.FinishedAt, c.Limits, c.Summary, c.Score = timeOf(l.StartedAt), timeOf(l.FinishedAt), l.Limits, l.Summary, l.Score
	if l.Progress != nil {
		c.Progress = *l.Progress
	}
	if c.Status == CrawlFailed {
		if c.Failure = l.Error; c.Failure == nil {
			c.Failure = &audit.Failure{Code: audit.CodeUnreachable, Detail: "The import did not say why."}
		}
	}
	if c.Score != nil {
		if *c.Score < 0 || *c.Score > 100 {
			return fmt.Errorf("score: must be 0 to 100, not %d", *c.Score)
		}
		c.Result = audit.ResultOf(*c.Score)
	}
	return nil
}

func parseCrawlRow(text []byte, head crawlRowHead) (CrawlRow, error) {
	r := CrawlRow{Number: head.Number}
	if head.Number < 0 || head.Number >= maxCrawlRows {
		return r, fmt.Errorf("number: must be 0 to %d, not %d", maxCrawlRows-1, head.Number)
	}
	var err error
	status := 0
	switch head.Kind {
	case CrawlPageLine:
		var l crawlPageLine
		err = json.Unmarshal(text, &l)
		r.Page = &CrawlPage{
			URL: l.URL, Status: l.Status, Depth: -1, Inlinks: l.Inlinks, Outlinks: l.Outlinks, Reason: l.Reason, Canonical: l.Canonical, Title: l.Title,
			Report: l.Report, Score: l.Score,
		}
		if l.Depth != nil {
			r.Page.Depth = *l.Depth
		}
		status = l.Status
	case CrawlLinkLine:
		var l crawlLinkLine
		err = json.Unmarshal(text, &l)
		r.Link = &CrawlLink{Target: l.Target, Status: l.Status, Broken: l.Broken, Sources: l.Sources, First: l.First}
		status = l.Status
	case CrawlFolderLine:
		var l crawlFolderLine
		err = json.Unmarshal(text, &l)
		r.Folder = &CrawlFolder{URL: l.URL, Level: l.Level, Pages: l.Pages, Score: l.Score, Good: l.Good, Decent: l.Decent, Bad: l.Bad}
	default:
		var l crawlIssueLine
		if err = json.Unmarshal(text, &l); err == nil && l.Check == "" {
			err = errors.New("check: is required: the id of a check across pages")
		}
		r.Issue = &CrawlIssue{Check: l.Check, URL: l.URL, Report: l.Report, Evidence: l.Evidence}
	}
	if err == nil && (status < 0 || status > 999) {
		err = fmt.Errorf("status: must be one of HTTP, not %d", status)
	}
	return r, err
}

// maxCrawlRows is how many rows a list of a crawl may have.
const maxCrawlRows = 1 << 30
