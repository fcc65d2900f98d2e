package issues

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// Book tells what is wrong with projects. It has the methods of db.Store for that.
type Book struct {
	Engine tenant.Engine
	// Number returns the number of a project, by its id.
	Number func(a tenant.Account, project uuid.UUID) (uint32, error)
	// Projects returns up to n numbers of projects behind one of them.
	Projects func(a tenant.Account, after uint32, n int) []uint32
	// Live reports whether a project has not been deleted.
	Live func(a tenant.Account, project uint32) bool
	// Rated returns how many reports of a project have a result.
	Rated func(a tenant.Account, project uint32) int
	// Behind returns up to n reports of a project behind one of them, the oldest first.
	Behind func(a tenant.Account, project uint32, after uuid.UUID, n int) []uuid.UUID
	// Report returns the address of a report, and whether it has a result.
	Report func(a tenant.Account, id uuid.UUID) (url string, rated bool, err error)
	// Packed returns what the newest successful audit of a report found, as it is stored; nil where that is not known. It is valid in the
	// transaction.
	Packed func(a tenant.Account, id uuid.UUID) []byte
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

// view runs read over a project.
func (b *Book) view(ctx context.Context, account, nameOrID string, read func(a tenant.Account, project uuid.UUID, number uint32) error) error {
	return b.Engine.View(ctx, account, func(a tenant.Account) error {
		project, err := b.Engine.Project(a, nameOrID)
		if err != nil {
			return err
		}
		number, err := b.Number(a, project.ID)
		if err != nil {
			return err
		}
		return read(a, project.ID, number)
	})
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
		found, err := record.UnpackFound(id, b.Packed(a, id))
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
