package db

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/locale"
	"sitegrade/sortfilter"
)

// CrawlMode says which addresses a crawl asks for.
type CrawlMode string

// The modes.
const (
	CrawlLinks    CrawlMode = "links"   // the start, and what pages link and sitemaps list
	CrawlSitemaps CrawlMode = "sitemap" // the start, and what the site's sitemaps list
	CrawlList     CrawlMode = "list"    // what is given, and nothing else
)

// CrawlModes are all of them, the default first.
var CrawlModes = []CrawlMode{CrawlLinks, CrawlSitemaps, CrawlList}

// CrawlStatus is where a crawl stands.
type CrawlStatus string

// The statuses. Other than that of a report, CrawlRunning is stored: the next process goes on with what was running.
const (
	CrawlQueued  CrawlStatus = "queued"
	CrawlRunning CrawlStatus = "running"
	CrawlEnded   CrawlStatus = "done"
	CrawlStopped CrawlStatus = "stopped" // somebody stopped it: it shows what it had seen
	CrawlFailed  CrawlStatus = "failed"  // the site could not be crawled
)

// CrawlStatuses are all of them, in the order in which a crawl has them.
var CrawlStatuses = []CrawlStatus{CrawlQueued, CrawlRunning, CrawlEnded, CrawlStopped, CrawlFailed}

// Unfinished reports whether the crawl is still to come or under way.
func (s CrawlStatus) Unfinished() bool { return s == CrawlQueued || s == CrawlRunning }

// CrawlOptions are what a crawl is asked to do.
type CrawlOptions struct {
	URL      string // the start, normalised; the first address of a list
	Mode     CrawlMode
	Privacy  Privacy  // of the reports that it makes
	MaxPages int      // addresses asked for
	MaxDepth int      // clicks from the start; 0: any number
	Include  []string // patterns, one of which an address must match; none: every address does
	Exclude  []string // patterns of addresses that are not asked for
}

// Crawl is one run over a site.
type Crawl struct {
	CrawlOptions
	ID       uuid.UUID // UUIDv7, so that ids sort by creation
	Project  ProjectRef
	Status   CrawlStatus
	Stopping bool // somebody asked for its end while it was running
	Progress CrawlProgress
	Limits   []CrawlLimit   // what it left out
	Summary  *CrawlSummary  // nil before its end
	Score    *int           // of the site; nil before the end, and where there are no pages
	Result   audit.Result   // by the score
	Failure  *audit.Failure // why it failed; nil unless Status is CrawlFailed
	Rows     CrawlRows

	CreatedAt  time.Time
	StartedAt  time.Time // zero before
	FinishedAt time.Time // zero before
	Revision   uint64
}

// CrawlProgress counts the addresses of a crawl. Found is the sum of the others.
type CrawlProgress struct {
	Found    int `json:"found"`
	Queued   int `json:"queued"`
	Done     int `json:"done"`
	Failed   int `json:"failed"` // those that gave no response
	UnderWay int `json:"under_way"`
}

// CrawlLimit is a limit that a crawl met, so that some addresses were left out.
type CrawlLimit struct {
	Limit     string `json:"limit"`
	Detail    string `json:"detail"`
	Addresses int    `json:"addresses"` // how many were left out
}

// CrawlSummary is what a crawl found, in numbers.
type CrawlSummary struct {
	Pages     int    `json:"pages"`
	Indexable int    `json:"indexable"` // of the pages
	Good      int    `json:"good"`      // pages by their result
	Decent    int    `json:"decent"`
	Bad       int    `json:"bad"`
	High      int    `json:"high"` // checks across pages that name an address, by severity
	Medium    int    `json:"medium"`
	Low       int    `json:"low"`
	Why       string `json:"why"` // one sentence: what made the score; "" without one
}

// CrawlRows counts what the lists of a finished crawl hold.
type CrawlRows struct{ Pages, Links, Folders int }

// CrawlPage is an address as the list of a crawl's pages shows it.
type CrawlPage struct {
	URL       string
	Status    int // of the response; 0 without one
	Depth     int // fewest clicks from the start; -1 where links do not lead
	Inlinks   int
	Outlinks  int
	Reason    string    // why search engines do not index it; "" where they may
	Canonical string    // "" where it names none
	Title     string    //
	Report    uuid.UUID // zero unless it is a page
	Score     *int      // that the page had in this crawl; nil unless it is a page
}

