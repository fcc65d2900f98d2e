package postgres

import (
	"context"
	"github.com/google/uuid"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// CreateCrawl is documented in db.Store.
func (d *DB) CreateCrawl(ctx context.Context, account string, n db.NewCrawl) (made db.Crawl, again bool, err error) {
	err = errNotBuilt
	return
}

// Crawls is documented in db.Store.
func (d *DB) Crawls(ctx context.Context, account string, q sortfilter.Query) (_ db.Page[db.Crawl], err error) {
	err = errNotBuilt
	return
}

// Crawl is documented in db.Store.
func (d *DB) Crawl(ctx context.Context, account string, id uuid.UUID) (_ db.Crawl, err error) {
	err = errNotBuilt
	return
}

// StopCrawl is documented in db.Store.
func (d *DB) StopCrawl(ctx context.Context, account string, id uuid.UUID, check func(db.Crawl) error) (_ db.Crawl, err error) {
	err = errNotBuilt
	return
}

// DeleteCrawl is documented in db.Store.
func (d *DB) DeleteCrawl(ctx context.Context, account string, id uuid.UUID, check func(db.Crawl) error) error {
	return errNotBuilt
}

// ClaimCrawl is documented in db.Store.
func (d *DB) ClaimCrawl(ctx context.Context, limit int) (claimed db.ClaimedCrawl, found bool, err error) {
	err = errNotBuilt
	return
}

// ReleaseCrawl is documented in db.Store.
func (d *DB) ReleaseCrawl(account string, id uuid.UUID) {}

// AppendVisits is documented in db.Store.
func (d *DB) AppendVisits(ctx context.Context, account string, id uuid.UUID, b db.CrawlBatch) (_ []uuid.UUID, err error) {
	err = errNotBuilt
	return
}

// Visits is documented in db.Store.
func (d *DB) Visits(ctx context.Context, account string, id uuid.UUID, after, limit int) (_ [][]byte, err error) {
	err = errNotBuilt
	return
}

// KeepCrawlRows is documented in db.Store.
func (d *DB) KeepCrawlRows(ctx context.Context, account string, id uuid.UUID, r db.CrawlResult) error {
	return errNotBuilt
}

// FinishCrawl is documented in db.Store.
func (d *DB) FinishCrawl(ctx context.Context, account string, id uuid.UUID, e db.CrawlEnd) error {
	return errNotBuilt
}

// CrawlPages is documented in db.Store.
func (d *DB) CrawlPages(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (_ db.Page[db.CrawlPage], err error) {
	err = errNotBuilt
	return
}

// CrawlLinks is documented in db.Store.
func (d *DB) CrawlLinks(ctx context.Context, account string, id uuid.UUID, q sortfilter.Query) (_ db.Page[db.CrawlLink], err error) {
	err = errNotBuilt
	return
}

// CrawlOverview is documented in db.Store.
func (d *DB) CrawlOverview(ctx context.Context, account string, id uuid.UUID) (_ db.CrawlOverview, err error) {
	err = errNotBuilt
	return
}

// CrawlIssues is documented in db.Store.
func (d *DB) CrawlIssues(ctx context.Context, account string, id uuid.UUID, check string, q sortfilter.Query) (_ db.Page[db.CrawlIssue], err error) {
	err = errNotBuilt
	return
}
