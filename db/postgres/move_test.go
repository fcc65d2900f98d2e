package postgres

import (
	"path/filepath"
	"testing"

	"sitegrade/db/bolt"
	"sitegrade/db/dbtest"
)

// TestMoveFromAFileAndBack moves everything from a file to PostgreSQL and back: each export is the one before, byte for byte.
func TestMoveFromAFileAndBack(t *testing.T) {
	shared := servers(t, 1)[0]
	file := func() *bolt.DB {
		d, err := bolt.Open(filepath.Join(t.TempDir(), "sitegrade.db"), bolt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
		return d
	}
	first, back := file(), file()
	dbtest.Fill(t, first)
	before := dbtest.Export(t, first)
	dbtest.Import(t, shared, "", before)
	there := dbtest.Export(t, shared)
	if there != before {
		t.Errorf("in PostgreSQL it is\n%s\nnot\n%s", there, before)
	}
	dbtest.Import(t, back, "", there)
	if again := dbtest.Export(t, back); again != before {
		t.Errorf("back in a file it is\n%s\nnot\n%s", again, before)
	}
}
