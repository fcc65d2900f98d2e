package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/postgres/internal/pg"
)

const (
	// heartbeat is how often a server proves that it lives, and looks for those that do not any more.
	heartbeat = time.Second
	// lease is how long after that it counts as alive: what a killed server was auditing is done again so much later.
	lease = 10 * time.Second
	// fresh is how long after it a server counts among those that live: a share of what is limited goes to others sooner than its claims.
	fresh = 4 * time.Second
	// lookEvery is how often a server looks for what others have queued.
	lookEvery = 200 * time.Millisecond
	// looksPerRest is each how many looks it also has the rest looked for: deliveries, schedules and crawls, which a server that made them sees to
	// by itself.
	looksPerRest = 10
)

// fleet is what a server knows of itself and of the others that have the database open.
type fleet struct {
	mu      sync.Mutex
	server  uuid.UUID            // this one; another after it was taken for dead
	places  map[string]*place    // by address
	refused map[string]time.Time // hosts whose places others have, until when that is believed
	owed    []db.Job             // claims that could not be released
	again   bool                 // a claim was refused: the queue is worth another look
	latest  int64                // the latest turn that was seen in the queue
	live    int                  // servers
	leader  time.Time            // until when this server runs what only one runs; the zero time where another does
}

// place is what an audit of this server occupies of a host.
type place struct {
	host   string
	n      int
	claims int // jobs that share the audit
}

// me returns the id of this server.
func (d *DB) me() uuid.UUID {
	d.fleet.mu.Lock()
	defer d.fleet.mu.Unlock()
	return d.fleet.server
}

// Server is documented in db.Store. It is another after this server was taken for dead.
func (d *DB) Server() string { return d.me().String() }

// Servers is documented in db.Store.
func (d *DB) Servers() int {
	d.fleet.mu.Lock()
	defer d.fleet.mu.Unlock()
	return max(1, d.fleet.live)
}

// leads reports whether this server runs what only one of them runs: that which joined first does. A dead one is waited for until what it had
// claimed is given back.
func (d *DB) leads() bool {
	d.fleet.mu.Lock()
	defer d.fleet.mu.Unlock()
	return time.Now().Before(d.fleet.leader)
}

// join makes this server one of the fleet, under a new id, and forgets what it had claimed under the one before.
func (d *DB) join(ctx context.Context) error {
	id := uuid.New()
	if err := d.pool.Lax(ctx).Write("INSERT INTO servers (id, joined, until) VALUES ($1, now(), now() + $2)", id, lease); err != nil {
		return err
	}
	d.fleet.mu.Lock()
	defer d.fleet.mu.Unlock()
	d.fleet.server, d.fleet.places, d.fleet.refused, d.fleet.owed = id, map[string]*place{}, map[string]time.Time{}, nil
	return nil
}

// leave gives back all that this server has claimed.
func (d *DB) leave(ctx context.Context) error {
	return d.pool.Update(ctx, func(tx *pg.Tx) error { return giveBack(tx, []uuid.UUID{d.me()}) })
}

// giveBack gives back what servers had claimed that are no more.
func giveBack(tx *pg.Tx, gone []uuid.UUID) error {
	var b pgx.Batch
	b.Queue("UPDATE queue SET server = NULL WHERE server = ANY($1)", gone)
	b.Queue("DELETE FROM slots WHERE server = ANY($1)", gone)
	b.Queue("DELETE FROM served WHERE server = ANY($1)", gone)
	b.Queue("DELETE FROM servers WHERE id = ANY($1)", gone)
	return tx.Send(&b)
}

// live proves that this server lives, and looks after the fleet, until the database is closed.
func (d *DB) live() {
	beats, looks := time.NewTicker(heartbeat), time.NewTicker(lookEvery)
	defer beats.Stop()
	defer looks.Stop()
	for n := 0; ; {
		// What fails is tried again with the next beat: without the database there is nothing to look after.
		select {
		case <-d.closing.Done():
			return
		case <-beats.C:
			ctx, cancel := context.WithTimeout(d.closing, lease/2)
			_ = d.beat(ctx)
			cancel()
		case <-looks.C:
			n++
			ctx, cancel := context.WithTimeout(d.closing, lease/2)
			_ = d.look(ctx, n%looksPerRest == 0)
			cancel()
		}
	}
}

// beat proves that this server lives, and gives back what dead ones had claimed.
func (d *DB) beat(ctx context.Context) error {
	tx := d.pool.Lax(ctx)
	alive, err := tx.Exec("UPDATE servers SET until = now() + $2 WHERE id = $1 AND until > now()", d.me(), lease)
	if err != nil {
		return err
	}
	if alive == 0 { // this server was taken for dead: others have what it was auditing
		if err := d.join(ctx); err != nil {
			return err
		}
	}
	if err := d.releaseOwed(ctx); err != nil {
		return err
	}
	began := time.Now()
	var live int
	var leads *bool
	var dead []uuid.UUID
	if err := tx.Row(`SELECT count(*) FILTER (WHERE until > now() + $2), coalesce(array_agg(id) FILTER (WHERE until <= now()), '{}'),
		(SELECT id = $1 FROM servers ORDER BY joined, id LIMIT 1) FROM servers`, []any{d.me(), lease - fresh}, &live, &dead, &leads); err != nil {
		return err
	}
	d.fleet.mu.Lock()
	d.fleet.live, d.fleet.leader = live, time.Time{}
	if leads != nil && *leads {
		d.fleet.leader = began.Add(lease - heartbeat)
	}
	d.fleet.mu.Unlock()
	if len(dead) == 0 {
		return nil
	}
	if err := d.pool.Update(ctx, func(tx *pg.Tx) error {
		gone, err := pg.Column[uuid.UUID](tx, "SELECT id FROM servers WHERE id = ANY($1) AND until <= now() FOR UPDATE", dead)
		if err != nil {
			return err
		}
		return giveBack(tx, gone)
	}); err != nil {
		return err
	}
	d.Listeners.Tell(db.News{Queued: true, Told: true, Planned: true, Crawls: true})
	return nil
}

// look tells the listeners of what other servers may have queued.
func (d *DB) look(ctx context.Context, rest bool) error {
	var latest int64
	if err := d.pool.Direct(ctx).Row("SELECT coalesce(max(queued), 0) FROM queue WHERE queued < $1", []any{int64(db.Background)}, &latest); err != nil {
		return err
	}
	d.fleet.mu.Lock()
	news := db.News{Queued: latest > d.fleet.latest || d.fleet.again}
	d.fleet.latest, d.fleet.again = latest, false
	others := d.fleet.live > 1
	d.fleet.mu.Unlock()
	if rest && others {
		news.Queued, news.Told, news.Planned, news.Crawls = true, true, true, true
	}
	if news != (db.News{}) && others {
		d.Listeners.Tell(news)
	}
	return nil
}
