package postgres

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
)

// maxDifferences is how many differences are named.
const maxDifferences = 100

// checker gathers what a check finds.
type checker struct{ db.CheckResult }

func (c *checker) differ(format string, args ...any) {
	if len(c.Differences) >= maxDifferences {
		c.More++
		return
	}
	c.Differences = append(c.Differences, fmt.Sprintf(format, args...))
}

// Check is documented in db.Store. It reads all accounts as they were at one moment.
func (d *DB) Check(ctx context.Context) (db.CheckResult, error) {
	var c checker
	err := d.pool.View(ctx, func(tx *pg.Tx) error {
		all, err := accounts(tx)
		if err != nil {
			return err
		}
		for _, ref := range all {
			c.Accounts++
			a := &pg.Account{Tx: tx, Ref: ref}
			if err := d.checkAccount(a, &c); err != nil {
				return err
			}
		}
		if err := tx.Row("SELECT count(*) FROM keys", nil, &c.Keys); err != nil {
			return err
		}
		return c.find(tx, "keys", "API key %s: its account is missing", "SELECT id::text FROM keys WHERE account NOT IN (SELECT account FROM accounts)")
	})
	return c.CheckResult, err
}

// find notes a difference for each text that a query returns.
func (c *checker) find(tx *pg.Tx, what, format, sql string, args ...any) error {
	found, err := pg.Column[string](tx, sql, args...)
	if err != nil {
		return fmt.Errorf("checking %s: %w", what, err)
	}
	for _, text := range found {
		c.differ(format, text)
	}
	return nil
}

// derived are queries for what stands in an account without belonging there, or is missing: each gives a text for each difference. Reports of
// deleted projects are on their way out, and so is what is derived from them.
var derived = []struct{ name, sql string }{
	{"counts", `WITH live AS (SELECT r.project, r.result FROM reports r JOIN projects p ON p.account = $1 AND p.number = r.project WHERE r.account = $1),
		want AS (SELECT project, count(*) FILTER (WHERE result = 0) n, count(*) FILTER (WHERE result = 1) b, count(*) FILTER (WHERE result = 2) d, count(*) FILTER (WHERE result = 3) g
			FROM (SELECT project, result FROM live UNION ALL SELECT 0, result FROM live) x GROUP BY project),
		have AS (SELECT project, none n, bad b, decent d, good g FROM counts WHERE account = $1 AND (none, bad, decent, good) <> (0, 0, 0, 0))
		SELECT format('project %s has %s, not %s', coalesce(w.project, h.project), (h.n, h.b, h.d, h.g), (w.n, w.b, w.d, w.g))
		FROM want w FULL JOIN have h ON h.project = w.project WHERE (w.n, w.b, w.d, w.g) IS DISTINCT FROM (h.n, h.b, h.d, h.g)`},
	{"reports", `SELECT format('%s is of project %s, which is missing', r.id, r.project) FROM reports r WHERE r.account = $1
		AND NOT EXISTS (SELECT FROM projects p WHERE p.account = $1 AND p.number = r.project) AND NOT EXISTS (SELECT FROM dropped x WHERE x.account = $1 AND x.project = r.project)`},
	{"projects", `SELECT format('%s is there and deleted', number) FROM projects p WHERE account = $1 AND EXISTS (SELECT FROM dropped x WHERE x.account = $1 AND x.project = p.number)`},
	{"reports", `SELECT format('%s was audited and has no index', id) FROM reports WHERE account = $1 AND NOT settled AND (result <> 0 OR status <> 0 OR generated <> 0)`},
	{"queue", `SELECT format('%s waits as %s, and in the queue as %s', coalesce(r.id, q.id), r.queued, q.queued)
		FROM (SELECT r.id, r.queued FROM reports r JOIN projects p ON p.account = $1 AND p.number = r.project WHERE r.account = $1 AND r.status = 0) r
		FULL JOIN (SELECT id, queued FROM queue WHERE account = $1) q ON q.id = r.id WHERE r.queued IS DISTINCT FROM q.queued`},
	{"reports", `SELECT format('%s has the turn %s and the status %s', id, queued, status) FROM reports WHERE account = $1 AND (queued > 0) <> (status = 0)`},
	{"found", `SELECT id::text FROM found f WHERE account = $1 AND NOT EXISTS (SELECT FROM reports r WHERE r.account = $1 AND r.id = f.id)`},
	{"tenants", `SELECT 'is missing' WHERE NOT EXISTS (SELECT FROM tenants WHERE account = $1 AND last_project >= (SELECT coalesce(max(number), 0) FROM projects WHERE account = $1))`},
}

func (d *DB) checkAccount(a *pg.Account, c *checker) error {
	var projects, reports int
	if err := a.Row(`SELECT (SELECT count(*) FROM projects WHERE account = $1), (SELECT count(*) FROM reports r JOIN projects p ON p.account = $1 AND p.number = r.project WHERE r.account = $1)`,
		[]any{a.Number}, &projects, &reports); err != nil {
		return err
	}
	c.Projects += projects
	c.Reports += reports
	for _, q := range derived {
		if err := c.find(a.Tx, q.name, fmt.Sprintf("account %q: %s: %%s", a.Name, q.name), q.sql, a.Number); err != nil {
			return err
		}
	}
	if err := marks.Check(a, func(text string) { c.differ("account %q: marks: %s", a.Name, text) }); err != nil {
		return err
	}
	if err := d.checkRecords(a, c); err != nil {
		return err
	}
	if err := checkGenerations(a, c); err != nil {
		return err
	}
	return d.checkRooms(a, c)
}

// checkRecords compares what only this program can derive from reports.
func (d *DB) checkRecords(a *pg.Account, c *checker) error {
	want := map[string]bool{}
	if err := a.Each("SELECT "+reportColumns+" FROM reports r WHERE account = $1", []any{a.Number}, func(rows pgx.Rows) error {
		var n nullable
		var r record.Record
		if err := rows.Scan(n.columns(&r)...); err != nil {
			return err
		}
		n.fill(&r)
		if got := values(a.Number, &r)[13]; got != n.folded {
			c.differ("account %q: report %s stands under %q, not %q", a.Name, r.ID, n.folded, got)
		}
		for trait, hash := range r.Traits {
			if hash != 0 {
				want[alikeKey(r.Project, trait, int64(hash), int64(record.Hash(r.URL)), r.ID[:])] = true
			}
		}
		return nil
	}); err != nil {
		return err
	}
	err := a.Each("SELECT project, trait, hash, url_hash, id FROM alike WHERE account = $1", []any{a.Number}, func(rows pgx.Rows) error {
		var project uint32
		var trait int
		var hash, urlHash int64
		var id [16]byte
		if err := rows.Scan(&project, &trait, &hash, &urlHash, &id); err != nil {
			return err
		}
		key := alikeKey(project, trait, hash, urlHash, id[:])
		if !want[key] {
			c.differ("account %q: alike has %s", a.Name, key)
		}
		delete(want, key)
		return nil
	})
	for key := range want {
		c.differ("account %q: alike lacks %s", a.Name, key)
	}
	return err
}

func alikeKey(project uint32, trait int, hash, urlHash int64, id []byte) string {
	return fmt.Sprintf("%d/%d/%d/%d/%s", project, trait, hash, urlHash, hex.EncodeToString(id))
}
