package bolt

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

func TestDeleteOlderTakesWhatIsOldAndNothingElse(t *testing.T) {
	now := time.Now().Add(-100 * 24 * time.Hour)
	d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for i := range 250 {
		finishAt(t, d, create(t, d, fmt.Sprintf("https://example.com/old/%d", i)), i%101, now)
	}
	again := create(t, d, "https://example.com/again")
	finishAt(t, d, again, 90, now)
	failed := create(t, d, "https://example.com/failed")
	if err := d.FinishReport(t.Context(), jobOf(t, d, failed), nil, &audit.Failure{Code: audit.CodeDNS}); err != nil {
		t.Fatal(err)
	}
	create(t, d, "https://example.com/waits")
	now = now.Add(95 * 24 * time.Hour)
	if _, _, err := d.UpdateReport(t.Context(), "a", again.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	finishAt(t, d, again, 90, now)
	finishAt(t, d, create(t, d, "https://example.com/young"), 90, now)

	old := now.Add(-30 * 24 * time.Hour)
	if removed, err := d.DeleteOlder(t.Context(), old); err != nil || removed != 251 {
		t.Errorf("removed %d (%v), not 251", removed, err)
	}
	if removed, err := d.DeleteOlder(t.Context(), old); err != nil || removed != 0 {
		t.Errorf("then removed %d (%v)", removed, err)
	}
	mustCheck(t, d)
	left := urls(t, d, 3, query(func(q *sortfilter.Query) { q.Search = "example.com" }))
	if len(left) != 3 {
		t.Errorf("what is left is %v", left)
	}
}

func TestGenerationsOfAnAddressAreLimited(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{KeepGenerations: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	other := finish(t, d, create(t, d, "https://example.com/Page"), audit.Bad)
	var made []db.Report
	for range 4 {
		made = append(made, finish(t, d, create(t, d, "https://example.com/page"), audit.Good))
	}
	mustCheck(t, d)
	for i, r := range append(made, other) {
		_, _, err := d.Report(t.Context(), "a", r.ID)
		if gone := i < 2; gone != (err != nil) {
			t.Errorf("report %d: %v", i, err)
		}
	}
}
