package bolt

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/sortfilter"
)

// emptying is a way to delete everything.
type emptying func(*testing.T, *DB)

// TestEmptiedDatabaseGoesOn deletes everything in every way there is, as fast as it goes, so that single transactions empty whole buckets.
// Afterwards the database must be consistent, take new reports, and open again.
func TestEmptiedDatabaseGoesOn(t *testing.T) {
	whole := reportsOf(t, 6, 400)
	for name, empty := range map[string]emptying{
		"projects": deleteProjects, "projects and a restart": deleteProjectsAndClose, "reports": deleteReports, "retention": deleteByAge,
	} {
		emptiedGoesOn(t, name, whole, empty)
	}
}

// TestEmptiedLargeDatabaseGoesOn does the same to a database whose projects take many transactions.
func TestEmptiedLargeDatabaseGoesOn(t *testing.T) {
	whole := reportsOf(t, 60, 400)
	for name, empty := range map[string]emptying{"projects": deleteProjects, "projects and a restart": deleteProjectsAndClose} {
		emptiedGoesOn(t, name, whole, empty)
	}
}

// emptiedGoesOn empties a database that has what is in a file, without and with fresh reports beside it.
func emptiedGoesOn(t *testing.T, name string, whole []byte, empty emptying) {
	for _, fresh := range []int{0, 100} {
		t.Run(fmt.Sprintf("%s, %d fresh", name, fresh), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sitegrade.db")
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			d := mustOpen(t, path)
			for i := range fresh {
				create(t, d, fmt.Sprintf("https://fresh-%d.example/", i))
			}
			empty(t, d)
			create(t, d, "https://example.com/goes-on")
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			d = mustOpen(t, path)
			defer d.Close()
			create(t, d, "https://example.com/opened-again")
			d.purging.Wait()
			mustCheck(t, d)
		})
	}
}

func mustOpen(t *testing.T, path string) *DB {
	t.Helper()
	d, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// reportsOf returns the file of a database with that many projects and reports in each, whose audits have failed.
func reportsOf(t *testing.T, projects, reports int) []byte {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d := mustOpen(t, path)
	if err := d.add(t.Context(), "a", func(a *accountTx) error {
		now := record.Milliseconds(time.Now())
		var x indexing
		for i := range projects * reports {
			r, err := a.create(record.Record{Score: record.NoScore, Status: db.Failed, Revision: 1},
				db.NewReport{URL: fmt.Sprintf("https://site/a/page/%d", i), Project: fmt.Sprint("site-", i%projects)}, &d.ids, now)
			if err != nil {
				return err
			}
			if err := a.settle(r, &x); err != nil {
				return err
			}
		}
		return x.apply(a)
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func deleteProjects(t *testing.T, d *DB) {
	var deleting sync.WaitGroup
	for {
		page, err := d.Projects(t.Context(), "a", sortfilter.Query{SortBy: sortfilter.ByCreated, PerPage: 100, Page: 1})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Rows) == 0 {
			return
		}
		for _, p := range page.Rows {
			deleting.Go(func() {
				if err := d.DeleteProject(t.Context(), "a", p.ID.String(), nil); err != nil {
					t.Error(err)
				}
			})
		}
		deleting.Wait()
	}
}

// deleteProjectsAndClose leaves what the projects had for the next start.
func deleteProjectsAndClose(t *testing.T, d *DB) {
	d.close()
	deleteProjects(t, d)
}

func deleteReports(t *testing.T, d *DB) {
	var ids []uuid.UUID
	if err := d.view(t.Context(), "a", func(a *accountTx) error {
		for _, bucket := range []accountBucket{reportsBucket, freshBucket} {
			if err := a.bucket(bucket).ForEach(func(k, _ []byte) error {
				ids = append(ids, uuid.UUID(k))
				return nil
			}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var deleting sync.WaitGroup
	for _, id := range ids {
		deleting.Go(func() {
			if err := d.DeleteReport(t.Context(), "a", id, nil); err != nil {
				t.Error(err)
			}
		})
	}
	deleting.Wait()
}

func deleteByAge(t *testing.T, d *DB) {
	if _, err := d.DeleteOlder(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
}
