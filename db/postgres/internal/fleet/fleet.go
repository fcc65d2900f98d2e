// Package fleet is a server among those that have a database open. Each proves by the database's clock that it lives, and holds what only one of
// them may have at a time: a host that it asks, a crawl that it runs, a webhook that it tells. What a dead one held is given back by the others.
package fleet

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db/postgres/internal/pg"
)

// Kind is of what kind things are that a server holds.
type Kind int16

// The kinds, as they are stored.
const (
	// Host is a host as weburl.URL.HostKey has it. Whoever holds it makes all audits and crawls of its pages, so that they have the host's two
	// requests together, and people go before crawls there.
	Host Kind = iota + 1
	// Crawl is a crawl, by its id.
	Crawl
	// Webhook is a webhook, by its id.
	Webhook
)

// thing is what a server holds.
type thing struct {
	kind Kind
	name string
}

// fresh returns how long a server counts among those that live after it has proved that: a share of what is limited goes to others sooner than
// what it holds.
func fresh(lease time.Duration) time.Duration { return lease * 2 / 5 }

// Member is this server. It is safe for concurrent use.
type Member struct {
	pool  *pg.Pool
	lease time.Duration
	pause time.Duration

	mu      sync.Mutex
	id      uuid.UUID           // another after it was taken for dead
	held    map[thing]int       // how often each is wanted here, at least once
	unsure  map[thing]bool      // what may be held all the same, since the database did not respond
	refused map[thing]time.Time // what others hold, until when that is believed
	again   bool                // something was refused since Refused was asked
	live    int                 // servers
}

// New returns a server that counts as alive for a lease after each beat, and that believes for a pause that another holds what it was refused.
func New(pool *pg.Pool, lease, pause time.Duration) *Member {
	return &Member{pool: pool, lease: lease, pause: pause}
}

// ID returns the id of this server.
func (m *Member) ID() uuid.UUID {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.id
}

// Live returns how many servers have the database open, as far as this one has seen.
func (m *Member) Live() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return max(1, m.live)
}

// Refused reports whether something was refused since it was asked the last time, which may be free by now.
func (m *Member) Refused() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	again := m.again
	m.again = false
	return again
}

// Join makes this server one of the fleet, under a new id, and forgets what it held under the one before.
func (m *Member) Join(ctx context.Context) error {
	id := uuid.New()
	if err := m.pool.Lax(ctx).Write("INSERT INTO servers (id, until) VALUES ($1, now() + $2)", id, m.lease); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.id, m.held, m.unsure, m.refused = id, map[thing]int{}, map[thing]bool{}, map[thing]time.Time{}
	return nil
}

// Leave gives back all that this server has.
func (m *Member) Leave(ctx context.Context) error {
	return m.pool.Update(ctx, func(tx *pg.Tx) error { return giveBack(tx, []uuid.UUID{m.ID()}) })
}

// giveBack gives back what servers had that are no more.
func giveBack(tx *pg.Tx, gone []uuid.UUID) error {
	var b pgx.Batch
	b.Queue("UPDATE queue SET server = NULL WHERE server = ANY($1)", gone)
	b.Queue("DELETE FROM holds WHERE server = ANY($1)", gone)
	b.Queue("DELETE FROM served WHERE server = ANY($1)", gone)
	b.Queue("DELETE FROM servers WHERE id = ANY($1)", gone)
	return tx.Send(&b)
}

// Beat proves that this server lives, and gives back what dead ones had. It reports whether there were some.
func (m *Member) Beat(ctx context.Context) (freed bool, err error) {
	tx := m.pool.Lax(ctx)
	alive, err := tx.Exec("UPDATE servers SET until = now() + $2 WHERE id = $1 AND until > now()", m.ID(), m.lease)
	if err != nil {
		return false, err
	}
	if alive == 0 { // this server was taken for dead: others have what it held
		if err := m.Join(ctx); err != nil {
			return false, err
		}
	}
	if err := m.giveUnsure(ctx); err != nil {
		return false, err
	}
	var live int
	var dead []uuid.UUID
	if err := tx.Row(`SELECT count(*) FILTER (WHERE until > now() + $1), coalesce(array_agg(id) FILTER (WHERE until <= now()), '{}') FROM servers`,
		[]any{m.lease - fresh(m.lease)}, &live, &dead); err != nil {
		return false, err
	}
	m.mu.Lock()
	m.live = live
	m.mu.Unlock()
	if len(dead) == 0 {
		return false, nil
	}
	return true, m.pool.Update(ctx, func(tx *pg.Tx) error {
		gone, err := pg.Column[uuid.UUID](tx, "SELECT id FROM servers WHERE id = ANY($1) AND until <= now() FOR UPDATE", dead)
		if err != nil {
			return err
		}
		return giveBack(tx, gone)
	})
}
