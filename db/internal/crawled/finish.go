package crawled

import (
	"context"
	"errors"
	"hash/fnv"
	"maps"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// checkNumber returns the number of a check in the keys of its issues.
func checkNumber(check string) uint16 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(check)) // never fails
	return uint16(h.Sum32()) ^ uint16(h.Sum32()>>16)
}

// FinishCrawl is documented in db.Store.
func (s *Sites) FinishCrawl(ctx context.Context, account string, id uuid.UUID, e db.CrawlEnd) error {
	raised := false
	err := s.Engine.Add(ctx, account, func(a tenant.Account) error {
		c, err := s.runs(a, id)
		if err != nil {
			return err
		}
		c.Status, c.FinishedAt = e.Status, s.Engine.Now()
		if c.Stopping && c.Status == db.CrawlEnded {
			c.Status = db.CrawlStopped // the crawler had nothing left before it heard of that
		}
		c.Stopping = false
		c.Progress, c.Limits, c.Summary, c.Score, c.Failure = e.Progress, e.Limits, e.Summary, e.Score, e.Failure
		if e.Score != nil {
			c.Result = audit.ResultOf(*e.Score)
		}
		if c.Failing, err = s.Failing(a, c.Project.ID); err != nil {
			return err
		}
		c.Sealed, c.Batches = nil, 0
		c.Revision++
		raised = false
		if e.Status != db.CrawlFailed {
			ended := c.Crawl
			raised, err = s.Tell(a, db.Event{Type: db.CrawlDone, Project: c.Project, Crawl: &ended})
		}
		return errors.Join(err, put(a, c), removeData(a, id, visitsAlone))
	})
	if err != nil {
		return err
	}
	s.Announce(db.News{Account: account, Told: raised, Crawls: true})
	s.Purge(account)
	return nil
}

// newestTwo returns the newest crawl of a project that has ended with rows, and the one before it; nil where there is not one.
func newestTwo(a tenant.Account, project uuid.UUID) (newest, before *Stored, err error) {
	ids := ofProject(a, project)
	for i := len(ids) - 1; i >= 0 && before == nil; i-- {
		c, err := get(a, ids[i])
		switch {
		case err != nil:
			return nil, nil, err
		case c.Status != db.CrawlEnded:
		case newest == nil:
			newest = c
		default:
			before = c
		}
	}
	return newest, before, nil
}

// Counts returns what crawls tell of the issues of a project.
func Counts(a tenant.Account, project uuid.UUID) (c db.IssueCounts, err error) {
	newest, before, err := newestTwo(a, project)
	if newest != nil {
		c.Across = orEmpty(newest.Issues)
	}
	if before != nil {
		c.Earlier = orEmpty(maps.Clone(before.Failing))
		maps.Copy(c.Earlier, before.Issues)
	}
	return c, err
}

func orEmpty(counts map[string]int) map[string]int {
	if counts == nil {
		return map[string]int{}
	}
	return counts
}

// Named returns a page of the addresses that a check across pages names in the newest crawl of a project.
func Named(a tenant.Account, project uuid.UUID, check string, q sortfilter.Query) (page db.Page[db.IssueRow], err error) {
	newest, _, err := newestTwo(a, project)
	if err != nil || newest == nil {
		return page, err
	}
	rows, err := table[db.CrawlIssue]{a: a, crawl: newest.ID, kind: issuesKind, sub: checkNumber(check)}.page(q, nil)
	page.Total = rows.Total
	for _, r := range rows.Rows {
		page.Rows = append(page.Rows, db.IssueRow{URL: r.URL, Report: r.Report, Evidence: r.Evidence})
	}
	return page, err
}
