package dbtest

import (
	"fmt"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (s suite) testDeleteOlderTakesWhatIsOldAndNothingElse(t *testing.T) {
	now := time.Now().Add(-100 * 24 * time.Hour)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	for i := range 250 {
		FinishAt(t, d, Create(t, d, fmt.Sprintf("https://example.com/old/%d", i)), i%101, now)
	}
	again := Create(t, d, "https://example.com/again")
	FinishAt(t, d, again, 90, now)
	failed := Create(t, d, "https://example.com/failed")
	if err := d.FinishReport(t.Context(), JobOf(t, d, failed), nil, &audit.Failure{Code: audit.CodeDNS}); err != nil {
		t.Fatal(err)
	}
	Create(t, d, "https://example.com/waits")
	now = now.Add(95 * 24 * time.Hour)
	if _, _, err := d.UpdateReport(t.Context(), "a", again.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	FinishAt(t, d, again, 90, now)
	FinishAt(t, d, Create(t, d, "https://example.com/young"), 90, now)

	old := now.Add(-30 * 24 * time.Hour)
	if removed, err := d.DeleteOlder(t.Context(), old); err != nil || removed != 251 {
		t.Errorf("removed %d (%v), not 251", removed, err)
	}
	if removed, err := d.DeleteOlder(t.Context(), old); err != nil || removed != 0 {
		t.Errorf("then removed %d (%v)", removed, err)
	}
	Check(t, d)
	left := URLs(t, d, 3, Query(func(q *sortfilter.Query) { q.Search = "example.com" }))
	if len(left) != 3 {
		t.Errorf("what is left is %v", left)
	}
}

// testRetentionLeavesWhatWaits has reports wait for an audit that was asked for anew, of each way in which the last one may have ended.
func (s suite) testRetentionLeavesWhatWaits(t *testing.T) {
	now := time.Now().Add(-100 * 24 * time.Hour)
	d := s.open(t, Options{Now: func() time.Time { return now }, KeepReports: 1})
	failed := Create(t, d, "https://example.com/failed")
	if err := d.FinishReport(t.Context(), JobOf(t, d, failed), nil, &audit.Failure{Code: audit.CodeDNS}); err != nil {
		t.Fatal(err)
	}
	waiting := []db.Report{failed}
	for _, score := range []int{10, 60, 90} {
		r := Create(t, d, fmt.Sprintf("https://example.com/%d", score))
		FinishAt(t, d, r, score, now)
		waiting = append(waiting, r)
	}
	for _, r := range waiting {
		if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	FinishAt(t, d, Create(t, d, "https://example.com/90"), 90, now) // a newer generation
	now = now.Add(100 * 24 * time.Hour)
	if removed, err := d.DeleteOlder(t.Context(), now); err != nil || removed != 1 {
		t.Errorf("removed %d (%v), not the newer generation alone", removed, err)
	}
	for _, r := range waiting {
		if status, err := d.Status(t.Context(), "a", r.ID); err != nil || status != db.Queued {
			t.Errorf("%s is %s, %v", r.URL, status, err)
		}
	}
}

func (s suite) testGenerationsOfAnAddressAreLimited(t *testing.T) {
	d := s.open(t, Options{KeepReports: 2})
	other := Finish(t, d, Create(t, d, "https://example.com/Page"), audit.Bad)
	var made []db.Report
	for range 4 {
		made = append(made, Finish(t, d, Create(t, d, "https://example.com/page"), audit.Good))
	}
	Check(t, d)
	for i, r := range append(made, other) {
		_, _, err := d.Report(t.Context(), "a", r.ID)
		if gone := i < 2; gone != (err != nil) {
			t.Errorf("report %d: %v", i, err)
		}
	}
}
