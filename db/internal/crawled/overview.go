package crawled

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// wholeTable asks for all rows of a table that is known to be small.
var wholeTable = sortfilter.Query{Ascending: true, Page: 1, PerPage: math.MaxInt32}

// CrawlOverview is documented in db.Store.
func (s *Sites) CrawlOverview(ctx context.Context, account string, id uuid.UUID) (o db.CrawlOverview, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		c, err := get(a, id)
		if err != nil || c.Status.Unfinished() {
			return err
		}
		for _, check := range audit.SiteChecks() {
			if n := c.Issues[check.ID]; n > 0 {
				o.Checks = append(o.Checks, db.CheckCount{Check: check.ID, Addresses: n})
			}
		}
		if o.Statuses, err = statuses(a, id); err != nil {
			return err
		}
		if err := (table[db.CrawlLink]{a: a, crawl: id, kind: linksKind}).eachCells(func(_ uint16, flags byte) {
			if flags&isBroken != 0 {
				o.Broken++
			}
		}); err != nil {
			return err
		}
		folders, err := table[db.CrawlFolder]{a: a, crawl: id, kind: foldersKind}.page(wholeTable, nil)
		o.Folders = folders.Rows
		return err
	})
	return o, err
}

// statuses counts the pages of a crawl by their status of HTTP.
func statuses(a tenant.Account, id uuid.UUID) (all []db.StatusCount, err error) {
	counts := map[int]int{}
	err = table[db.CrawlPage]{a: a, crawl: id, kind: pagesKind}.eachCells(func(number uint16, _ byte) { counts[int(number)]++ })
	for _, status := range slices.Sorted(maps.Keys(counts)) {
		all = append(all, db.StatusCount{Status: status, Addresses: counts[status]})
	}
	return all, err
}

// eachCells calls visit for the number and the flags of each row.
func (t table[Row]) eachCells(visit func(number uint16, flags byte)) error {
	for _, columns := range t.columns() {
		if err := eachCells(columns, func(_ int, number uint16, flags byte, _ []byte) { visit(number, flags) }); err != nil {
			return err
		}
	}
	return nil
}
