package bolt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/uuid"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/keyring"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/transfer"
)

// Import is documented in db.Store.
func (d *DB) Import(ctx context.Context, account string, r io.Reader, progress func(db.ImportStats)) (db.ImportStats, error) {
	if err := d.finishPurges(ctx); err != nil {
		return db.ImportStats{}, err
	}
	return transfer.Import(ctx, account, r, func(lines []transfer.Line) (int, error) { return d.storeBatch(ctx, lines) }, progress)
}

// finishPurges waits until nothing is left of deleted projects, whose reports may be what is imported.
func (d *DB) finishPurges(ctx context.Context) error {
	names, err := d.accountsPurging()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := d.purgeAll(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// storeBatch stores parsed lines in one transaction and returns how many it skipped.
func (d *DB) storeBatch(ctx context.Context, lines []transfer.Line) (skipped int, err error) {
	var news []db.News
	err = d.file.Add(ctx, func(tx *bbolt.Tx) error {
		s := storing{d: d, tx: tx, now: record.Milliseconds(d.options.Now()), accounts: map[string]*storingAccount{}}
		for _, l := range lines {
			if err := s.store(l); err != nil {
				return err
			}
		}
		skipped, news = s.skipped, s.news()
		return s.finish()
	})
	if err == nil {
		for _, n := range news {
			d.Listeners.Tell(n)
		}
		err = d.Ledger.Resume()
	}
	return skipped, err
}

// storing is the transaction that stores a batch.
type storing struct {
	d        *DB
	tx       *bbolt.Tx
	now      int64
	accounts map[string]*storingAccount
	skipped  int
}

type storingAccount struct {
	*accountTx
	indexing
	projects map[string]uint32 // by name as written
	news     db.News           // of the batch
	crawls   crawled.Rows
	issues   issues.Notes
}

func (s *storing) account(name string) (*storingAccount, error) {
	if a := s.accounts[name]; a != nil {
		return a, nil
	}
	a, err := makeAccount(s.tx, name)
	if err != nil {
		return nil, err
	}
	s.accounts[name] = &storingAccount{accountTx: a, projects: map[string]uint32{}}
	return s.accounts[name], nil
}

// news returns what the batch queued.
func (s *storing) news() (all []db.News) {
	for name, a := range s.accounts {
		if a.news.Account = name; a.news.Queued || a.news.Crawls {
			all = append(all, a.news)
		}
	}
	return all
}

// finish writes the indexes.
func (s *storing) finish() error {
	for _, a := range s.accounts {
		if err := errors.Join(a.apply(a.accountTx), a.crawls.Flush(), a.issues.Flush()); err != nil {
			return err
		}
	}
	return nil
}

func (s *storing) store(l transfer.Line) error {
	known := s.tx.Bucket(accountsBucket).Bucket([]byte(l.Account)) != nil
	a, err := s.account(l.Account)
	if err != nil {
		return err
	}
	switch l.Kind {
	case db.AccountLine:
		stored, err := s.d.ImportAccount(a.tenant(), l.Settings, l.Logo)
		if known {
			return s.stored(stored, err)
		}
		return errors.Join(err, s.storeShareKey(a, l.ShareKey))
	case db.KeyLine:
		return s.stored(keyring.Import(s.tx, l.Key, record.Instant(s.now), s.d.ids.Next))
	case db.ProjectLine:
		return s.storeProject(a, l.Project)
	}
	return s.storeBehind(a, l)
}

// storeBehind stores a line of those that may refer to lines before it.
func (s *storing) storeBehind(a *storingAccount, l transfer.Line) error {
	switch l.Kind {
	case db.GenerationLine:
		return s.storeGeneration(a, l)
	case db.WebhookLine:
		return s.storeWebhook(a, l.Webhook)
	case db.FormLine:
		return s.storeForm(a, l.Form)
	case db.AcceptedLine:
		return s.storeAccepted(a, l)
	case db.ScheduleLine:
		return s.storeSchedule(a, l.Schedule)
	case db.CrawlLine:
		a.news.Crawls = a.news.Crawls || l.Crawl.Status.Unfinished()
		return s.stored(s.d.Sites.Import(a.tenant(), l.Crawl))
	case db.CrawlPageLine, db.CrawlLinkLine, db.CrawlFolderLine, db.CrawlIssueLine:
		return s.stored(a.crawls.Import(a.tenant(), l.CrawlRow))
	}
	return s.storeReport(a, l)
}

// storeShareKey takes over the key that the addresses of shared pages are made from, unless another account has it: an address must
// lead to one account.
func (s *storing) storeShareKey(a *storingAccount, key []byte) error {
	taken := key == nil
	err := eachAccount(s.tx, func(other *accountTx) error {
		taken = taken || bytes.Equal(key, other.bucket(settingsBucket).Get(shareKeyKey))
		return nil
	})
	if taken || err != nil {
		return err
	}
	return a.putShareKey(key)
}

func (s *storing) storeProject(a *storingAccount, l db.Project) error {
	if a.numberOf(l.Name) != nil || a.bucket(projectIDsBucket).Get(l.ID[:]) != nil {
		s.skipped++
		return nil
	}
	p := &project{id: l.ID, name: l.Name, created: record.Milliseconds(l.CreatedAt)}
	if p.created == 0 {
		p.created = s.now
	}
	if p.id == uuid.Nil {
		p.id = record.NewID(p.created, 0)
	}
	if _, err := a.addProject(p); err != nil {
		return err
	}
	return promised.ImportPromise(a.tenant(), p.number, l)
}

// storeAccepted stores an accepted outcome under its project.
func (s *storing) storeAccepted(a *storingAccount, l transfer.Line) error {
	number, err := s.project(a, l.Project.Name)
	if err != nil {
		return err
	}
	if l.Accepted.ID == uuid.Nil {
		l.Accepted.ID = s.d.ids.Next(record.Instant(s.now))
	}
	if l.Accepted.CreatedAt.IsZero() {
		l.Accepted.CreatedAt = record.Instant(s.now)
	}
	stored, err := promised.Import(a.tenant(), number, l.Accepted)
	if err == nil && !stored {
		s.skipped++
	}
	return errors.Join(err, promised.JudgeLater(a.tenant(), number))
}

// project returns the number of the project of a name, which is made if it does not exist.
func (s *storing) project(a *storingAccount, name string) (uint32, error) {
	if number, known := a.projects[name]; known {
		return number, nil
	}
	p, err := a.makeProject(name, &s.d.ids, s.now)
	if err != nil {
		return 0, err
	}
	a.projects[name] = p.number
	return p.number, nil
}

func (s *storing) storeReport(a *storingAccount, l transfer.Line) error {
	r := *l.Record
	if r.ID != uuid.Nil {
		if _, err := a.record(r.ID); err == nil {
			s.skipped++
			return nil
		}
	}
	r.Complete(&s.d.ids, s.now)
	var err error
	if r.Project, err = s.project(a, l.Report.Project.Name); err != nil {
		return err
	}
	if l.Packed != nil {
		if err := a.bucket(foundBucket).Put(r.ID[:], l.Packed); err != nil {
			return err
		}
	}
	if r.Result != audit.Unrated {
		if err := a.issues.Set(a.tenant(), r.Project, r.ID, l.Findings); err != nil {
			return err
		}
	}
	a.replace(nil, &r)
	a.news.Queued = a.news.Queued || r.Status == db.Queued
	return errors.Join(a.putRecord(&r), a.enqueue(&r), promised.JudgeLater(a.tenant(), r.Project))
}

// storeGeneration stores a generation behind those that its report has.
func (s *storing) storeGeneration(a *storingAccount, l transfer.Line) error {
	r, err := a.record(l.Report.ID)
	if err != nil || r.Fresh {
		return fmt.Errorf("id: the line of the report %s must come before its generations", l.Report.ID)
	}
	stored, err := a.generations().Import(r, &l.Generation, l.Packed)
	if err == nil && !stored {
		s.skipped++
	}
	return errors.Join(err, promised.JudgeLater(a.tenant(), r.Project))
}
