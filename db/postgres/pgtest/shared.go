package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// shared is the server that the tests of a package have in common: that of the address in SITEGRADE_TEST_POSTGRES, which they leave as it was, or
// one that the first of them starts.
var shared struct {
	start sync.Once
	err   error // of the start

	mu      sync.Mutex
	own     *Server // nil where it is not ours
	address string
	schemas []string
}

// Main runs the tests of a package, and ends the process after them.
func Main(m *testing.M) {
	code := m.Run()
	Stop()
	os.Exit(code)
}

// Stop ends the shared server if it is ours, and otherwise removes what the tests made in it. Where tests were left out, it says so.
func Stop() {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	switch {
	case shared.err != nil:
		fmt.Println("left out: all tests that need PostgreSQL, since there is no server:", shared.err)
	case shared.own != nil:
		_ = shared.own.Remove() // what is left is in the system's directory for such things
	case len(shared.schemas) > 0:
		removeSchemas()
	}
}

func removeSchemas() {
	conn, err := pgx.Connect(context.Background(), shared.address)
	if err != nil {
		return
	}
	for _, schema := range shared.schemas {
		_, _ = conn.Exec(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
	}
	_ = conn.Close(context.Background())
}

// Need skips a test where nothing can start or reach a server, and fails it there if the environment says CI=true.
func Need(t testing.TB) {
	t.Helper()
	shared.start.Do(func() {
		if shared.address = os.Getenv("SITEGRADE_TEST_POSTGRES"); shared.address == "" {
			if shared.own, shared.err = Start(); shared.err == nil {
				shared.address = shared.own.Address()
			}
		}
		if shared.err == nil {
			shared.err = createExtension(shared.address)
		}
	})
	Skip(t, shared.err)
}

// Skip skips a test that lacks a server because of err, and fails it if the environment says CI=true. It does nothing where err is nil.
func Skip(t testing.TB, err error) {
	t.Helper()
	switch {
	case err != nil && os.Getenv("CI") == "true":
		t.Fatal("this test needs a PostgreSQL server: ", err)
	case err != nil:
		t.Skip("left out, since there is no PostgreSQL server (install one, or give its address in SITEGRADE_TEST_POSTGRES): ", err)
	}
}

// createExtension has the extension made once for all schemas.
func createExtension(address string) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE EXTENSION IF NOT EXISTS pg_trgm")
	return errors.Join(err, conn.Close(ctx))
}

// New returns the address of a schema of its own in the shared server, whose tables are yet to be made. It skips the test where Need would.
func New(t testing.TB) (address string) {
	t.Helper()
	Need(t)
	address, err := Schema()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// Schema returns the address of a new schema in the shared server, which Need has found.
func Schema() (address string, err error) {
	shared.mu.Lock()
	defer shared.mu.Unlock()
	schema := fmt.Sprintf("test_%d_%d", os.Getpid(), len(shared.schemas))
	conn, err := pgx.Connect(context.Background(), shared.address)
	if err != nil {
		return "", err
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), "CREATE SCHEMA "+schema); err != nil {
		return "", err
	}
	shared.schemas = append(shared.schemas, schema)
	u, err := url.Parse(shared.address)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set("search_path", schema+",public")
	u.RawQuery = q.Encode()
	return u.String(), nil
}
