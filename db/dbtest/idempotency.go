package dbtest

import (
	"errors"
	"strings"
	"testing"
	"time"

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