// CrawlFolder is a part of a site: the pages whose addresses begin with its own.
type CrawlFolder struct {
	URL               string // ends with a slash
	Level             int    // how many folders it lies in
	Pages             int    // in it and in the folders below it
	Score             int    // the mean of the scores of its pages, rounded
	Good, Decent, Bad int    // its pages by their result
}

// CrawlOverview is what a crawl found, in numbers.
type CrawlOverview struct {
	Statuses []StatusCount // the lowest status first
	Checks   []CheckCount  // across pages that name an address, in the order of the checks
	Folders  []CrawlFolder // the largest ones, each behind the one that it lies in
	Broken   int           // addresses of the site that pages link and that lead to an error or to no response
}

// StatusCount is how many addresses of a crawl gave a response with a status of HTTP.
type StatusCount struct{ Status, Addresses int } // Status is 0 for no response, and where robots.txt forbids to ask

// CheckCount is on how many addresses a check across pages is wrong.
type CheckCount struct {
	Check     string
	Addresses int
}

// CrawlLink is an address of the site that pages link.
type CrawlLink struct {
	Target  string
	Status  int // of the last response on the way; 0 without one
	Broken  bool
	Sources int // pages that link it
	First   []LinkSource
}

// LinkSource is a page that links an address, and its first link that does.
type LinkSource struct {
	URL  string `json:"url"`
	Text string `json:"text"`
	Line int    `json:"line"` // 0 where it is unknown
}

// CrawlIssue is a check across pages that names an address.
type CrawlIssue struct {
	Check    string
	URL      string
	Report   uuid.UUID // zero where there is no page
	Evidence []audit.Evidence
}

// VisitedPage is a page that a crawl audited.
type VisitedPage struct {
	URL   string
	Found *audit.Report
}

// CrawlBatch is what came of addresses since the batch before.
type CrawlBatch struct {
	Pages []VisitedPage
	// Pack returns all that is to be kept of the visits, given the reports of Pages in their order; nil where nothing is. It may be called twice.
	Pack     func(reports []uuid.UUID) ([]byte, error)
	Progress CrawlProgress
	Limits   []CrawlLimit
}

// CrawlResult is what all visits of a crawl say together.
type CrawlResult struct {
	Pages  iter.Seq[CrawlPage]
	Links  iter.Seq[CrawlLink]
	Issues iter.Seq[CrawlIssue] // check by check
	// Folders are the largest ones, each behind the one that it lies in.
	Folders iter.Seq[CrawlFolder]
}

// CrawlEnd is how a crawl ended.
type CrawlEnd struct {
	Status   CrawlStatus
	Progress CrawlProgress
	Limits   []CrawlLimit
	Summary  *CrawlSummary
	Score    *int
	Failure  *audit.Failure
}

// ClaimedCrawl is a crawl that somebody shall run now, with all that it needs.
type ClaimedCrawl struct {
	Account string
	Crawl
	URLs    []string          // of a list: what to ask for
	Headers map[string]string // that go with each request to the site
}

