package bolt

import (
	"path/filepath"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/dbtest"
	"sitegrade/sortfilter"
)

func TestStore(t *testing.T) {
	dbtest.Run(t, func(o dbtest.Options) (db.Store, error) {
		return Open(filepath.Join(o.Dir, "sitegrade.db"), Options{Now: o.Now, KeepReports: o.KeepReports, KeepFindings: o.KeepFindings, Secret: o.Secret})
	})
}

// open returns a new database in a file of its own. When the test ends it is checked.
func open(t testing.TB) *DB {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		dbtest.Check(t, d)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// filled returns a database with something of everything.
func filled(t testing.TB) *DB {
	d := open(t)
	dbtest.Fill(t, d)
	return d
}

// What follows is dbtest's, in short.

func create(t testing.TB, d *DB, url string) db.Report { return dbtest.Create(t, d, url) }

func finish(t testing.TB, d *DB, r db.Report, result audit.Result) db.Report {
	return dbtest.Finish(t, d, r, result)
}

func mustCheck(t testing.TB, d *DB) db.CheckResult { return dbtest.Check(t, d) }

func query(change func(*sortfilter.Query)) sortfilter.Query { return dbtest.Query(change) }

func urls(t testing.TB, d *DB, total int, q sortfilter.Query) []string {
	return dbtest.URLs(t, d, total, q)
}

func export(t testing.TB, d *DB) string { return dbtest.Export(t, d) }

func importAll(t testing.TB, d *DB, account, lines string) db.ImportStats {
	return dbtest.Import(t, d, account, lines)
}
