// Package postgres keeps what Sitegrade stores in a PostgreSQL database, which several servers may share.
//
// Whoever writes to an account locks the account's row first, so the writes to it come one after the other, on all servers; those that come
// while one is being committed share the next commit. Reports, counts and lists are statements of this package; what stands beside the reports
// has rooms below internal.
package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/live"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/fleet"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
)

// Options are how a database is opened. The zero value of a field means its default.
type Options struct {
	// KeepReports is how many rated reports a project keeps of one address: a new one replaces the oldest. 0: all.
	KeepReports int
	// KeepFindings is of how many generations of a report the whole findings are kept, the newest ones; db.DefaultKeepFindings.
	KeepFindings int
	Now          func() time.Time // time.Now
	// Secret is what the headers of crawls are encrypted with, which must be kept elsewhere than the database, and must be the same on all servers;
	// none: such crawls are refused.
	Secret []byte
	// Lease is how long a server counts as alive after it last proved that it is: what a killed one was doing, others do after that; 10 s.
	Lease time.Duration
	// Guest says that the process is none of the servers: it neither counts among them nor does any of their work.
	Guest bool
	// stretch is that of marks.
	stretch int
}

// DB is a database that several servers may have open. It is a db.Store.
type DB struct {
	live.Listeners
	rooms

	options Options
	pool    *pg.Pool
	fleet   *fleet.Member
	waiting queueState
	runs    crawlRuns
	marks   marks.Marks
	cutting sync.Map     // accounts, by number, whose marks are being cut
	turn    planned.Turn // of schedules

	numbers   sync.Map // of accounts, by name: they stay
	ciphers   ciphers
	shareKeys record.ShareKeys

	idsMu sync.Mutex
	ids   record.IDs

	background sync.WaitGroup
	closing    context.Context
	close      context.CancelFunc
}

// Open connects to the database at an address as libpq knows it, postgres://user@host,host/name?option=value, and makes or migrates its tables.
// The error is db.ErrUnavailable where no server of the address can be reached.
func Open(ctx context.Context, address string, o Options) (*DB, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.KeepFindings == 0 {
		o.KeepFindings = db.DefaultKeepFindings
	}
	if o.Lease == 0 {
		o.Lease = defaultLease
	}
	pool, err := pg.Open(ctx, address, migrate)
	if err != nil {
		return nil, err
	}
	d := &DB{options: o, pool: pool, fleet: fleet.New(pool, o.Lease, lookEvery)}
	d.marks = marks.Marks{Stretch: o.stretch, Full: d.cut}
	d.closing, d.close = context.WithCancel(context.WithoutCancel(ctx))
	if err := d.openRooms(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if o.Guest {
		return d, nil
	}
	if err := d.fleet.Join(ctx); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if err := errors.Join(d.beat(ctx), d.resumePurges(ctx), d.Ledger.Resume()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.background.Go(d.live)
	return d, nil
}

// Close is documented in db.Store.
func (d *DB) Close() error {
	d.close()
	d.background.Wait()
	err := d.leave()
	d.pool.Close()
	return err
}

// leave gives back what this server has, if it is one.
func (d *DB) leave() error {
	if d.options.Guest {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), d.options.Lease/2)
	defer cancel()
	err := d.fleet.Leave(ctx)
	if errors.Is(err, db.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) { // then the others see that this one is gone
		err = nil
	}
	return err
}

// now returns the time as records have it.
func (d *DB) now() time.Time { return d.options.Now().UTC().Truncate(time.Millisecond) }

// ms returns the time in ms.
func (d *DB) ms() int64 { return record.Milliseconds(d.options.Now()) }

// nextID returns an id that is greater than those before it.
func (d *DB) nextID() uuid.UUID {
	d.idsMu.Lock()
	defer d.idsMu.Unlock()
	return d.ids.Next(d.now())
}

var _ db.Store = (*DB)(nil)
