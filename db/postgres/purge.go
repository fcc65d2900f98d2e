package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sitegrade/db/internal/crawled"
	"sitegrade/db/postgres/internal/pg"
)

const (
	// purgeBatch is how many reports one transaction removes: it lasts some milliseconds.
	purgeBatch = 500
	// purgePause is how many times as long as a transaction the next one waits, so that others write in between.
	purgePause = 1
)

// purge removes, in the background, what the account's deleted projects left.
func (d *DB) purge(account string) {
	d.background.Go(func() {
		_ = d.purgeAll(d.closing, account) // where it fails, the next start goes on
	})
}

// purgeAll removes what the account's deleted projects left.
func (d *DB) purgeAll(ctx context.Context, account string) error {
	for more := true; more; {
		began := time.Now()
		if err := d.remove(ctx, account, func(a *pg.Account) (err error) {
			more, err = d.purgeSome(a)
			return err
		}); err != nil {
			return err
		}
		if !more {
			break
		}
		select {
		case <-time.After(purgePause * time.Since(began)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// cut cuts, in the background, the stretches of an account that have grown too long.
func (d *DB) cut(account pg.Ref) {
	if _, busy := d.cutting.LoadOrStore(account.Number, true); busy || d.closing.Err() != nil {
		return
	}
	d.background.Go(func() {
		defer d.cutting.Delete(account.Number)
		for more := true; more; { // where it fails, the next report of such a stretch has it done
			began := time.Now()
			if err := d.pool.Write(d.closing, account, func(a *pg.Account) (err error) {
				more, err = d.marks.CutSome(a)
				return err
			}); err != nil {
				return
			}
			select {
			case <-time.After(purgePause * time.Since(began)):
			case <-d.closing.Done():
				return
			}
		}
	})
}

// resumePurges goes on with what was being removed when a server ended.
func (d *DB) resumePurges(ctx context.Context) error {
	names, err := d.accountsPurging(ctx)
	for _, name := range names {
		d.purge(name)
	}
	return err
}

// accountsPurging returns the accounts in which something is left of deleted projects.
func (d *DB) accountsPurging(ctx context.Context) ([]string, error) {
	return pg.Column[string](d.pool.Direct(ctx), "SELECT name FROM accounts WHERE account IN (SELECT account FROM dropped UNION SELECT account FROM things WHERE bucket = 'crawls_dropped') ORDER BY name")
}

// purgeSome removes some reports of a deleted project, and says whether there may be more.
func (d *DB) purgeSome(a *pg.Account) (more bool, err error) {
	projects, err := pg.Column[int32](a.Tx, "SELECT project FROM dropped WHERE account = $1 ORDER BY project LIMIT 1", a.Number)
	if err != nil {
		return false, err
	}
	if len(projects) == 0 {
		return crawled.PurgeSome(tenantOf(a), purgeBatch)
	}
	ids, err := pg.Column[uuid.UUID](a.Tx, `SELECT id FROM ((SELECT id FROM reports WHERE account = $1 AND project = $2 AND settled AND result IN (0, 1, 2, 3) LIMIT 500)
		UNION ALL (SELECT id FROM reports WHERE account = $1 AND project = $2 AND NOT settled LIMIT 500)) x LIMIT 500`, a.Number, projects[0])
	if err != nil {
		return false, err
	}
	if len(ids) == 0 {
		return true, a.Write("DELETE FROM dropped WHERE account = $1 AND project = $2", a.Number, projects[0])
	}
	if err := a.Write("DELETE FROM alike USING reports r WHERE alike.account = $1 AND alike.project = $2 AND r.account = $1 AND r.id = ANY($3) AND alike.id = r.id", a.Number, projects[0], ids); err != nil {
		return false, err
	}
	return true, d.removeReports(a, uint32(projects[0]), ids)
}
