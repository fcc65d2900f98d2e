// Package pgtest starts PostgreSQL servers for tests, from the programs that the system has installed: one that the tests of a package share, each
// in a schema of its own, and others that may be killed, frozen and promoted.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNotInstalled says that the system has no PostgreSQL.
var ErrNotInstalled = errors.New("PostgreSQL is not installed")

// Server is a PostgreSQL server of its own. It is reached by a socket in its directory alone, and its commits do not wait for the disk: they survive
// the end of its processes, and not that of the machine.
type Server struct {
	programs string // their directory
	dir      string
	process  *exec.Cmd // nil while it does not run
	log      bytes.Buffer
	ended    chan struct{} // closed once process has
}

// owner is who may do everything in a server.
const owner = "sitegrade"

// startPatience bounds how long a server may take to start or to become the primary.
const startPatience = 30 * time.Second

// Start makes a server, and starts it. The error is ErrNotInstalled where the system has no programs for that.
func Start() (*Server, error) {
	s, err := newServer()
	if err != nil {
		return nil, err
	}
	if err := s.program("initdb", "-D", s.data(), "-U", owner, "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	if err := s.Restart(); err != nil {
		return nil, errors.Join(err, s.Remove())
	}
	return s, nil
}

func newServer() (*Server, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if path, lookErr := exec.LookPath("postgres"); err == nil && len(found) == 0 && lookErr == nil {
		found = []string{path}
	}
	if len(found) == 0 {
		return nil, ErrNotInstalled
	}
	s := &Server{programs: filepath.Dir(found[len(found)-1])}
	s.dir, err = os.MkdirTemp("", "pg")
	return s, err
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// Address returns the address of the server's database.
func (s *Server) Address() string { return AddressOf(s) }

// AddressOf returns the address of the database of several servers, of which one is the primary.
func AddressOf(servers ...*Server) string {
	var hosts []string
	for _, s := range servers {
		hosts = append(hosts, s.dir)
	}
	address := "postgres://" + owner + "@/postgres?host=" + url.QueryEscape(strings.Join(hosts, ","))
	if len(servers) > 1 {
		address += "&target_session_attrs=read-write"
	}
	return address
}

// command returns a program of PostgreSQL that is ready to run.
func (s *Server) command(name string, args ...string) (*exec.Cmd, error) {
	attributes, err := identity(s.dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(s.programs, name), args...)
	cmd.Dir, cmd.SysProcAttr = s.dir, attributes
	return cmd, nil
}

// program runs a program of PostgreSQL to its end.
func (s *Server) program(name string, args ...string) error {
	cmd, err := s.command(name, args...)
	if err != nil {
		return err
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}

// Restart starts a server that has ended, on the data that it left.
func (s *Server) Restart() error {
	cmd, err := s.command("postgres", "-D", s.data(), "-k", s.dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "full_page_writes=off",
		"-c", "max_connections=400", "-c", "max_wal_size=1GB", "-c", "shared_buffers=128MB")
	if err != nil {
		return err
	}
	s.log.Reset()
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process, s.ended = cmd, make(chan struct{})
	go func(ended chan<- struct{}) {
		_ = cmd.Wait() // says that it was killed
		close(ended)
	}(s.ended)
	return s.await("SELECT true")
}

// await waits until a query returns true.
func (s *Server) await(query string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startPatience)
	defer cancel()
	every := time.NewTicker(20 * time.Millisecond)
	defer every.Stop()
	for {
		is, err := s.ask(ctx, query)
		if is {
			return nil
		}
		select {
		case <-every.C:
		case <-s.ended:
			return fmt.Errorf("the server has ended: %s", &s.log)
		case <-ctx.Done():
			return fmt.Errorf("the server does not become ready (%s): %w", query, errors.Join(ctx.Err(), err))
		}
	}
}

// ask returns what a query returns.
func (s *Server) ask(ctx context.Context, query string) (is bool, err error) {
	conn, err := pgx.Connect(ctx, s.Address())
	if err != nil {
		return false, err
	}
	err = conn.QueryRow(ctx, query).Scan(&is)
	return is, errors.Join(err, conn.Close(ctx))
}

// Do runs statements, one after the other.
func (s *Server) Do(ctx context.Context, statements ...string) error {
	conn, err := pgx.Connect(ctx, s.Address())
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, doErr := conn.Exec(ctx, statement); err == nil {
			err = doErr
		}
	}
	return errors.Join(err, conn.Close(ctx))
}

// runs reports whether the server was started and has not ended.
func (s *Server) runs() bool {
	if s.process == nil {
		return false
	}
	select {
	case <-s.ended:
		return false
	default:
		return true
	}
}

// Standby makes a second server, which takes over all that is written to this one. From then on, a commit here that waits for the disk waits for the
// standby too. in is a server that has ended, whose place it takes, or nil.
func (s *Server) Standby(ctx context.Context, in *Server) (standby *Server, err error) {
	if standby = in; in == nil {
		if standby, err = newServer(); err != nil {
			return nil, err
		}
	}
	if err := os.RemoveAll(standby.data()); err != nil {
		return nil, err
	}
	if err := standby.program("pg_basebackup", "-h", s.dir, "-U", owner, "-D", standby.data(), "--checkpoint=fast", "--no-sync", "--write-recovery-conf"); err != nil {
		return nil, errors.Join(err, standby.Remove())
	}
	if err := standby.Restart(); err != nil {
		return nil, errors.Join(err, standby.Remove())
	}
	err = s.Do(ctx, "ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()")
	if err == nil {
		err = s.await("SELECT count(*) > 0 FROM pg_stat_replication WHERE sync_state = 'sync'")
	}
	if err != nil {
		return nil, errors.Join(err, standby.Remove())
	}
	return standby, nil
}

// Promote makes a standby the primary.
func (s *Server) Promote(ctx context.Context) error {
	is, err := s.ask(ctx, "SELECT pg_promote()")
	if err == nil && !is {
		err = errors.New("the standby has not become the primary")
	}
	return err
}

// Remove ends the server and deletes its data.
func (s *Server) Remove() error { return errors.Join(s.Kill(), os.RemoveAll(s.dir)) }
