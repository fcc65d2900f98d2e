package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/db/postgres"
)

// task is what a command wants done with the database. While a server runs it does the task in its own process, since nobody else can open
// the file; otherwise the command does it itself.
type task struct {
	Do       string     `json:"do"` // a key of taskFunctions
	Account  string     `json:"account,omitempty"`
	Name     string     `json:"name,omitempty"`
	Scopes   auth.Scope `json:"scopes,omitzero"`
	Expires  time.Time  `json:"expires,omitzero"`
	ID       uuid.UUID  `json:"id,omitzero"`
	Format   string     `json:"format,omitempty"`
	Progress bool       `json:"progress,omitempty"` // standard error is a terminal, where somebody looks on
}

// surroundings are what a task works on.
type surroundings struct {
	store  db.Store
	data   string // the directory
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	log    *slog.Logger
}

// taskFunctions are all tasks, named as their commands.
var taskFunctions = map[string]func(context.Context, task, surroundings) error{
	"keys create": createKey,
	"keys list":   listKeys,
	"keys revoke": revokeKey,
	"export":      exportTask,
	"import":      importTask,
	"backup":      backupTask,
	"check":       checkTask,
	"about":       aboutTask,
}

// run does the task in this process.
func (t task) run(ctx context.Context, s surroundings) error {
	function := taskFunctions[t.Do]
	if function == nil {
		return fmt.Errorf("the server does not know the command %q: do both have the same version?", t.Do)
	}
	return function(ctx, t, s)
}

// perform has the task done by the server that runs on the data directory, or does it here when none runs.
func (c *console) perform(ctx context.Context, s *settings, t task) error {
	unreachable := error(nil)
	if s.Database == "" { // of a file, only one process can do it
		var conn net.Conn
		if conn, unreachable = dialControl(s.Data); unreachable == nil {
			return c.performThere(ctx, conn, t)
		}
	}
	s.guest = true
	store, err := openStore(ctx, s, s.Database == "" && t.makesData())
	if errors.Is(err, bolt.ErrInUse) {
		return fmt.Errorf("another process has the database open, and it cannot be asked: %w", unreachable)
	}
	if err != nil {
		return err
	}
	here := surroundings{store: store, data: s.Data, stdin: c.stdin, stdout: c.stdout, stderr: c.stderr, log: slog.New(slog.DiscardHandler)}
	return errors.Join(t.run(ctx, here), store.Close())
}

// makesData reports whether the task makes sense where no database is yet.
func (t task) makesData() bool { return t.Do == "keys create" || t.Do == "import" }

// databaseName is the database's name in the data directory.
const databaseName = "sitegrade.db"

// leastLimit is the least max_size: under it, what is kept free for deletions would not always do.
const leastLimit = 16 << 20

// databasePatience is how long a start waits for a PostgreSQL database that cannot be reached, and databaseRetry how long before it tries again.
const (
	databasePatience = 30 * time.Second
	databaseRetry    = time.Second
)

// openShared opens the PostgreSQL database. A server waits so long for it.
func openShared(ctx context.Context, s *settings, secret []byte, patience time.Duration) (db.Store, error) {
	if s.MaxSize > 0 {
		return nil, errors.New("max_size: is for the file of one server; what a PostgreSQL database may take, its own machine bounds")
	}
	o := postgres.Options{KeepReports: s.Keep.reports, KeepFindings: s.KeepFindings, Secret: secret, Guest: s.guest}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		store, err := postgres.Open(waiting, s.Database, o)
		if err == nil {
			return store, nil
		}
		if !errors.Is(err, db.ErrUnavailable) && waiting.Err() == nil {
			return nil, err
		}
		if o.Guest {
			return nil, fmt.Errorf("start the database, or correct its address (-database): %w", err)
		}
		select {
		case <-time.After(databaseRetry):
		case <-waiting.Done():
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			return nil, fmt.Errorf("the database could not be reached for %v: start it, or correct its address (-database): %w", patience, err)
		}
	}
}

// openStore opens the database of the settings; make says whether it may make the data directory and what is in it.
func openStore(ctx context.Context, s *settings, make bool) (db.Store, error) {
	if s.MaxSize > 0 && s.MaxSize < leastLimit {
		return nil, fmt.Errorf("max_size: must be 0 (no limit) or at least 16MiB")
	}
	path := filepath.Join(s.Data, databaseName)
	var secret []byte // what the headers of crawls are encrypted with, which only a server needs
	if make {
		if err := os.MkdirAll(s.Data, 0o700); err != nil {
			return nil, fmt.Errorf("the data directory cannot be made (-data names another): %w", err)
		}
		var err error
		if secret, err = cookieSecret(s.Data); err != nil {
			return nil, err
		}
	} else if _, err := os.Stat(path); s.Database == "" && errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no database at %s: -data names its directory", path)
	}
	if s.Database != "" {
		return openShared(ctx, s, secret, databasePatience)
	}
	store, err := bolt.Open(path, bolt.Options{MaxSize: s.fileLimit(), KeepReports: s.Keep.reports, KeepFindings: s.KeepFindings, Secret: secret})
	if err != nil {
		return nil, err
	}
	return store, nil
}
