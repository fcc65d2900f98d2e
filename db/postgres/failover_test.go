package postgres

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/dbtest"
	"sitegrade/db/postgres/pgtest"
)

var failoverRounds = flag.Int("failover.rounds", 1, "how often the test of a failover kills the primary")

const (
	failoverClients = 16
	// recovery is how soon after the standby has become the primary every client is served again.
	recovery = 10 * time.Second
	// patience is how long anybody waits for a database that does not respond.
	patience = 5 * time.Second
)

// TestFailover has clients write through two servers to a primary with a synchronous standby, kills all processes of the primary, has the standby
// take its place, and holds that nothing acknowledged is lost, that what is repeated after an error is there once, and that the servers go on by
// themselves. More rounds: go test ./db/postgres -run Failover -failover.rounds 20
func TestFailover(t *testing.T) {
	t.Parallel() // it mostly waits
	f := newFailover(t)
	f.standStill()
	for round := range *failoverRounds {
		f.round(round)
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
}

// failover is a pair of PostgreSQL servers, one of which fails again and again while clients write to it.
type failover struct {
	t                *testing.T
	primary, standby *pgtest.Server
	stores           [2]*DB
	clients          []*failoverClient
}

func newFailover(t *testing.T) *failover {
	primary, err := pgtest.Start()
	pgtest.Skip(t, err)
	f := &failover{t: t, primary: primary}
	t.Cleanup(func() { f.noError(errors.Join(f.primary.Remove(), f.standby.Remove())) })
	f.standby, err = primary.Standby(t.Context(), nil)
	f.noError(err)
	for i := range f.stores {
		f.stores[i], err = Open(t.Context(), pgtest.AddressOf(f.primary, f.standby), Options{})
		f.noError(err)
		t.Cleanup(func() { f.noError(f.stores[i].Close()) })
	}
	for i := range failoverClients {
		f.clients = append(f.clients, &failoverClient{failover: f, number: i, store: i, privacy: map[uuid.UUID]db.Privacy{}})
	}
	return f
}

func (f *failover) noError(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// standStill has the standby fall silent. Then nothing can be promised: who writes hears so soon, and what that wrote is there once when it is
// repeated.
func (f *failover) standStill() {
	c := f.clients[0]
	f.noError(f.standby.Freeze())
	create := c.next()
	began := time.Now()
	if err := create(f.t.Context()); !errors.Is(err, db.ErrUnavailable) || time.Since(began) > patience {
		f.t.Errorf("without the standby a create gives %v after %v", err, time.Since(began))
	}
	if page, err := f.stores[1].Reports(f.t.Context(), "a", dbtest.Query(nil)); err != nil {
		f.t.Errorf("without the standby a list gives %v, %v", page, err)
	}
	f.noError(f.standby.Thaw())
	f.noError(create(f.t.Context()))
}

// round kills the primary while clients write, compares everything, and gives the new primary a standby again.
func (f *failover) round(number int) {
	ctx, stop := context.WithCancel(f.t.Context())
	defer stop()
	var promoted atomic.Int64 // when, in ns
	var writing sync.WaitGroup
	for _, c := range f.clients {
		c.recovered, c.errors = 0, 0
		writing.Go(func() { c.write(ctx, &promoted) })
	}
	<-time.After(time.Duration(200+rand.IntN(300)) * time.Millisecond)
	f.noError(f.primary.Kill())
	f.noError(f.standby.Promote(f.t.Context()))
	promoted.Store(time.Now().UnixNano())
	writing.Wait()
	f.primary, f.standby = f.standby, f.primary
	f.compare(number)
	if number+1 < *failoverRounds {
		_, err := f.primary.Standby(f.t.Context(), f.standby)
		f.noError(err)
	}
}

// compare holds that everything acknowledged is there, once, and that the database agrees with itself.
func (f *failover) compare(round int) {
	var comparing sync.WaitGroup
	reports, acknowledged, unknown := 0, 0, 0
	var slowest time.Duration
	for _, c := range f.clients {
		comparing.Go(c.compare)
		reports, acknowledged, unknown, slowest = reports+len(c.privacy), acknowledged+c.acknowledged, unknown+c.errors, max(slowest, c.recovered)
	}
	comparing.Wait()
	page, err := f.stores[0].Reports(f.t.Context(), "a", dbtest.Query(nil))
	if err != nil || page.Total != reports {
		f.t.Errorf("there are %d reports, not %d: %v", page.Total, reports, err)
	}
	if slowest > recovery {
		f.t.Errorf("a client was served again only %v after the promotion", slowest)
	}
	// On a busy machine the new primary may be silent for a moment once more.
	for until := time.Now().Add(recovery); time.Now().Before(until); {
		if _, err := f.stores[1].Check(f.t.Context()); !errors.Is(err, db.ErrUnavailable) {
			break
		}
	}
	dbtest.Check(f.t, f.stores[1])
	f.t.Logf("round %d: %d acknowledged writes so far, %d attempts failed, all clients served again %v after the promotion", round, acknowledged, unknown, slowest.Round(time.Millisecond))
}

// failoverClient writes to the database, one write after the other, and repeats what was not acknowledged.
type failoverClient struct {
	*failover
	number, store, made int
	privacy             map[uuid.UUID]db.Privacy // as acknowledged, of each report
	acknowledged        int
	errors              int           // attempts of this round
	recovered           time.Duration // between the promotion and the first write after it
}

// afterwards is how many writes a client makes after it is served again.
const afterwards = 5

// write writes until it has written enough after the promotion.
func (c *failoverClient) write(ctx context.Context, promoted *atomic.Int64) {
	for left := afterwards; left > 0; {
		began := promoted.Load()
		perform := c.next()
		for err := perform(ctx); err != nil; err = perform(ctx) {
			if !errors.Is(err, db.ErrUnavailable) {
				c.t.Errorf("client %d: %v", c.number, err)
				return
			}
			if p := promoted.Load(); p > 0 && time.Since(time.Unix(0, p)) > 3*recovery {
				c.t.Errorf("client %d is not served: %v", c.number, err)
				return
			}
			c.errors++
			c.store++ // as a load balancer would
			<-time.After(10 * time.Millisecond)
		}
		c.acknowledged++
		if p := promoted.Load(); p > 0 && c.recovered == 0 {
			c.recovered = time.Since(time.Unix(0, p))
		}
		if began > 0 {
			left--
		}
	}
}

// next returns the next write, which may be performed again until it has succeeded.
func (c *failoverClient) next() (perform func(context.Context) error) {
	for id, now := range c.privacy {
		if rand.IntN(2) > 0 {
			break
		}
		want := db.Private - now // that or public
		return func(ctx context.Context) error {
			_, _, err := c.stores[c.store%2].UpdateReport(ctx, "a", id, db.Change{Privacy: &want}, nil)
			if err == nil {
				c.privacy[id] = want
			}
			return err
		}
	}
	c.made++
	n := db.NewReport{URL: fmt.Sprintf("https://example.com/%d/%d", c.number, c.made), IdempotencyKey: fmt.Sprint(c.number, "-", c.made)}
	return func(ctx context.Context) error {
		r, err := c.stores[c.store%2].CreateReport(ctx, "a", n)
		if err == nil {
			c.privacy[r.ID] = r.Privacy
		}
		return err
	}
}

// compare holds that the client's reports are as it was told.
func (c *failoverClient) compare() {
	for id, want := range c.privacy {
		r, _, err := c.stores[c.store%2].Report(c.t.Context(), "a", id)
		if err != nil || r.Privacy != want {
			c.t.Errorf("client %d: report %s has the privacy %d, not %d: %v", c.number, id, r.Privacy, want, err)
		}
	}
}
