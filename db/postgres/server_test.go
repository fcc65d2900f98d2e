package postgres

import (
	"context"
	"sync"
	"testing"

	"sitegrade/db"
	"sitegrade/db/dbtest"
	"sitegrade/db/postgres/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestStore(t *testing.T) {
	pgtest.Need(t)
	var mu sync.Mutex
	addresses := map[string]string{} // of the schemas, by the directory that stands for them in dbtest
	addressOf := func(dir string) (address string, err error) {
		mu.Lock()
		defer mu.Unlock()
		if addresses[dir] == "" {
			addresses[dir], err = pgtest.Schema()
		}
		return addresses[dir], err
	}
	dbtest.Run(t, func(o dbtest.Options) (db.Store, error) {
		address, err := addressOf(o.Dir)
		if err != nil {
			return nil, err
		}
		return Open(context.Background(), address, Options{Now: o.Now, KeepReports: o.KeepReports, KeepFindings: o.KeepFindings, Secret: o.Secret, stretch: 16})
	})
}
