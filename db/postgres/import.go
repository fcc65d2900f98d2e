package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/transfer"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// Import is documented in db.Store.
func (d *DB) Import(ctx context.Context, account string, r io.Reader, progress func(db.ImportStats)) (db.ImportStats, error) {
	names, err := d.accountsPurging(ctx) // whose reports may be what is imported
	if err != nil {
		return db.ImportStats{}, err
	}
	for _, name := range names {
		if err := d.purgeAll(ctx, name); err != nil {
			return db.ImportStats{}, err
		}
	}
	return transfer.Import(ctx, account, r, func(lines []transfer.Line) (int, error) { return d.storeBatch(ctx, lines) }, progress)
}

// storeBatch stores parsed lines in one transaction and returns how many it skipped.
func (d *DB) storeBatch(ctx context.Context, lines []transfer.Line) (skipped int, err error) {
	var s *storing
	err = d.pool.Update(ctx, func(tx *pg.Tx) error {
		if err := forMany(tx); err != nil {
			return err
		}
		s = &storing{d: d, tx: tx, now: d.ms(), accounts: map[string]*storingAccount{}}
		return s.store(lines)
	})
	if err != nil {
		return 0, err
	}
	for name, a := range s.accounts {
		if a.news.Account = name; a.news.Queued || a.news.Crawls {
			d.Listeners.Tell(a.news)
		}
		d.Ledger.JudgeRest(name)
	}
	return s.skipped, nil
}

// forMany has a transaction plan its statements for the many rows that they are for, and for as many as there are by now, and index the trigrams of
// more addresses together.
func forMany(tx *pg.Tx) error {
	return tx.Write("SELECT set_config('plan_cache_mode', 'force_custom_plan', true), set_config('gin_pending_list_limit', '4MB', true)")
}

// storing is the transaction that stores a batch.
type storing struct {
	d        *DB
	tx       *pg.Tx
	now      int64
	accounts map[string]*storingAccount
	skipped  int
}

type storingAccount struct {
	*pg.Account
	made     bool // by this batch
	projects map[string]*project
	reports  []transfer.Line
	lines    []transfer.Line // of what may refer to reports
	news     db.News         // of the batch
	crawls   crawled.Rows
	issues   issues.Notes
}

// store stores what others refer to before what refers to it: accounts, keys and projects, then reports, then the rest.
func (s *storing) store(lines []transfer.Line) error {
	if err := s.open(lines); err != nil {
		return err
	}
	for _, l := range lines {
		if err := s.storeFirst(s.accounts[l.Account], l); err != nil {
			return err
		}
	}
	for _, name := range s.names() {
		a := s.accounts[name]
		if err := s.storeReports(a); err != nil {
			return err
		}
		for _, l := range a.lines {
			if err := s.storeBehind(a, l); err != nil {
				return err
			}
		}
		if err := errors.Join(a.crawls.Flush(), a.issues.Flush()); err != nil {
			return err
		}
	}
	return nil
}

