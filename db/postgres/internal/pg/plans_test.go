package pg

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"sitegrade/db/postgres/pgtest"
)

// TestPlansAreChosenAtOpen holds that plans are made once for each statement, but where Citus might have to send a statement to another server
// with each account. It stands for Citus that its name is among the extensions.
func TestPlansAreChosenAtOpen(t *testing.T) {
	shared := pgtest.New(t)
	name := fmt.Sprintf("plans_%d", os.Getpid())
	admin, err := pgx.Connect(t.Context(), shared)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_, err := admin.Exec(context.Background(), "DROP DATABASE "+name)
		if err := errors.Join(err, admin.Close(context.Background())); err != nil {
			t.Error(err)
		}
	})
	if _, err := admin.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(shared)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	for _, c := range []struct{ prepare, want string }{
		{"SELECT", "force_generic_plan"},
		{"SET allow_system_table_mods = on; INSERT INTO pg_extension SELECT 1, 'citus', extowner, extnamespace, false, '0' FROM pg_extension LIMIT 1", "auto"},
	} {
		p, err := Open(t.Context(), u.String(), func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, c.prepare)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var mode string
		if err := p.Direct(t.Context()).Row("SHOW plan_cache_mode", nil, &mode); err != nil || mode != c.want {
			t.Errorf("after %q it is %q, %v", c.prepare, mode, err)
		}
		p.Close()
	}
}
