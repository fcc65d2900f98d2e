package postgres

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// Report is documented in db.Store.
func (d *DB) Report(ctx context.Context, account string, id uuid.UUID) (db.Report, *audit.Report, error) {
	var shown db.Report
	var f findings
	if err := d.view(ctx, account, func(a *pg.Account) error {
		r, err := liveRow(a.Tx, a.Number, id)
		if err != nil {
			return err
		}
		shown, f, err = d.showWhole(a, &r)
		return err
	}); err != nil {
		return db.Report{}, nil, err
	}
	found, err := f.compared()
	return shown, found, err
}

// showWhole is show with what is known of the page.
func (d *DB) showWhole(a *pg.Account, r *row) (db.Report, findings, error) {
	shown, err := d.show(r)
	if err != nil {
		return db.Report{}, findings{}, err
	}
	f, err := d.findings(a, r)
	return shown, f, err
}

// Status is documented in db.Store.
func (d *DB) Status(ctx context.Context, account string, id uuid.UUID) (status db.Status, err error) {
	a, err := d.account(ctx, account)
	if err != nil {
		return 0, err
	}
	var running bool
	err = d.pool.Direct(ctx).Row(`SELECT r.status, q.server IS NOT NULL FROM reports r JOIN projects p ON p.account = r.account AND p.number = r.project
		LEFT JOIN queue q ON q.account = r.account AND q.id = r.id WHERE r.account = $1 AND r.id = $2`, []any{a.Number, id}, &status, &running)
	if errors.Is(err, db.ErrNotFound) {
		err = errNoReport
	}
	if status == db.Queued && running {
		status = db.Running
	}
	return status, err
}

// findings are what is known of a report's page, as a transaction saw it. They outlive that, since unpacking takes longer than reading them.
type findings struct {
	id       uuid.UUID
	packed   []byte
	siblings audit.Siblings
	accepted map[string]db.Accepted
}

// siblingsOf asks for up to audit.MaxEvidence addresses of other pages of a project that have a trait in common with a report, each once.
const siblingsOf = `SELECT coalesce(r.url, r.folded) FROM
	(SELECT DISTINCT ON (url_hash) url_hash, id FROM alike WHERE account = $1 AND project = $2 AND trait = $3 AND hash = $4 AND url_hash <> $5 ORDER BY url_hash, id LIMIT $6) a
	JOIN reports r ON r.account = $1 AND r.id = a.id ORDER BY a.url_hash`

func (d *DB) findings(a *pg.Account, r *row) (findings, error) {
	f := findings{id: r.ID}
	if r.Result == audit.Unrated {
		return f, nil
	}
	var b pgx.Batch
	b.Queue("SELECT packed FROM found WHERE account = $1 AND id = $2", a.Number, r.ID).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := rows.Scan(&f.packed); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	for trait, hash := range r.Traits {
		if hash == 0 {
			continue
		}
		b.Queue(siblingsOf, a.Number, r.Project, trait, int64(hash), int64(record.Hash(r.URL)), audit.MaxEvidence).Query(func(rows pgx.Rows) (err error) {
			f.siblings[trait], err = pgx.CollectRows(rows, pgx.RowTo[string])
			return err
		})
	}
	if err := a.Ask(&b); err != nil {
		return f, err
	}
	var err error
	f.accepted, err = d.acceptedFor(a, &r.Record)
	return f, err
}

// compared returns what was found, with what other reports of the project have in common with it, and what is accepted of it; nil before the
// first success.
func (f findings) compared() (*audit.Report, error) {
	found, err := record.UnpackFound(f.id, f.packed)
	if found != nil {
		found.Compare(f.siblings)
		db.MarkAccepted(found, f.accepted)
	}
	return found, err
}

// compareFolded compares two texts without regard to case.
func compareFolded(x, y string) int {
	x, y = sortfilter.Fold(x), sortfilter.Fold(y)
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}
