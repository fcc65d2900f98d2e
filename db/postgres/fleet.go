package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
)

const (
	// defaultLease is how long after its last proof of life a server counts as alive: what a killed one was doing is done again so much later.
	defaultLease = 10 * time.Second
	// beatsPerLease is how often a server proves that it lives, and looks for those that do not any more.
	beatsPerLease = 10
	// lookEvery is how often a server looks for what others have queued.
	lookEvery = 200 * time.Millisecond
	// looksPerRest is each how many looks it also has the rest looked for: deliveries, schedules and crawls, which a server that made them sees to
	// by itself.
	looksPerRest = 10
)

// queueState is what a server remembers of the queue.
type queueState struct {
	mu     sync.Mutex
	owed   []db.Job // claims that could not be released
	latest int64    // the latest turn that was seen in the queue
}

// me returns the id of this server.
func (d *DB) me() uuid.UUID { return d.fleet.ID() }

// Server is documented in db.Store. It is another after this server was taken for dead.
func (d *DB) Server() string { return d.me().String() }

// Servers is documented in db.Store.
func (d *DB) Servers() int { return d.fleet.Live() }

// live proves that this server lives, and looks after the fleet, until the database is closed.
func (d *DB) live() {
	beats, looks := time.NewTicker(d.options.Lease/beatsPerLease), time.NewTicker(lookEvery)
	defer beats.Stop()
	defer looks.Stop()
	for n := 0; ; {
		// What fails is tried again with the next beat: without the database there is nothing to look after.
		select {
		case <-d.closing.Done():
			return
		case <-beats.C:
			ctx, cancel := context.WithTimeout(d.closing, d.options.Lease/2)
			_ = d.beat(ctx)
			cancel()
		case <-looks.C:
			n++
			ctx, cancel := context.WithTimeout(d.closing, d.options.Lease/2)
			_ = d.look(ctx, n%looksPerRest == 0)
			cancel()
		}
	}
}

// beat proves that this server lives, and gives back what dead ones had claimed.
func (d *DB) beat(ctx context.Context) error {
	freed, err := d.fleet.Beat(ctx)
	if freed {
		d.Listeners.Tell(db.News{Queued: true, Told: true, Planned: true, Crawls: true})
	}
	return errors.Join(err, d.releaseOwed(ctx))
}

// look tells the listeners of what other servers may have queued.
func (d *DB) look(ctx context.Context, rest bool) error {
	var latest int64
	if err := d.pool.Direct(ctx).Row("SELECT coalesce(max(queued), 0) FROM queue WHERE queued < $1", []any{int64(db.Background)}, &latest); err != nil {
		return err
	}
	d.waiting.mu.Lock()
	news := db.News{Queued: latest > d.waiting.latest}
	d.waiting.latest = latest
	d.waiting.mu.Unlock()
	news.Queued = d.fleet.Refused() || news.Queued
	others := d.Servers() > 1
	if rest && others {
		news.Queued, news.Told, news.Planned, news.Crawls = true, true, true, true
	}
	if news != (db.News{}) && others {
		d.Listeners.Tell(news)
	}
	return nil
}
