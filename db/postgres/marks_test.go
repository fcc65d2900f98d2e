package postgres

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/db/postgres/pgtest"
)

// TestCheckCountsMarksAnew imports reports in batches, so that stretches are cut, and has the check find a stretch that is wrong.
func TestCheckCountsMarksAnew(t *testing.T) {
	pgtest.Need(t)
	address, err := pgtest.Schema()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Open(context.Background(), address, Options{stretch: 16})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	var lines bytes.Buffer
	for i := range 100 {
		fmt.Fprintf(&lines, `{"kind":"report","url":"https://example.com/%d","result":"good","generated_at":%q}`+"\n", i, time.UnixMilli(int64(1+i)).UTC().Format(time.RFC3339Nano))
	}
	if _, err := d.Import(t.Context(), "a", &lines, nil); err != nil {
		t.Fatal(err)
	}
	for d.isCutting() { // in the background
		if _, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.com/waits"}); err != nil {
			t.Fatal(err)
		}
	}
	if c, err := d.Check(t.Context()); err != nil || len(c.Differences) > 0 {
		t.Fatalf("%v, %v", c.Differences, err)
	}
	tx := d.pool.Direct(t.Context())
	var stretches int
	if err := tx.Row("SELECT count(*) FROM marks", nil, &stretches); err != nil || stretches < 3*100/32 {
		t.Errorf("%d stretches of 100 reports, %v", stretches, err)
	}
	for i, broken := range []string{
		"UPDATE marks SET good = good + 1 WHERE sorted = 1 AND number = 0",
		"UPDATE project_marks SET bad = bad + 1 WHERE sorted = 2 AND number = 0",
		"DELETE FROM project_marks WHERE sorted = 0 AND number = 0",
	} {
		if err := tx.Write(broken); err != nil {
			t.Fatal(err)
		}
		if c, err := d.Check(t.Context()); err != nil || len(c.Differences) != i+1 || !strings.Contains(c.Differences[0], "marks: ") {
			t.Errorf("%s: %v, %v", broken, c.Differences, err)
		}
	}
}

// isCutting reports whether stretches are being cut.
func (d *DB) isCutting() (found bool) {
	d.cutting.Range(func(_, _ any) bool {
		found = true
		return false
	})
	return found
}
