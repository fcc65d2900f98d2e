package dbtest

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
)

// Keep stores the response to a create with an idempotency key and returns what is kept then.
func Keep(t testing.TB, d db.Store, n db.NewReport, response string) db.KeptResponse {
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

// CreateAs stores a report for the account "a".
func CreateAs(t testing.TB, d db.Store, n db.NewReport) db.Report {
	t.Helper()
	r, err := d.CreateReport(t.Context(), "a", n)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (s suite) testIdempotencyKeysLastADay(t *testing.T) {
	now := time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
	first := CreateAs(t, d, n)
	if k, err := d.KeptResponse(t.Context(), "a", n); err != nil || k.ReportID != first.ID || k.Status != 0 {
		t.Fatalf("before the response: %+v, %v", k, err)
	}
	Keep(t, d, n, "response")
	if again := CreateAs(t, d, n); again.ID != first.ID {
		t.Errorf("the same create again makes %s", again.ID)
	}
	if _, err := d.KeptResponse(t.Context(), "b", n); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account: %v", err)
	}
	now = now.Add(24*time.Hour - time.Millisecond)
	if removed, err := d.DeleteExpired(t.Context()); err != nil || removed != 0 {
		t.Errorf("before the day is over %d are removed, %v", removed, err)
	}
	if _, err := d.KeptResponse(t.Context(), "a", n); err != nil {
		t.Errorf("before the day is over: %v", err)
	}
	now = now.Add(time.Millisecond)
	if _, err := d.KeptResponse(t.Context(), "a", n); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("after the day: %v", err)
	}
	if removed, err := d.DeleteExpired(t.Context()); err != nil || removed != 1 {
		t.Errorf("after a day %d are removed, %v", removed, err)
	}
	other := n
	other.URL += "other"
	if next := CreateAs(t, d, other); next.ID == first.ID {
		t.Errorf("after a day the first report is given")
	}
}

func (s suite) testIdempotencyKeysTellCreatesApart(t *testing.T) {
	d := s.open(t, Options{})
	for i, asked := range []db.NewReport{
		{URL: "https://example.com/"}, {URL: "https://example.com/x"}, {URL: "https://example.com/", Project: "x"}, {URL: "https://example.com/", Privacy: 1},
		{URL: "https://example.com/", Privacy: 2, Password: "a"}, {URL: "https://example.com/", Privacy: 2, Password: "b"},
	} {
		asked.IdempotencyKey = strings.Repeat("k", 1+i)
		first := CreateAs(t, d, asked)
		if again := CreateAs(t, d, asked); again.ID != first.ID {
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

// testIdempotencyKeysOfMany repeats a create of many addresses whose response was lost.
func (s suite) testIdempotencyKeysOfMany(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	d, err := s.engine(o)
	if err != nil {
		t.Fatal(err)
	}
	n := db.NewReport{URL: "what is asked", Privacy: db.Password, Password: "x", IdempotencyKey: "k"}
	addresses := []string{"https://b.example/", "https://a.example/", "https://b.example/"}
	first := createMany(t, d, n, addresses...)
	if first[0].ID == first[2].ID {
		t.Error("an address that is given twice makes one report")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = s.open(t, o)
	if again := createMany(t, d, n, addresses...); !slices.Equal(ids(again), ids(first)) || again[1].URL != "https://a.example/" || again[1].Project.Name != "a.example" {
		t.Errorf("repeated it makes %+v, not %+v", again, first)
	}
	for name, other := range map[string]db.NewReport{"other addresses": {URL: "another", Privacy: n.Privacy, Password: "x"}, "another password": {URL: n.URL, Privacy: n.Privacy, Password: "y"}} {
		other.IdempotencyKey = "k"
		if _, err := d.CreateReports(t.Context(), "a", other, addresses...); !errors.Is(err, db.ErrIdempotencyMismatch) {
			t.Errorf("%s give %v", name, err)
		}
	}
	if _, err := d.CreateReports(t.Context(), "a", n, addresses[:2]...); !errors.Is(err, db.ErrIdempotencyMismatch) {
		t.Errorf("fewer addresses give %v", err)
	}
	Keep(t, d, n, "response")
	if err := d.DeleteReport(t.Context(), "a", first[0].ID, nil); err != nil {
		t.Fatal(err)
	}
	if k, err := d.KeptResponse(t.Context(), "a", n); err != nil || k.Status != 0 || len(k.Response) != 0 {
		t.Errorf("the response that shows a deleted report is kept: %+v, %v", k, err)
	}
	other := db.NewReport{URL: "other", IdempotencyKey: "other"}
	rest := createMany(t, d, other, "https://c.example/", "https://a.example/")
	Keep(t, d, other, "response")
	if err := d.DeleteProject(t.Context(), "a", "a.example", nil); err != nil {
		t.Fatal(err)
	}
	if k, err := d.KeptResponse(t.Context(), "a", other); err != nil || k.Status != 0 || k.ReportID != rest[0].ID {
		t.Errorf("the response that shows a report of a deleted project is kept: %+v, %v", k, err)
	}
	if again := createMany(t, d, n, addresses...); !slices.Equal(ids(again), []uuid.UUID{{}, {}, first[2].ID}) {
		t.Errorf("without two of them it makes %+v", again)
	}
	if err := d.DeleteReport(t.Context(), "a", first[2].ID, nil); err != nil {
		t.Fatal(err)
	}
	if again := createMany(t, d, n, addresses...); again[0].ID == uuid.Nil || again[2].ID == first[2].ID {
		t.Errorf("when all are deleted it makes %+v", again)
	}
	URLs(t, d, 4, Query(nil))
}

// createMany stores reports for the account "a".
func createMany(t *testing.T, d db.Store, n db.NewReport, addresses ...string) []db.Report {
	t.Helper()
	made, err := d.CreateReports(t.Context(), "a", n, addresses...)
	if err != nil || len(made) != len(addresses) {
		t.Fatalf("%d reports of %d addresses, %v", len(made), len(addresses), err)
	}
	return made
}

func ids(reports []db.Report) (all []uuid.UUID) {
	for _, r := range reports {
		all = append(all, r.ID)
	}
	return all
}
