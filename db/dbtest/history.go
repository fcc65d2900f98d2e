package dbtest

import (
	"testing"
	"time"

	"sitegrade/db"
)

func (s suite) testHistory(t *testing.T) {
	d := s.open(t, Options{})
	const url = "https://example.com/page"
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	first := Create(t, d, url)
	for i, other := range []string{"https://example.com/page2", "https://example.com/Page", "https://example.com/pag", "https://example.com/page/"} {
		FinishAt(t, d, Create(t, d, other), 90, start.Add(time.Duration(i)*time.Second))
	}
	FinishAt(t, d, first, 90, start.Add(2*time.Hour))
	FinishAt(t, d, Create(t, d, url), 40, start)
	FinishAt(t, d, Create(t, d, url), 60, start.Add(time.Hour))
	Create(t, d, url) // queued
	elsewhere, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: url, Project: "another"})
	if err != nil {
		t.Fatal(err)
	}
	FinishAt(t, d, elsewhere, 10, start)

	for limit, want := range map[int][]int{10: {40, 60, 90}, 2: {40, 60}, 1: {60}} {
		reports, err := d.History(t.Context(), "a", first, limit)
		if err != nil {
			t.Fatal(err)
		}
		var scores []int
		for _, r := range reports {
			scores = append(scores, r.Score)
		}
		if len(scores) != len(want) {
			t.Fatalf("limit %d: scores %v, not %v", limit, scores, want)
		}
		for i := range want {
			if scores[i] != want[i] {
				t.Fatalf("limit %d: scores %v, not %v", limit, scores, want)
			}
		}
	}
	if reports, err := d.History(t.Context(), "b", first, 10); err != nil || len(reports) != 0 {
		t.Errorf("another account sees %v, %v", reports, err)
	}
}
