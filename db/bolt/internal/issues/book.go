package issues

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/crawled"
	"sitegrade/db/bolt/internal/tenant"
	"sitegrade/sortfilter"
)

// coveredAtOnce is how many reports a transaction reads to note what fails on them. Whoever writes meanwhile waits for it.
const coveredAtOnce = 32

// Book tells what is wrong with projects. It has the methods of db.Store for that.
type Book struct {
	Engine tenant.Engine
	// Number returns the number of a project, by its id.
	Number func(a tenant.Account, project uuid.UUID) (uint32, error)
	// Rated returns how many reports of a project have a result.
	Rated func(a tenant.Account, project uint32) int
	// Behind returns up to n reports of a project behind one of them, the oldest first.
	Behind func(a tenant.Account, project uint32, after uuid.UUID, n int) []uuid.UUID
	// Report returns the address of a report, and whether it has a result.
	Report func(a tenant.Account, id uuid.UUID) (url string, rated bool, err error)
	// Found returns what the newest successful audit of a report found, nil where that is not known.
	Found func(a tenant.Account, id uuid.UUID) (*audit.Report, error)
}

// Failing returns on how many reports of a project each check fails.
func (b *Book) Failing(a tenant.Account, project uuid.UUID) (map[string]int, error) {
	number, err := b.Number(a, project)
	if err != nil {
		return nil, err
	}
	return Of(a, number)
}

// Issues is documented in db.Store.
func (b *Book) Issues(ctx context.Context, account, nameOrID string, q sortfilter.Query) (page db.Page[db.Issue], err error) {
	err = b.view(ctx, account, nameOrID, func(a tenant.Account, project uuid.UUID, number uint32) error {
		failing, err := Of(a, number)
		if err != nil {
			return err
		}
		c, err := crawled.Counts(a, project)
		c.Pages = failing
		page = c.List(q)
		return err
	})
	return page, err
}

// IssueRows is documented in db.Store.
func (b *Book) IssueRows(ctx context.Context, account, nameOrID, check string, q sortfilter.Query) (page db.Page[db.IssueRow], err error) {
	if _, known := audit.Explain(check); !known {
		return page, fmt.Errorf("check: %w", db.ErrNotFound)
	}
	across := slices.ContainsFunc(audit.SiteChecks(), func(c audit.SiteCheck) bool { return c.ID == check })
	err = b.view(ctx, account, nameOrID, func(a tenant.Account, project uuid.UUID, number uint32) error {
		if across {
			page, err = crawled.Named(a, project, check, q)
		} else {
			page, err = b.failing(a, number, check, q)
		}
		return err
	})
	return page, err
}

// view runs read over a project whose reports are all counted.
func (b *Book) view(ctx context.Context, account, nameOrID string, read func(a tenant.Account, project uuid.UUID, number uint32) error) error {
	for {
		var number uint32
		covered := false
		err := b.Engine.View(ctx, account, func(a tenant.Account) error {
			project, err := b.Engine.Project(a, nameOrID)
			if err != nil {
				return err
			}
			if number, err = b.Number(a, project.ID); err != nil {
				return err
			}
			known, err := Known(a, number)
			if covered = known >= b.Rated(a, number); err != nil || !covered {
				return err
			}
			return read(a, project.ID, number)
		})
		if err != nil || covered {
			return err
		}
		if err := b.cover(ctx, account, number); err != nil {
			return err
		}
	}
}

// cover notes what fails on those reports of a project that an earlier version or an import has stored.
func (b *Book) cover(ctx context.Context, account string, project uint32) error {
	for after, more := uuid.Nil, true; more; {
		if err := b.Engine.Add(ctx, account, func(a tenant.Account) error {
			ids := b.Behind(a, project, after, coveredAtOnce)
			if more = len(ids) == coveredAtOnce; more {
				after = ids[len(ids)-1]
			}
			return b.coverSome(a, project, ids)
		}); err != nil {
			return err
		}
	}
	return nil
}

func (b *Book) coverSome(a tenant.Account, project uint32, ids []uuid.UUID) error {
	for _, id := range ids {
		_, rated, err := b.Report(a, id)
		if err != nil {
			return err
		}
		if !rated || has(a, project, id) {
			continue
		}
		found, err := b.Found(a, id)
		if err != nil {
			return err
		}
		if found == nil {
			found = new(audit.Report) // an import knew no more than the result
		}
		if err := Set(a, project, id, found); err != nil {
			return err
		}
	}
	return nil
}

// failing returns a page of the reports of a project on which a check fails.
func (b *Book) failing(a tenant.Account, project uint32, check string, q sortfilter.Query) (page db.Page[db.IssueRow], err error) {
	needle := sortfilter.Fold(q.Search)
	var all []uuid.UUID
	eachReport(a, project, check, func(id uuid.UUID) bool {
		if needle != "" {
			url, _, failed := b.Report(a, id)
			if err = failed; err != nil || !strings.Contains(sortfilter.Fold(url), needle) {
				return err == nil
			}
		}
		all = append(all, id)
		return true
	})
	page.Total = len(all)
	if !q.Ascending {
		slices.Reverse(all)
	}
	from := min(q.Offset(), len(all))
	for _, id := range all[from:min(from+q.PerPage, len(all))] {
		row := db.IssueRow{Report: id}
		if row.URL, _, err = b.Report(a, id); err != nil {
			return page, err
		}
		found, err := b.Found(a, id)
		if err != nil {
			return page, err
		}
		row.Evidence = evidenceOf(found, check)
		page.Rows = append(page.Rows, row)
	}
	return page, err
}

// evidenceOf returns what a check points at.
func evidenceOf(found *audit.Report, check string) []audit.Evidence {
	if found == nil {
		return nil
	}
	i := slices.IndexFunc(found.Checks, func(o audit.Outcome) bool { return o.ID == check })
	if i < 0 {
		return nil
	}
	return found.Checks[i].Evidence
}
