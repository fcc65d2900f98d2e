package export

import (
	"context"
	"strconv"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// Reports returns the reports of an account that a query asks for, of all pages, as a file: reports.csv or reports.json. base is what the
// addresses of shared pages begin with.
func Reports(name string, store db.Store, account string, q sortfilter.Query, base string) File {
	return list{
		columns: []string{"id", "url", "project", "status", "result", "score", "privacy", "share_url", "generated_at", "created_at", "error"},
		each: func(ctx context.Context, visit func(row) error) error {
			return eachReport(ctx, store, account, q, func(r db.Report) error { return visit(reportRow{r, base}) })
		},
	}.file(name)
}

// eachReport calls visit for all reports of a list, in its order. A row that moved on from one chunk to the next meanwhile is passed over.
func eachReport(ctx context.Context, store db.Store, account string, q sortfilter.Query, visit func(db.Report) error) error {
	q.PerPage = chunk
	before := map[uuid.UUID]bool{}
	for q.Page = 1; ; q.Page++ {
		page, err := store.Reports(ctx, account, q)
		if err != nil {
			return err
		}
		here := make(map[uuid.UUID]bool, len(page.Rows))
		for _, r := range page.Rows {
			here[r.ID] = true
			if before[r.ID] {
				continue
			}
			if err := visit(r); err != nil {
				return err
			}
		}
		if len(page.Rows) < chunk || ctx.Err() != nil {
			return ctx.Err()
		}
		before = here
	}
}

// reportRow is a report, and what the address of its shared page begins with.
type reportRow struct {
	db.Report
	base string
}

func (r reportRow) cells() []string {
	cells := []string{
		r.ID.String(), r.URL, r.Project.Name, r.Status.String(), r.Result.String(), numberCell(r.Score, db.NoScore), strconv.Itoa(int(r.Privacy)), r.ShareURL(r.base),
		timeCell(r.GeneratedAt), timeCell(r.CreatedAt), "",
	}
	if r.Failure != nil {
		cells[len(cells)-1] = r.Failure.Error()
	}
	return cells
}

func (r reportRow) appendJSON(b []byte) ([]byte, error) { return r.AppendJSON(b, r.base), nil }
