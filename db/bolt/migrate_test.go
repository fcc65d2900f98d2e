package bolt

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

var schemaWrite = flag.Bool("schema.write", false, "have TestEverySchemaOpens write the fixture of the present schema, as a release of a new one needs")

// releasedSchema is the newest schema that a release has. One that is being made has no fixture before its release.
const releasedSchema = 2

// fixtureReports is how many reports a fixture has.
const fixtureReports = 304

// TestEverySchemaOpens opens a file of each schema that there was.
func TestEverySchemaOpens(t *testing.T) {
	if *schemaWrite {
		writeFixture(t)
	}
	for schema := 1; schema <= releasedSchema; schema++ {
		path := readFixture(t, schema)
		d, err := Open(path, Options{})
		if err != nil {
			t.Fatalf("schema %d: %v", schema, err)
		}
		page, err := d.Reports(t.Context(), "a", query(func(*sortfilter.Query) {}))
		if err != nil || page.Total != fixtureReports {
			t.Errorf("schema %d: %d reports, %v", schema, page.Total, err)
		}
		found, err := d.Reports(t.Context(), "a", query(func(q *sortfilter.Query) { q.Search = "imported/77" }))
		if err != nil || found.Total != 1 {
			t.Errorf("schema %d: %d reports found, %v", schema, found.Total, err)
		}
		if copies, _ := filepath.Glob(path + ".schema*"); len(copies) != min(1, schemaVersion-schema) {
			t.Errorf("schema %d: the copies are %v", schema, copies)
		}
		mustCheck(t, d)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func fixturePath(schema int) string { return fmt.Sprintf("testdata/schema%d.db.zst", schema) }

// readFixture returns the path of a copy of a fixture.
func readFixture(t *testing.T, schema int) string {
	t.Helper()
	packed, err := os.ReadFile(fixturePath(schema))
	if err != nil {
		t.Fatal(err)
	}
	content, err := record.Unpack(packed)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeFixture fills a database with something of everything, and writes it as the fixture of the present schema.
func writeFixture(t *testing.T) {
	t.Helper()
	d := filled(t)
	var lines strings.Builder
	for i := range fixtureReports - 4 {
		fmt.Fprintf(&lines, `{"kind":"report","url":"https://example.org/imported/%d","project":"imported","status":"done","result":%q,"generated_at":"2026-01-02T03:04:05Z"}`+"\n",
			i, audit.Result(1+i%3))
	}
	if stats := importAll(t, d, "a", lines.String()); stats.Imported != fixtureReports-4 {
		t.Fatalf("imported %+v", stats)
	}
	path := filepath.Join(t.TempDir(), "fixture.db")
	if _, err := d.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compact(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fixturePath(schemaVersion), packer.EncodeAll(content, nil), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMigrationsKeepACopy takes a file through two made-up migrations, of which the second fails the first time.
func TestMigrationsKeepACopy(t *testing.T) {
	if schemaVersion != 1+len(migrations) {
		t.Fatalf("%d migrations lead to schema %d, not to %d", len(migrations), 1+len(migrations), schemaVersion)
	}
	path := readFixture(t, 1)
	file, err := bbolt.Open(path, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	mark := func(key string) migration {
		return func(tx *bbolt.Tx) error { return tx.Bucket(metaBucket).Put([]byte(key), []byte("migrated")) }
	}
	broken := errors.New("broken")
	failing := func(tx *bbolt.Tx) error { return errors.Join(mark("second")(tx), broken) }
	err = migrate(file, []migration{mark("first"), failing})
	if kept := path + ".schema1"; !errors.Is(err, broken) || !strings.Contains(err.Error(), kept) {
		t.Errorf("a failing migration gives %v", err)
	} else if old, err := Open(kept, Options{}); err != nil {
		t.Errorf("the copy: %v", err)
	} else if err := old.Close(); err != nil {
		t.Error(err)
	}
	holds(t, file, 2, "migrated", "")
	if err := os.WriteFile(path+".schema2", []byte("of an earlier attempt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := migrate(file, []migration{mark("first"), mark("second")}); err != nil {
		t.Fatal(err)
	}
	holds(t, file, 3, "migrated", "migrated")
}

// holds compares what is in a file's bucket meta.
func holds(t *testing.T, file *bbolt.DB, schema uint32, first, second string) {
	t.Helper()
	if err := file.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		version, err := readSchema(tx)
		if version != schema || string(meta.Get([]byte("first"))) != first || string(meta.Get([]byte("second"))) != second {
			t.Errorf("schema %d, %q, %q", version, meta.Get([]byte("first")), meta.Get([]byte("second")))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
