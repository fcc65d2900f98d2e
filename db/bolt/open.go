// Package bolt keeps what Sitegrade stores in one bbolt file.
package bolt

import (
	"context"
	"errors"
	"sync"
	"time"

	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
	"sitegrade/db/bolt/internal/keyring"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/live"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/told"
)

// Options are how a database is opened. The zero value of a field means its default.
type Options struct {
	MaxSize int64 // bytes that the file may grow to; 0: no limit
	// KeepReports is how many rated reports a project keeps of one address: a new one replaces the oldest. 0: all.
	KeepReports int
	// KeepFindings is of how many generations of a report the whole findings are kept, the newest ones; db.DefaultKeepFindings.
	KeepFindings int
	Now          func() time.Time // time.Now
	// Secret is what the headers of crawls are encrypted with, which must be kept elsewhere than the file; none: such crawls are refused.
	Secret []byte
}

// DB is an open database file. It is a db.Store.
type DB struct {
	*told.Outbox      // webhooks and deliveries
	*planned.Calendar // schedules
	*keyring.Ring     // API keys
	*crawled.Sites    // crawls
	*issues.Book      // what is wrong with projects
	*promised.Ledger  // budgets and what is accepted
	*front.Desk       // how accounts are set up, and forms
	live.Listeners

	options Options
	file    *file.File
	ids     record.IDs
	running live.Running
	served  live.Served
	turn    planned.Turn // of schedules

	allowances live.Allowances
	shareKeys  record.ShareKeys

	purging sync.WaitGroup // removes what deleted projects left, and judges reports
	closing context.Context
	close   context.CancelFunc
}

var _ db.Store = (*DB)(nil)

// ErrInUse says that another process has the file open.
var ErrInUse = file.ErrInUse

// ErrDamaged says that the file does not hold what was written to it. The error around it says what to do.
var ErrDamaged = file.ErrDamaged

// Open opens the database file at path, and makes it if it does not exist. The error is ErrInUse when another process has it,
// and otherwise says what to do.
func Open(path string, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.KeepFindings == 0 {
		o.KeepFindings = db.DefaultKeepFindings
	}
	f, err := file.Open(path, file.Options{MaxSize: o.MaxSize, Init: initSchema, Migrate: migrateFile})
	if err != nil {
		return nil, err
	}
	d := &DB{options: o, file: f}
	engine := d.engine()
	d.Outbox = &told.Outbox{Engine: engine, Announce: d.Listeners.Tell}
	d.Calendar = &planned.Calendar{Engine: engine, Report: projectOfReport, Announce: d.Listeners.Tell}
	d.Ledger = d.newLedger(engine)
	d.Desk = d.desk(engine)
	d.Ring = &keyring.Ring{Engine: engine, Tx: txOf, Read: f.Read, Add: f.Add, Remove: f.Remove}
	d.Book = book(engine)
	if d.Sites, err = d.sites(engine); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d.Calendar.Box = d.Sites.Box
	d.closing, d.close = context.WithCancel(context.Background())
	if err := errors.Join(d.resumePurges(), d.Ledger.Resume()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.purging.Go(func() {
		_ = d.Book.Cover(d.closing) // where it fails, the next start goes on
	})
	return d, nil
}

// Close waits for what is being written and closes the file. Later writes get ErrClosed.
func (d *DB) Close() error {
	d.close()
	d.purging.Wait()
	return d.file.Close()
}
