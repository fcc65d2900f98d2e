package pg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"sitegrade/db"
)

const (
	// askEvery is how often the database is asked whether it is there.
	askEvery = 500 * time.Millisecond
	// askPatience is how long it may take to respond to that. The two together bound how long anybody waits for a database that has fallen silent.
	askPatience = 3500 * time.Millisecond
)

// errAway is what whoever needs the database gets at once while it is known to be away.
var errAway = fmt.Errorf("%w: it does not respond", db.ErrUnavailable)

// watch asks the database again and again whether it is there, over a connection of its own. Once it is not, all connections are cut, so that
// whoever waits for a response goes on without one, and no others are made until it is back.
type watch struct {
	config *pgx.ConnConfig // of the connection that asks
	pools  []*pgxpool.Pool // whose connections are cut

	mu    sync.Mutex
	away  bool
	lines map[*line]struct{} // that are open
	lost  context.Context    // ends with the attempts to connect when the database is found to be away
	lose  context.CancelFunc
}

// line is a connection of the network that can be cut.
type line struct {
	net.Conn
	of *watch
}

// Close closes the connection.
func (l *line) Close() error {
	l.of.mu.Lock()
	delete(l.of.lines, l)
	l.of.mu.Unlock()
	return l.Conn.Close()
}

// newWatch returns a watch over the connections that are made with a configuration from here on.
func newWatch(config *pgxpool.Config) *watch {
	w := &watch{config: config.ConnConfig.Copy(), lines: map[*line]struct{}{}}
	w.lost, w.lose = context.WithCancel(context.Background())
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		w.mu.Lock()
		lost := w.lost
		w.mu.Unlock()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(lost, cancel)()
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		l := &line{conn, w}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.away { // since this began
			_ = conn.Close()
			return nil, errAway
		}
		w.lines[l] = struct{}{}
		return l, nil
	}
	config.BeforeConnect = func(context.Context, *pgx.ConnConfig) error {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.away {
			return errAway
		}
		return nil
	}
	return w
}

// run asks until ctx ends.
func (w *watch) run(ctx context.Context) {
	every := time.NewTicker(askEvery)
	defer every.Stop()
	var conn *pgx.Conn
	for {
		select {
		case <-ctx.Done():
			hangUp(ctx, conn)
			return
		case <-every.C:
		}
		var responds bool
		if conn, responds = w.ask(ctx, conn); ctx.Err() == nil {
			w.note(!responds)
		}
	}
}

// ask reports whether the database responds, and returns a connection over which it did: the given one where it is not nil and still good, otherwise
// a new one. A database that refuses the connection alone, such as because it has too many, responds, and gives none.
func (w *watch) ask(ctx context.Context, conn *pgx.Conn) (good *pgx.Conn, responds bool) {
	patience, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	if conn != nil {
		if w.isGood(patience, conn) {
			return conn, true
		}
		hangUp(ctx, conn)
		w.forgetConnections() // what was lost here may be lost there too
	}
	if w.isAway() {
		patience = ctx // each host has its connect_timeout
	}
	conn, err := pgx.ConnectConfig(patience, w.config)
	if err == nil {
		return conn, true
	}
	var refused *pgconn.PgError
	return nil, errors.As(err, &refused) && !strings.HasPrefix(refused.Code, stopsOrStarts)
}

// stopsOrStarts is what the codes begin with of a database that does not serve anybody.
const stopsOrStarts = "57P"

// isGood reports whether the database responds over a connection, and is still such as its address asks for: it may have been the primary, and
// be a standby now.
func (w *watch) isGood(ctx context.Context, conn *pgx.Conn) bool {
	if validate := w.config.ValidateConnect; validate != nil {
		return validate(ctx, conn.PgConn()) == nil
	}
	return conn.Ping(ctx) == nil
}

// hangUp closes a connection that may be nil or not work any more.
func hangUp(ctx context.Context, conn *pgx.Conn) {
	if conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = conn.Close(ctx) // nothing is lost with it
}

func (w *watch) isAway() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.away
}

// note keeps whether the database is away. When it goes, all connections are cut.
func (w *watch) note(away bool) {
	w.mu.Lock()
	changed := w.away != away
	w.away = away
	var open []*line
	switch {
	case changed && away:
		w.lose()
		open = slices.Collect(maps.Keys(w.lines))
	case changed:
		w.lost, w.lose = context.WithCancel(context.Background())
	}
	w.mu.Unlock()
	for _, l := range open {
		_ = l.Conn.Close() // whoever uses it sees that
	}
	if changed && away {
		w.forgetConnections()
	}
}

// forgetConnections has the pools make new connections, each when it is needed.
func (w *watch) forgetConnections() {
	for _, pool := range w.pools {
		pool.Reset()
	}
}
