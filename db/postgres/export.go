package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/transfer"
	"sitegrade/db/postgres/internal/pg"
)

// exportChunk is how many reports are read in one transaction.
const exportChunk = 500

// Export is documented in db.Store.
func (d *DB) Export(ctx context.Context, account string, w io.Writer) error {
	all, err := accounts(d.pool.Direct(ctx))
	if err != nil {
		return err
	}
	found := account == ""
	for _, a := range all {
		if account != "" && account != a.Name {
			continue
		}
		found = true
		if err := d.exportAccount(ctx, a.Name, w); err != nil {
			return err
		}
	}
	if !found {
		return fmt.Errorf("account %q: %w", account, db.ErrNotFound)
	}
	return nil
}

func (d *DB) exportAccount(ctx context.Context, name string, w io.Writer) error {
	if err := transfer.WriteAccount(ctx, w, func(out *json.Encoder) error {
		return d.view(ctx, name, func(a *pg.Account) error { return d.exportHead(a, out) })
	}, func(after uuid.UUID, out *json.Encoder) (last uuid.UUID, more bool, err error) {
		err = d.view(ctx, name, func(a *pg.Account) error {
			if last, more, err = d.exportReports(a, after, out); err != nil || more {
				return err
			}
			return d.exportTold(a, out)
		})
		return last, more, err
	}); err != nil {
		return err
	}
	return d.Sites.Export(ctx, name, w)
}

// exportHead writes the account, its keys and its projects.
func (d *DB) exportHead(a *pg.Account, out *json.Encoder) error {
	var shareKey []byte
	if err := a.Row("SELECT share_key FROM accounts WHERE account = $1", []any{a.Number}, &shareKey); err != nil {
		return err
	}
	settings, logo, err := d.Desk.Export(tenantOf(a))
	if err != nil {
		return err
	}
	if err := out.Encode(db.LineOfAccount(settings, shareKey, logo)); err != nil {
		return err
	}
	keys, err := keysIn(a.Tx, a.Name)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := out.Encode(db.LineOfKey(k)); err != nil {
			return err
		}
	}
	return d.exportProjects(a, out)
}

// exportReports writes the next reports after an id, each with its generations, and returns the id of the last one and whether there may be more.
func (d *DB) exportReports(a *pg.Account, after uuid.UUID, out *json.Encoder) (last uuid.UUID, more bool, err error) {
	type stored struct {
		row
		packed      []byte
		generations bool
	}
	all, err := pg.All(a.Tx, "SELECT "+shownColumns+`, f.packed, EXISTS (SELECT FROM generations g WHERE g.account = r.account AND g.report = r.id)
		FROM reports r`+shownJoins+` LEFT JOIN found f ON f.account = r.account AND f.id = r.id WHERE r.account = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`,
		[]any{a.Number, after, exportChunk}, func(rows pgx.Rows) (s stored, err error) {
			s.row, err = scanRow(rows, &s.packed, &s.generations)
			return s, err
		})
	if err != nil {
		return after, false, err
	}
	last = after
	for i := range all {
		r := &all[i]
		r.running = false // it will not be elsewhere
		shown, err := d.show(&r.row)
		if err != nil {
			return last, false, err
		}
		found, err := record.UnpackFound(r.ID, r.packed)
		if err != nil {
			return last, false, err
		}
		if err := out.Encode(db.LineOfReport(a.Name, shown, found)); err != nil {
			return last, false, err
		}
		if r.generations {
			if _, err := generationsOf(a).Export(a.Name, &r.Record, out); err != nil {
				return last, false, err
			}
		}
		last = r.ID
	}
	return last, len(all) == exportChunk, nil
}
