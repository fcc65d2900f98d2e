package pg

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"sitegrade/db/postgres/pgtest"
)

// TestAsking holds which databases count as away: not one that refuses a connection more, over which it has nothing to say to the others.
func TestAsking(t *testing.T) {
	good := pgtest.New(t)
	admin, err := pgx.Connect(t.Context(), good)
	if err != nil {
		t.Fatal(err)
	}
	role := fmt.Sprintf("crowded_%d", os.Getpid())
	if _, err := admin.Exec(t.Context(), "CREATE ROLE "+role+" LOGIN CONNECTION LIMIT 0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := admin.Exec(context.Background(), "DROP ROLE "+role); err != nil {
			t.Error(err)
		}
		hangUp(context.Background(), admin)
	})
	crowded, err := url.Parse(good)
	if err != nil {
		t.Fatal(err)
	}
	crowded.User = url.User(role)
	for name, c := range map[string]struct {
		address         string
		gives, responds bool
	}{
		"good":      {good, true, true},
		"refuses":   {crowded.String(), false, true},
		"is away":   {"postgres://sitegrade@/postgres?host=" + url.QueryEscape(t.TempDir()), false, false},
		"read only": {good + "&target_session_attrs=read-only", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			config, err := pgxpool.ParseConfig(c.address)
			if err != nil {
				t.Fatal(err)
			}
			w := newWatch(config)
			conn, responds := w.ask(t.Context(), nil)
			if conn != nil != c.gives || responds != c.responds {
				t.Errorf("it gives %v and responds: %t", conn, responds)
			}
			if again, responds := w.ask(t.Context(), conn); again != conn || responds != c.responds {
				t.Errorf("a second time it gives %v and responds: %t", again, responds)
			}
			hangUp(t.Context(), conn)
		})
	}
}
