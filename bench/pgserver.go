package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// pgServer is a PostgreSQL server on a socket in its own directory.
type pgServer struct {
	dir     string
	process *exec.Cmd
}

// errNoPostgres says that the machine has no PostgreSQL.
var errNoPostgres = errors.New("no PostgreSQL server is installed")

// postgresSettings fit a machine with some gigabytes to spare; what is durable stays as it comes.
var postgresSettings = []string{
	"listen_addresses=", "shared_buffers=1GB", "effective_cache_size=4GB", "work_mem=64MB", "maintenance_work_mem=512MB",
	"max_wal_size=4GB", "max_connections=300", "random_page_cost=1.1", "jit=off",
}

// postgresProgram finds a program of the server, which Debian keeps off the path.
func postgresProgram(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", errNoPostgres
	}
	return found[len(found)-1], nil
}

// open starts the server, with an empty database where there is none.
func (p *pgServer) open(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	p.dir = filepath.Join(dir, "postgres")
	if err := p.initialise(); err != nil {
		return err
	}
	if err := p.start(); err != nil {
		return err
	}
	return p.await()
}

// initialise makes the directory of the server where there is none.
func (p *pgServer) initialise() error {
	if _, err := os.Stat(filepath.Join(p.dir, "PG_VERSION")); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return err
	}
	initdb, err := p.command("initdb", "-D", p.dir, "-U", "bench", "-A", "trust", "-E", "UTF8", "--locale=C")
	if err != nil {
		return err
	}
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

// command returns a program of PostgreSQL. It refuses to run as root, so it then runs as the user that its package made.
func (p *pgServer) command(name string, args ...string) (*exec.Cmd, error) {
	path, err := postgresProgram(name)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = p.dir
	if os.Geteuid() != 0 {
		return cmd, nil
	}
	account, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("running as root: %w", err)
	}
	uid, err := strconv.ParseUint(account.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.ParseUint(account.Gid, 10, 32)
	if err != nil {
		return nil, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return cmd, os.Chown(p.dir, int(uid), int(gid))
}

func (p *pgServer) start() (err error) {
	args := []string{"-D", p.dir, "-k", p.dir}
	for _, setting := range postgresSettings {
		args = append(args, "-c", setting)
	}
	if p.process, err = p.command("postgres", args...); err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(filepath.Dir(p.dir), "postgres.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	p.process.Stdout, p.process.Stderr = log, log
	return p.process.Start()
}

// await waits until the server takes connections.
func (p *pgServer) await() error {
	const patience, interval = 30 * time.Second, 5 * time.Millisecond
	var err error
	for range int(patience / interval) {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(context.Background(), p.address()); err == nil {
			return conn.Close(context.Background())
		}
		time.Sleep(interval)
	}
	return fmt.Errorf("the server did not start: %w", err)
}

func (p *pgServer) address() string {
	return "postgres://bench@/postgres?host=" + url.QueryEscape(p.dir)
}

// tidy does at once what the server would do by itself within a minute of a load.
func (p *pgServer) tidy() error {
	conn, err := pgx.Connect(context.Background(), p.address())
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	for _, statement := range []string{"VACUUM ANALYZE", "CHECKPOINT"} {
		if _, err := conn.Exec(context.Background(), statement); err != nil {
			return err
		}
	}
	return nil
}

func (p *pgServer) size() (n int64, err error) {
	conn, err := pgx.Connect(context.Background(), p.address())
	if err != nil {
		return 0, err
	}
	defer conn.Close(context.Background())
	return n, conn.QueryRow(context.Background(), "SELECT pg_database_size('postgres')").Scan(&n)
}

// close stops the server and waits for it.
func (p *pgServer) close() error {
	if p.process == nil || p.process.Process == nil {
		return nil
	}
	return errors.Join(p.process.Process.Signal(os.Interrupt), p.process.Wait())
}
