package db

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/sortfilter"
)

// Issue is a check that fails on pages of a project.
type Issue struct {
	Check    string
	Severity audit.Severity
	Title    string // what is wrong
	Pages    int    // reports on which it fails, or addresses that a check across pages names
	Change   *int   // of Pages, since the end of the crawl before the newest one; nil without one
}

// IssueRow is a page on which a check fails.
type IssueRow struct {
	URL      string
	Report   uuid.UUID // zero where there is no page
	Evidence []audit.Evidence
}

// issues are the methods of a Store for what is wrong with a site: the checks that fail on the stored reports of a project, and those across
// pages of its newest crawl that was not stopped. Checks of a page that say the same as one across pages are left out once there is such a crawl.
type issues interface {
	// Issues returns one page of the issues of the project that Project would return, the worst first unless q is ascending. A search looks at
	// ids and titles. Reports that a version without issues has stored are counted once the store was opened, in the background: until that is
	// done the numbers are too low. The error is ErrNotFound.
	Issues(ctx context.Context, account, nameOrID string, q sortfilter.Query) (Page[Issue], error)
	// IssueRows returns one page of the pages on which a check fails: by creation of their reports, or, of a check across pages, the nearest to
	// the start first, unless q is descending. The error is ErrNotFound, also if there is no such check.
	IssueRows(ctx context.Context, account, nameOrID, check string, q sortfilter.Query) (Page[IssueRow], error)
}

// saidAcross are the checks of a page that say the same as one across pages.
var saidAcross = []string{"broken-links", "links-to-redirect", "canonical-target", "hreflang-return", "sitemap-lists-page"}

// IssueCounts are what the issues of a project are made from.
type IssueCounts struct {
	Pages   map[string]int // reports on which a check of a page fails
	Across  map[string]int // addresses that a check across pages names; nil without a crawl
	Earlier map[string]int // both, at the end of the crawl before; nil without one
}

// Named returns how many pages or addresses each check names, without those that say the same as another.
func (c IssueCounts) Named() map[string]int {
	all := map[string]int{}
	for check, n := range c.Pages {
		if c.Across == nil || !slices.Contains(saidAcross, check) {
			all[check] = n
		}
	}
	for check, n := range c.Across {
		all[check] = n
	}
	return all
}

// List returns a page of the issues.
func (c IssueCounts) List(q sortfilter.Query) Page[Issue] {
	var all []Issue
	wanted := sortfilter.Fold(q.Search)
	for check, n := range c.Named() {
		e, known := audit.Explain(check)
		if !known || e.Severity == "" || n == 0 {
			continue // of another version
		}
		i := Issue{Check: check, Severity: e.Severity, Title: audit.TitleFor(check, audit.Failed), Pages: n}
		if c.Earlier != nil {
			change := n - c.Earlier[check]
			i.Change = &change
		}
		if strings.Contains(sortfilter.Fold(i.Check+" "+i.Title), wanted) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(x, y Issue) int {
		return cmp.Or(cmp.Compare(y.Severity.Weight(), x.Severity.Weight()), cmp.Compare(y.Pages, x.Pages), cmp.Compare(x.Check, y.Check))
	})
	if q.Ascending {
		slices.Reverse(all)
	}
	from := min(q.Offset(), len(all))
	return Page[Issue]{Rows: all[from:min(from+q.PerPage, len(all))], Total: len(all)}
}
