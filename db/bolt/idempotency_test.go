package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/kept"
	"sitegrade/db/dbtest"
	"sitegrade/db/internal/record"
)

// TestKeptResponsesGoWithTheirReports deletes a report in each of the ways that there are. The file has nothing of its response then.
func TestKeptResponsesGoWithTheirReports(t *testing.T) {
	now := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	for name, remove := range map[string]func(*DB, db.Report) error{
		"delete":         func(d *DB, r db.Report) error { return d.DeleteReport(t.Context(), "a", r.ID, nil) },
		"delete project": func(d *DB, r db.Report) error { return d.DeleteProject(t.Context(), "a", "example.com", nil) },
		"audited, then deleted": func(d *DB, r db.Report) error {
			finish(t, d, r, audit.Good)
			return d.DeleteReport(t.Context(), "a", r.ID, nil)
		},
		"audited, then its project deleted": func(d *DB, r db.Report) error {
			finish(t, d, r, audit.Good)
			return d.DeleteProject(t.Context(), "a", "example.com", nil)
		},
		"too old": func(d *DB, r db.Report) error {
			finish(t, d, r, audit.Good)
			_, err := d.DeleteOlder(t.Context(), time.Now().Add(time.Hour))
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t)
			d.options.Now = func() time.Time { return now }
			n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
			beside := n
			beside.IdempotencyKey, beside.Project = "beside", "other" // made in the same millisecond
			dbtest.CreateAs(t, d, beside)
			r := dbtest.CreateAs(t, d, n)
			dbtest.Keep(t, d, n, "response")
			if err := remove(d, r); err != nil {
				t.Fatal(err)
			}
			if _, err := d.KeptResponse(t.Context(), "a", n); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("the response to the create of a deleted report gives %v", err)
			}
			d.purging.Wait()
			if err := d.view(t.Context(), "a", func(a *accountTx) error {
				if stored := a.bucket(keptBucket).Get(kept.Key("k")); stored != nil {
					t.Errorf("the file still has %q", stored)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if name != "too old" {
				dbtest.Keep(t, d, beside, "response")
			}
			if again := dbtest.CreateAs(t, d, n); again.ID == r.ID {
				t.Error("the deleted report is given")
			}
		})
	}
}

func TestKeptResponsesAreSmallAndTellNoPassword(t *testing.T) {
	d := open(t)
	n := db.NewReport{URL: "https://example.com/", Privacy: db.Password, Password: "secret", IdempotencyKey: "k"}
	dbtest.CreateAs(t, d, n)
	dbtest.Keep(t, d, n, strings.Repeat("a response ", 3000))
	if err := d.view(t.Context(), "a", func(a *accountTx) error {
		stored := a.bucket(keptBucket).Get(kept.Key("k"))
		if len(stored) > 1000 {
			t.Errorf("a response of 33 kB takes %d bytes", len(stored))
		}
		other := n
		other.Password = "guess"
		x, _ := n.Asked("")
		y, _ := other.Asked("")
		if x != y {
			t.Errorf("what is compared without a hash is %x with one password and %x with another", x, y)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// TestKeptResponsesOfAnEarlierVersion reads what was stored before the sum left the password out, and that is repeated without comparing.
func TestKeptResponsesOfAnEarlierVersion(t *testing.T) {
	d := open(t)
	r := create(t, d, "https://example.com/")
	n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
	put := func(status int, response string) {
		b := append(bytes.Clone(r.ID[:]), make([]byte, 32)...)
		b = binary.AppendVarint(b, record.Milliseconds(r.CreatedAt))
		b = append(binary.AppendUvarint(b, uint64(status)), response...)
		if err := d.add(t.Context(), "a", func(a *accountTx) error {
			return errors.Join(
				a.bucket(keptBucket).Put(kept.Key("k"), b),
				a.bucket(keptTimesBucket).Put(kept.TimeKey(record.Milliseconds(r.CreatedAt), kept.Key("k")), nil))
		}); err != nil {
			t.Fatal(err)
		}
	}
	put(0, "")
	if err := d.KeepResponse(t.Context(), "a", "k", 201, []byte("response")); err != nil {
		t.Fatal(err)
	}
	if again := dbtest.CreateAs(t, d, n); again.ID != r.ID {
		t.Errorf("a create that was not responded to makes %s", again.ID)
	}
	put(201, "response")
	if k, err := d.KeptResponse(t.Context(), "a", n); err != nil || k.Status != 201 || string(k.Response) != "response" || k.ReportID != r.ID {
		t.Errorf("kept: %+v, %v", k, err)
	}
	if err := d.DeleteReport(t.Context(), "a", r.ID, nil); err != nil {
		t.Fatal(err)
	}
}

// TestCreateOfManyIsRepeatedAfterAKill opens the file as it is on the disk while its first process still has it.
func TestCreateOfManyIsRepeatedAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sitegrade.db")
	d := mustOpen(t, path)
	defer d.Close()
	n, addresses := db.NewReport{URL: "what is asked", IdempotencyKey: "k"}, []string{"https://example.com/1", "https://example.com/2"}
	first, err := d.CreateReports(t.Context(), "a", n, addresses...)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "sitegrade.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	next := mustOpen(t, path)
	defer next.Close()
	again, err := next.CreateReports(t.Context(), "a", n, addresses...)
	if err != nil || len(again) != 2 || again[0].ID != first[0].ID || again[1].ID != first[1].ID {
		t.Errorf("repeated it makes %+v, not %+v: %v", again, first, err)
	}
	mustCheck(t, next)
}
