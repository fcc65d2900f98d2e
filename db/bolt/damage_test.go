package bolt

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/file"
	"sitegrade/sortfilter"
)

// TestDamagedPagesAreErrors overwrites single pages of a file in different ways. Whatever is then done with it ends well or with an
// error, never with a panic; and the check finds what is wrong.
func TestDamagedPagesAreErrors(t *testing.T) {
	whole, report := wholeDatabase(t)
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	random := rand.New(rand.NewPCG(1, 2))
	noticed := 0
	for page := 2; (page+1)*4096 <= len(whole); page++ {
		for _, spoil := range []func([]byte){
			func(b []byte) { fill(b, func() byte { return byte(random.Uint32()) }) },
			func(b []byte) { fill(b[16:], func() byte { return byte(random.Uint32()) }) },
			func(b []byte) { b[random.IntN(len(b))] ^= 1 << random.IntN(8) },
		} {
			content := append([]byte(nil), whole...)
			spoil(content[page*4096 : (page+1)*4096])
			if err := useDamaged(t, path, content, report); errors.Is(err, ErrDamaged) {
				noticed++
			}
		}
	}
	if noticed == 0 {
		t.Error("no damage was noticed")
	}
}

func fill(b []byte, next func() byte) {
	for i := range b {
		b[i] = next()
	}
}

// wholeDatabase returns the content of a database file with reports, and one of these.
func wholeDatabase(t *testing.T) ([]byte, db.Report) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d, err := Open(path, Options{MaxSize: 16 << 20}) // which makes the file grow by small steps
	if err != nil {
		t.Fatal(err)
	}
	var report db.Report
	for i := range 60 {
		report = finish(t, d, create(t, d, fmt.Sprintf("https://example.com/%d", i)), audit.Good)
	}
	var used int64
	if err := d.file.Read(t.Context(), func(tx *bbolt.Tx) error {
		used = tx.Size()
		return nil
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
	return content[:used], report
}

// useDamaged does a little of everything with a database of that content.
func useDamaged(t *testing.T, path string, content []byte, report db.Report) error {
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Open(path, Options{MaxSize: 16 << 20})
	if err != nil {
		return err
	}
	result, checkErr := d.Check(t.Context())
	if len(result.Differences) > 0 {
		checkErr = errors.Join(checkErr, errors.New(result.Differences[0]))
	}
	if errors.Is(checkErr, file.ErrPageTwice) { // a page may lead back to itself, and bbolt follows it for ever
		return errors.Join(checkErr, d.Close())
	}
	_, listErr := d.Reports(t.Context(), "a", query(func(q *sortfilter.Query) { q.Search = "example" }))
	_, _, readErr := d.Report(t.Context(), "a", report.ID)
	_, createErr := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.com/new"})
	deleteErr := d.DeleteReport(t.Context(), "a", report.ID, nil)
	return errors.Join(checkErr, listErr, readErr, createErr, deleteErr, d.Close())
}

// TestUnreadableFileIsAnError takes the pages of an open file away, which is what a disk that cannot be read looks like to a process
// that has mapped it. Every method must return an error; none may end the process or wait for ever.
func TestUnreadableFileIsAnError(t *testing.T) {
	for _, left := range []int64{0, 4096, 8192} {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sitegrade.db")
			d := mustOpen(t, path)
			report := finish(t, d, create(t, d, "https://example.com/"), audit.Good)
			if err := os.Truncate(path, left); err != nil {
				t.Fatal(err)
			}
			<-time.After(file.LookAgain) // until then the pages that were read count as readable
			for range 2 {                // the second round meets what the first has left
				_, _, readErr := d.Report(t.Context(), "a", report.ID)
				_, listErr := d.Reports(t.Context(), "a", query(nil))
				_, createErr := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.com/new"})
				deleteErr := d.DeleteReport(t.Context(), "a", report.ID, nil)
				_, checkErr := d.Check(t.Context())
				_, statsErr := d.Stats()
				_, backupErr := d.Backup(t.Context(), filepath.Join(t.TempDir(), "backup.db"))
				for i, err := range []error{readErr, listErr, createErr, deleteErr, checkErr, statsErr, backupErr} {
					if err == nil {
						t.Errorf("method %d succeeds", i)
					}
				}
			}
			_ = d.Close()
		})
	}
}
