package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
)

// keep stores a response and returns what is kept then.
func keep(t *testing.T, d *DB, n db.NewReport, response string) db.KeptResponse {
	t.Helper()
	if err := d.KeepResponse(t.Context(), "a", n.IdempotencyKey, 201, []byte(response)); err != nil {
		t.Fatal(err)
	}
	k, err := d.KeptResponse(t.Context(), "a", n)
	if err != nil || k.Status != 201 || string(k.Response) != response {
		t.Fatalf("kept: %+v, %v", k, err)
	}
	return k
}

func createOnce(t *testing.T, d *DB, n db.NewReport) db.Report {
	t.Helper()
	r, err := d.CreateReport(t.Context(), "a", n)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestIdempotencyKeysLastADay(t *testing.T) {
	now := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	d := open(t)
	d.Now = func() time.Time { return now }
	n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
	first := createOnce(t, d, n)
	if k, err := d.KeptResponse(t.Context(), "a", n); err != nil || k.ReportID != first.ID || k.Status != 0 {
		t.Fatalf("before the response: %+v, %v", k, err)
	}
	keep(t, d, n, "response")
	if again := createOnce(t, d, n); again.ID != first.ID {
		t.Errorf("the same create again makes %s", again.ID)
	}
	if _, err := d.KeptResponse(t.Context(), "b", n); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account: %v", err)
	}
	now = now.Add(24*time.Hour - time.Millisecond)
	if removed, err := d.DeleteExpired(t.Context()); err != nil || removed != 0 {
		t.Errorf("before the day is over %d are removed, %v", removed, err)
	}
	now = now.Add(time.Millisecond)
	if removed, err := d.DeleteExpired(t.Context()); err != nil || removed != 1 {
		t.Errorf("after a day %d are removed, %v", removed, err)
	}
	other := n
	other.URL += "other"
	if next := createOnce(t, d, other); next.ID == first.ID {
		t.Errorf("after a day the first report is given")
	}
}

func TestIdempotencyKeysTellCreatesApart(t *testing.T) {
	d := open(t)
	for i, asked := range []db.NewReport{
		{URL: "https://example.com/"}, {URL: "https://example.com/x"}, {URL: "https://example.com/", Project: "x"}, {URL: "https://example.com/", Privacy: 1},
		{URL: "https://example.com/", Privacy: 2, Password: "a"}, {URL: "https://example.com/", Privacy: 2, Password: "b"},
	} {
		asked.IdempotencyKey = strings.Repeat("k", 1+i)
		first := createOnce(t, d, asked)
		if again := createOnce(t, d, asked); again.ID != first.ID {
			t.Errorf("%+v makes two reports", asked)
		}
		for j := range i {
			asked.IdempotencyKey = strings.Repeat("k", 1+j)
			if _, err := d.CreateReport(t.Context(), "a", asked); !errors.Is(err, db.ErrIdempotencyMismatch) {
				t.Errorf("%+v with the key of create %d gives %v", asked, j, err)
			}
		}
	}
}

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
			d.Now = func() time.Time { return now }
			n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
			beside := n
			beside.IdempotencyKey, beside.Project = "beside", "other" // made in the same millisecond
			createOnce(t, d, beside)
			r := createOnce(t, d, n)
			keep(t, d, n, "response")
			if err := remove(d, r); err != nil {
				t.Fatal(err)
			}
			if _, err := d.KeptResponse(t.Context(), "a", n); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("the response to the create of a deleted report gives %v", err)
			}
			d.purging.Wait()
			if err := d.view("a", func(a *accountTx) error {
				if stored := a.bucket(keptBucket).Get(keptKey("k")); stored != nil {
					t.Errorf("the file still has %q", stored)
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if name != "too old" {
				keep(t, d, beside, "response")
			}
			if again := createOnce(t, d, n); again.ID == r.ID {
				t.Error("the deleted report is given")
			}
		})
	}
}

func TestKeptResponsesAreSmallAndTellNoPassword(t *testing.T) {
	d := open(t)
	n := db.NewReport{URL: "https://example.com/", Privacy: db.Password, Password: "secret", IdempotencyKey: "k"}
	createOnce(t, d, n)
	keep(t, d, n, strings.Repeat("a response ", 3000))
	if err := d.view("a", func(a *accountTx) error {
		stored := a.bucket(keptBucket).Get(keptKey("k"))
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
		b = binary.AppendVarint(b, milliseconds(r.CreatedAt))
		b = append(binary.AppendUvarint(b, uint64(status)), response...)
		if err := d.add(t.Context(), "a", func(a *accountTx) error {
			return errors.Join(
				a.bucket(keptBucket).Put(keptKey("k"), b),
				a.bucket(keptTimesBucket).Put(keptTimeKey(milliseconds(r.CreatedAt), keptKey("k")), nil))
		}); err != nil {
			t.Fatal(err)
		}
	}
	put(0, "")
	if err := d.KeepResponse(t.Context(), "a", "k", 201, []byte("response")); err != nil {
		t.Fatal(err)
	}
	if again := createOnce(t, d, n); again.ID != r.ID {
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

// TestProjectNamedLikeTheIDOfAnother holds that an id means the project that has it.
func TestProjectNamedLikeTheIDOfAnother(t *testing.T) {
	d := open(t)
	first := create(t, d, "https://example.com/")
	second, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.org/", Project: first.Project.ID.String()})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := d.Project(t.Context(), "a", first.Project.ID.String()); err != nil || p.ID != first.Project.ID {
		t.Errorf("the id leads to %+v, %v", p, err)
	}
	if err := d.DeleteProject(t.Context(), "a", first.Project.ID.String(), nil); err != nil {
		t.Fatal(err)
	}
	for id, gone := range map[uuid.UUID]bool{first.ID: true, second.ID: false} {
		if _, err := d.Status(t.Context(), "a", id); errors.Is(err, db.ErrNotFound) != gone {
			t.Errorf("report %s: %v", id, err)
		}
	}
}
