package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// DeleteOlder is documented in db.Store.
func (d *DB) DeleteOlder(ctx context.Context, before time.Time) (removed int, err error) {
	all, err := accounts(d.pool.Direct(ctx))
	for _, a := range all {
		for n := purgeBatch; n == purgeBatch && err == nil; removed += n {
			err = d.pool.Write(ctx, a, func(a *pg.Account) (err error) {
				n, err = d.deleteOlder(a, record.Milliseconds(before))
				return err
			})
		}
		if err != nil {
			return removed, err
		}
		d.Ledger.JudgeRest(a.Name)
	}
	return removed, err
}

// older asks for some reports that may go: of each result those that were generated first, and of those without one the first that were made.
const older = `SELECT ` + reportColumns + ` FROM reports r JOIN projects p ON p.account = r.account AND p.number = r.project WHERE r.account = $1 AND r.status <> 0 AND r.settled AND r.id IN (
	(SELECT id FROM reports WHERE account = $1 AND settled AND result = 1 AND generated < $2 AND status <> 0 ORDER BY generated, id LIMIT 500) UNION ALL
	(SELECT id FROM reports WHERE account = $1 AND settled AND result = 2 AND generated < $2 AND status <> 0 ORDER BY generated, id LIMIT 500) UNION ALL
	(SELECT id FROM reports WHERE account = $1 AND settled AND result = 3 AND generated < $2 AND status <> 0 ORDER BY generated, id LIMIT 500) UNION ALL
	(SELECT id FROM reports WHERE account = $1 AND settled AND result = 0 AND created < $2 AND status <> 0 ORDER BY id LIMIT 500)) LIMIT 500`

// deleteOlder removes some reports.
func (d *DB) deleteOlder(a *pg.Account, before int64) (removed int, err error) {
	old, err := pg.All(a.Tx, older, []any{a.Number, before}, func(rows pgx.Rows) (*record.Record, error) { return scanRecord(rows) })
	if err != nil || len(old) == 0 {
		return 0, err
	}
	return len(old), d.deleteRecords(a, old)
}

// deleteRecords removes reports with all that is derived from them.
func (d *DB) deleteRecords(a *pg.Account, records []*record.Record) error {
	var b pgx.Batch
	counts := map[uint32]*[4]int64{0: {}}
	ids := map[uint32][]uuid.UUID{}
	var gone []marks.Report
	for _, r := range records {
		if counts[r.Project] == nil {
			counts[r.Project] = &[4]int64{}
		}
		counts[0][r.Result]--
		counts[r.Project][r.Result]--
		gone = append(gone, marked(r)...)
		ids[r.Project] = append(ids[r.Project], r.ID)
		if r.Traits != (record.Traits{}) {
			noteTraits(&b, removeTraits, a.Number, r)
		}
	}
	countAll(&b, a.Number, counts)
	d.marks.Change(&b, a.Ref, gone, nil)
	if err := a.Send(&b); err != nil {
		return err
	}
	for project, some := range ids {
		if err := d.removeReports(a, project, some); err != nil {
			return err
		}
	}
	return nil
}

// surplusBatch is how many reports of an address go at most when one comes, where there are more than are kept.
const surplusBatch = 20

// deleteSurplus removes the rated reports of r's address in its project that are older than the newest keep of them, and that do not wait for an
// audit.
func (d *DB) deleteSurplus(a *pg.Account, r *record.Record, keep int) error {
	same, err := pg.All(a.Tx, "SELECT "+reportColumns+` FROM reports r WHERE account = $1 AND project = $2 AND settled AND result IN (1, 2, 3) AND folded = $3 AND coalesce(url, folded) = $4
		ORDER BY id DESC LIMIT $5`, []any{a.Number, r.Project, sortfilter.Fold(r.URL), r.URL, keep + surplusBatch}, func(rows pgx.Rows) (*record.Record, error) { return scanRecord(rows) })
	if err != nil {
		return err
	}
	surplus := slices.DeleteFunc(same[min(keep, len(same)):], func(other *record.Record) bool { return other.Queued != 0 || other.ID == r.ID })
	if len(surplus) == 0 {
		return nil
	}
	return d.deleteRecords(a, surplus)
}