// names returns the names of the accounts in their order.
func (s *storing) names() []string {
	var names []string
	for name := range s.accounts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// open locks the accounts of lines, and makes those that do not exist.
func (s *storing) open(lines []transfer.Line) error {
	for _, l := range lines {
		if s.accounts[l.Account] == nil {
			s.accounts[l.Account] = &storingAccount{projects: map[string]*project{}}
		}
	}
	names := s.names()
	known, err := accountsNamed(s.tx, names)
	if err != nil {
		return err
	}
	if len(known) < len(names) {
		for _, name := range names {
			if _, ok := known[name]; ok {
				continue
			}
			if err := db.ValidateAccountName(name); err != nil {
				return err
			}
			if err := addAccount(s.tx, name, record.NewShareKey()); err != nil {
				return err
			}
			s.accounts[name].made = true
		}
		if known, err = accountsNamed(s.tx, names); err != nil {
			return err
		}
	}
	var numbers []int32
	for name, a := range s.accounts {
		a.Account = &pg.Account{Tx: s.tx, Ref: pg.Ref{Name: name, Number: known[name]}}
		numbers = append(numbers, known[name])
	}
	_, err = s.tx.Exec("SELECT FROM tenants WHERE account = ANY($1) ORDER BY account FOR NO KEY UPDATE", numbers)
	return err
}

// accountsNamed returns the numbers of accounts by name.
func accountsNamed(tx *pg.Tx, names []string) (map[string]int32, error) {
	known := map[string]int32{}
	err := tx.Each("SELECT name, account FROM accounts WHERE name = ANY($1)", []any{names}, func(rows pgx.Rows) error {
		var name string
		var number int32
		err := rows.Scan(&name, &number)
		known[name] = number
		return err
	})
	return known, err
}

// storeFirst stores a line that others may refer to, and puts the others aside.
func (s *storing) storeFirst(a *storingAccount, l transfer.Line) error {
	switch l.Kind {
	case db.AccountLine:
		stored, err := s.d.Desk.ImportAccount(tenantOf(a.Account), l.Settings, l.Logo)
		if err == nil && a.made {
			return s.storeShareKey(a, l.ShareKey)
		}
		return s.stored(stored, err)
	case db.KeyLine:
		return s.storeKey(a, l)
	case db.ProjectLine:
		return s.storeProject(a, l.Project)
	case db.ReportLine:
		a.reports = append(a.reports, l)
	default:
		a.lines = append(a.lines, l)
	}
	return nil
}

// storeShareKey takes over the key that the addresses of shared pages are made from, unless another account has it: an address must lead to one
// account.
func (s *storing) storeShareKey(a *storingAccount, key []byte) error {
	if key == nil {
		return nil
	}
	var shares int64
	if err := lockShares(s.tx, &shares); err != nil {
		return err
	}
	var taken bool
	if err := s.tx.Row("SELECT EXISTS (SELECT FROM accounts WHERE share_key = $1)", []any{key}, &taken); err != nil || taken {
		return err
	}
	if err := s.tx.Write("UPDATE accounts SET share_key = $2 WHERE account = $1", a.Number, key); err != nil {
		return err
	}
	return s.tx.Write("UPDATE tenants SET shares = shares + 1 WHERE account = 0")
}

func (s *storing) storeKey(a *storingAccount, l transfer.Line) error {
	k := l.Key
	if k.CreatedAt.IsZero() {
		k.CreatedAt = record.Instant(s.now)
	}
	if k.ID == uuid.Nil {
		k.ID = s.d.nextID()
	}
	err := addKey(a.Account, k)
	if errors.As(err, new(*db.InvalidError)) {
		return s.stored(false, nil)
	}
	return err
}

func (s *storing) storeProject(a *storingAccount, l db.Project) error {
	var taken bool
	if err := a.Row("SELECT EXISTS (SELECT FROM projects WHERE account = $1 AND (folded = $2 OR id = $3))", []any{a.Number, sortfilter.Fold(l.Name), l.ID}, &taken); err != nil || taken {
		return s.stored(false, err)
	}
	p := &project{id: l.ID, name: l.Name, created: record.Milliseconds(l.CreatedAt)}
	if p.created == 0 {
		p.created = s.now
	}
	if p.id == uuid.Nil {
		p.id = record.NewID(p.created, 0)
	}
	if err := addProjects(a.Account, []*project{p}); err != nil {
		return err
	}
	return promised.ImportPromise(tenantOf(a.Account), p.number, l)
}

// project returns the project of a name, which is made if it does not exist.
func (s *storing) project(a *storingAccount, name string) (*project, error) {
	folded := sortfilter.Fold(name)
	if a.projects[folded] == nil {
		found, err := s.d.projectsFor(a.Account, []string{name}, s.now)
		if err != nil {
			return nil, err
		}
		a.projects[folded] = found[folded]
	}
	return a.projects[folded], nil
}

// storeGeneration stores a generation behind those that its report has.
func (s *storing) storeGeneration(a *storingAccount, l transfer.Line) error {
	r, err := liveRow(a.Tx, a.Number, l.Report.ID)
	if errors.Is(err, db.ErrNotFound) || err == nil && r.Fresh {
		return fmt.Errorf("id: the line of the report %s must come before its generations", l.Report.ID)
	} else if err != nil {
		return err
	}
	stored, err := generationsOf(a.Account).Import(&r.Record, &l.Generation, l.Packed)
	if err := s.stored(stored, err); err != nil {
		return err
	}
	return promised.JudgeLater(tenantOf(a.Account), r.Project)
}

// complete fills in what a line does not say.
func (s *storing) complete(id *uuid.UUID, created, updated *time.Time) {
	if created.IsZero() {
		*created = record.Instant(s.now)
	}
	if updated.IsZero() {
		*updated = *created
	}
	if *id == uuid.Nil {
		*id = s.d.nextID()
	}
}

// stored counts what was there already.
func (s *storing) stored(isNew bool, err error) error {
	if err == nil && !isNew {
		s.skipped++
	}
	return err
}
