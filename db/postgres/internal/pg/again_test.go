package pg

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"sitegrade/db/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// openPool returns a pool on a schema that has two accounts, and a column n that each of them has.
func openPool(t *testing.T) *Pool {
	t.Helper()
	address := pgtest.New(t) + "&deadlock_timeout=20ms"
	p, err := Open(t.Context(), address, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, "CREATE TABLE tenants (account int PRIMARY KEY, n int NOT NULL); INSERT INTO tenants VALUES (1, 0), (2, 0)")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

const addOne = "UPDATE tenants SET n = n + 1 WHERE account = $1"

// TestSerializationFailureRunsAgain changes a row behind the back of a transaction that has read it and writes it then.
func TestSerializationFailureRunsAgain(t *testing.T) {
	p := openPool(t)
	runs := 0
	err := p.Update(t.Context(), func(tx *Tx) error {
		runs++
		var n int
		err := errors.Join(tx.Write("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE"), tx.Row("SELECT n FROM tenants WHERE account = 1", nil, &n))
		if runs == 1 {
			err = errors.Join(err, p.Direct(t.Context()).Write(addOne, 1))
		}
		if err != nil {
			return err
		}
		err = tx.Write("UPDATE tenants SET n = $1 + 10 WHERE account = 1", n)
		if refused := new(pgconn.PgError); runs == 1 && (!errors.As(err, &refused) || refused.Code != serializationFailure) {
			t.Errorf("the first attempt ends with %v", err)
		}
		return err
	})
	if n := valueOf(t, p, 1); err != nil || runs != 2 || n != 11 {
		t.Errorf("after %d attempts it is %d: %v", runs, n, err)
	}
}

// TestDeadlockRunsAgain has two transactions each lock what the other needs next, as Update runs them and as groups do.
func TestDeadlockRunsAgain(t *testing.T) {
	p := openPool(t)
	for name, write := range map[string]func(account int32, run func(*Tx) error) error{
		"update": func(_ int32, run func(*Tx) error) error { return p.Update(t.Context(), run) },
		"group": func(account int32, run func(*Tx) error) error {
			return p.Write(t.Context(), Ref{Number: account}, func(a *Account) error { return run(a.Tx) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := valueOf(t, p, 1)
			var locked, done sync.WaitGroup
			var runs [3]int
			locked.Add(2)
			for _, account := range []int32{1, 2} {
				done.Go(func() {
					if err := write(account, func(tx *Tx) error {
						runs[account]++
						if err := tx.Write(addOne, account); err != nil {
							return err
						}
						if runs[account] == 1 {
							locked.Done()
							locked.Wait()
						}
						return tx.Write(addOne, 3-account)
					}); err != nil {
						t.Error(err)
					}
				})
			}
			done.Wait()
			if n := valueOf(t, p, 1) - before; n != 2 || runs[1]+runs[2] < 3 {
				t.Errorf("after %d and %d attempts the first is %d more", runs[1], runs[2], n)
			}
		})
	}
}

// TestLostConnectionRunsAgain ends the idle connections of a pool behind its back: whoever gets one of them does not notice.
func TestLostConnectionRunsAgain(t *testing.T) {
	p := openPool(t)
	var busy sync.WaitGroup
	for range fewestConnections {
		busy.Go(func() { _ = p.Direct(t.Context()).Write("SELECT pg_sleep(0.2)") })
	}
	busy.Wait()
	const idle = "FROM pg_stat_activity WHERE application_name = 'sitegrade' AND query LIKE 'SELECT pg_sleep%'"
	for left := 1; left > 0; {
		if err := p.Lax(t.Context()).Row("SELECT count(pg_terminate_backend(pid)) "+idle, nil, &left); err != nil {
			t.Fatal(err)
		}
	}
	for i := range fewestConnections {
		if err := p.Update(t.Context(), func(tx *Tx) error { return tx.Write(addOne, 1) }); err != nil {
			t.Fatal(fmt.Errorf("write %d: %w", i, err))
		}
	}
	if n := valueOf(t, p, 1); n != fewestConnections {
		t.Errorf("%d writes are %d", fewestConnections, n)
	}
}

func valueOf(t *testing.T, p *Pool, account int) (n int) {
	t.Helper()
	if err := p.Direct(t.Context()).Row("SELECT n FROM tenants WHERE account = $1", []any{account}, &n); err != nil {
		t.Fatal(err)
	}
	return n
}
