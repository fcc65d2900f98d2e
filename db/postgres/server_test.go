package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/dbtest"
)

// testServer is the PostgreSQL server of these tests: that of the address in SITEGRADE_TEST_POSTGRES, which they leave as it was, or one of their
// own from the programs of the system.
type testServer struct {
	address string
	process *exec.Cmd // nil where it is not ours
	dir     string

	mu      sync.Mutex
	schemas []string
	ofDir   map[string]string // the schema of a directory of dbtest.Options
}

var server testServer

func TestMain(m *testing.M) {
	err := server.start()
	if err != nil && os.Getenv("CI") == "true" {
		fmt.Fprintln(os.Stderr, "the tests of PostgreSQL need a server:", err)
		os.Exit(1)
	}
	if err != nil {
		server.address = ""
		fmt.Println("left out: all tests that need PostgreSQL, since there is no server:", err)
	}
	code := m.Run()
	server.stop()
	os.Exit(code)
}

// start finds a server, or starts one.
func (s *testServer) start() error {
	s.ofDir = map[string]string{}
	if s.address = os.Getenv("SITEGRADE_TEST_POSTGRES"); s.address != "" {
		return nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if path, lookErr := exec.LookPath("postgres"); err == nil && len(found) == 0 && lookErr == nil {
		found = []string{path}
	}
	if len(found) == 0 {
		return errors.New("install postgresql, or give the address of one in SITEGRADE_TEST_POSTGRES")
	}
	programs := filepath.Dir(found[len(found)-1])
	if s.dir, err = os.MkdirTemp("", "pg"); err != nil {
		return err
	}
	identity, err := s.identity()
	if err != nil {
		return err
	}
	data := filepath.Join(s.dir, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(programs, name), args...)
		cmd.Dir, cmd.SysProcAttr = s.dir, identity
		return cmd
	}
	if out, err := run("initdb", "-D", data, "-U", "sitegrade", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync").CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	s.process = run("postgres", "-D", data, "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=400",
		"-c", "max_wal_size=1GB", "-c", "shared_buffers=128MB")
	var log bytes.Buffer
	s.process.Stdout, s.process.Stderr = &log, &log
	if err := s.process.Start(); err != nil {
		return err
	}
	s.address = "postgres://sitegrade@/postgres?host=" + url.QueryEscape(s.dir)
	return s.await(&log)
}

// await waits until the server takes connections.
func (s *testServer) await(log *bytes.Buffer) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.address)
		if err == nil {
			_, err = conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_trgm")
			return errors.Join(err, conn.Close(ctx))
		}
		select {
		case <-every.C:
		case <-ctx.Done():
			return fmt.Errorf("the server did not start: %w: %s", err, log)
		}
	}
}

// stop ends the server if it is ours, and otherwise removes what the tests made.
func (s *testServer) stop() {
	if s.process != nil {
		_ = s.process.Process.Signal(syscall.SIGQUIT)
		_ = s.process.Wait()
	} else if conn, err := pgx.Connect(context.Background(), s.address); err == nil {
		for _, schema := range s.schemas {
			_, _ = conn.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		}
		_ = conn.Close(context.Background())
	}
	_ = os.RemoveAll(s.dir)
}

// database returns the address of a schema of its own: always the same one for a directory, and a new one for "".
func (s *testServer) database(dir string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	schema := s.ofDir[dir]
	if schema == "" {
		schema = fmt.Sprintf("test_%d_%d", os.Getpid(), len(s.schemas))
		conn, err := pgx.Connect(context.Background(), s.address)
		if err != nil {
			return "", err
		}
		defer conn.Close(context.Background())
		if _, err := conn.Exec(context.Background(), "CREATE SCHEMA "+schema); err != nil {
			return "", err
		}
		s.schemas = append(s.schemas, schema)
		if dir != "" {
			s.ofDir[dir] = schema
		}
	}
	u, err := url.Parse(s.address)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set("search_path", schema+",public")
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// needServer skips a test where there is no server.
func needServer(t testing.TB) {
	t.Helper()
	if server.address == "" {
		t.Skip("needs PostgreSQL")
	}
}

func TestStore(t *testing.T) {
	needServer(t)
	dbtest.Run(t, func(o dbtest.Options) (db.Store, error) {
		address, err := server.database(o.Dir)
		if err != nil {
			return nil, err
		}
		return Open(context.Background(), address, Options{Now: o.Now, KeepReports: o.KeepReports, KeepFindings: o.KeepFindings, Secret: o.Secret})
	})
}