// crawls are the methods of a Store for crawls. Lists of a crawl's rows are empty before its end, and in the order of the crawl: the nearest to
// the start first, unless q is descending.
type crawls interface {
	// CreateCrawl stores a crawl, with its project if that does not exist, and queues it. again reports that its idempotency key has made one
	// before, which it returns as it is now. The error is *InvalidError, also if MaxOpenCrawls of the account wait or run; or
	// ErrIdempotencyMismatch.
	CreateCrawl(ctx context.Context, account string, n NewCrawl) (made Crawl, again bool, err error)
	// Crawls returns one page of the crawls of an account, by creation. A search looks at their addresses; q may filter by project and status.
	Crawls(ctx context.Context, account string, q sortfilter.Query) (Page[Crawl], error)
	// Crawl returns a crawl, or ErrNotFound.
	Crawl(ctx context.Context, account string, id uuid.UUID) (Crawl, error)
	// StopCrawl ends a crawl early, and returns it as it is then: one that runs is stopped as soon as whoever runs it has heard of it, and one that
	// has ended stays as it is. check sees it as it was. The error is ErrNotFound, or that of check.
	StopCrawl(ctx context.Context, account string, id uuid.UUID, check func(Crawl) error) (Crawl, error)
	// DeleteCrawl removes a crawl, and keeps the reports that it made. What it has stored besides may be removed bit by bit afterwards. The
	// error is ErrNotFound, or that of check.
	DeleteCrawl(ctx context.Context, account string, id uuid.UUID, check func(Crawl) error) error

	// ClaimCrawl takes a crawl that waits, or that ran in a process which ended, and reports whether there is one. At most limit are taken at
	// once. An account gets another one while it has fewer than there are places left, and that which has least comes first; its
	// crawls come by creation. What was taken is given back by ReleaseCrawl, or when the process ends. Of several
	// processes each leaves to the others what is their share, for a while. Once another process has taken over what this one had, since it was taken
	// for dead, AppendVisits, KeepCrawlRows and FinishCrawl return ErrElsewhere.
	ClaimCrawl(ctx context.Context, limit int) (claimed ClaimedCrawl, found bool, err error)
	// ReleaseCrawl gives a crawl back.
	ReleaseCrawl(account string, id uuid.UUID)
	// AppendVisits keeps what a running crawl has seen, in one transaction: each page becomes the newest generation of the report that the
	// project has of its address, or a new report, whose audit is done. A report that waits for an audit goes on waiting. It returns these
	// reports. The error is ErrNotFound if the crawl or its project was deleted.
	AppendVisits(ctx context.Context, account string, id uuid.UUID, b CrawlBatch) ([]uuid.UUID, error)
	// Visits returns up to limit of the batches that Pack gave, in their order, behind as many as after says.
	Visits(ctx context.Context, account string, id uuid.UUID, after, limit int) ([][]byte, error)
	// KeepCrawlRows stores the rows of a crawl that is about to end, in small transactions, in the place of those that it has. The error is
	// ErrNotFound if the crawl was deleted.
	KeepCrawlRows(ctx context.Context, account string, id uuid.UUID, r CrawlResult) error
	// FinishCrawl ends a crawl, and raises CrawlDone unless it failed. Its visits are kept no longer. One that would be CrawlEnded is CrawlStopped
	// if somebody has stopped it before: who was told that it is stopping reads that it was stopped. The error is ErrNotFound if the crawl was deleted.
	FinishCrawl(ctx context.Context, account string, id uuid.UUID, e CrawlEnd) error

	// CrawlPages returns one page of the addresses that a crawl asked for, or would have but for robots.txt. q may filter by status of HTTP and
	// by whether they are indexable. The error is ErrNotFound.
	CrawlPages(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (Page[CrawlPage], error)
	// CrawlLinks returns one page of the addresses of the site that its pages link. q may filter those that are broken. The error is ErrNotFound.
	CrawlLinks(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (Page[CrawlLink], error)
	// CrawlOverview returns what a crawl found in numbers; nothing before its end. The error is ErrNotFound.
	CrawlOverview(ctx context.Context, account string, id uuid.UUID) (CrawlOverview, error)
	// CrawlIssues returns one page of the addresses that a check across pages names. The error is ErrNotFound, also if the check names not one.
	CrawlIssues(ctx context.Context, account string, id uuid.UUID, check string, q sortfilter.Query) (Page[CrawlIssue], error)
}

// In returns the crawl in a language. It is kept in English, and what is not recognised stays so. The crawl itself is not changed.
func (c Crawl) In(l locale.Language) Crawl {
	words := locale.For(l)
	if words.Language() == locale.English {
		return c
	}
	c.Failure = audit.FailureIn(l, c.Failure)
	c.Limits = slices.Clone(c.Limits)
	for i := range c.Limits {
		c.Limits[i].Detail = words.Translate(c.Limits[i].Detail, "crawl")
	}
	if c.Summary != nil {
		summary := *c.Summary
		summary.Why = words.Translate(summary.Why, "crawl")
		c.Summary = &summary
	}
	return c
}
