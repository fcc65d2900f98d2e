package dbtest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
)

func (s suite) testSchedules(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	r := Create(t, d, "https://example.com/")
	Finish(t, d, r, audit.Good)
	id := r.ID.String()
	for field, n := range map[string]db.NewSchedule{
		"project":  {Cron: "@daily"},
		"report":   {Report: "x", Cron: "@daily"},
		"cron":     {Report: id, Cron: "61 * * * *"},
		"every":    {Report: id, Every: "1m"},
		"timezone": {Report: id, Cron: "@daily", Zone: "Europe/Atlantis"},
		"what":     {Report: id, Cron: "@daily", What: "dance"},
	} {
		_, _, err := d.CreateSchedule(t.Context(), "a", n)
		refusedField(t, err, field)
	}
	_, _, err := d.CreateSchedule(t.Context(), "a", db.NewSchedule{Project: "unknown", Cron: "@daily", Zone: "Europe/Atlantis"})
	if invalid, ok := errors.AsType[*db.InvalidError](err); !ok || len(invalid.Fields) != 2 {
		t.Errorf("two faults give %v", err)
	}
	n := db.NewSchedule{Report: id, Cron: "0 6 * * *", Zone: "Europe/Berlin", IdempotencyKey: "k"}
	made, _, err := d.CreateSchedule(t.Context(), "a", n)
	if want := time.Date(2026, 3, 2, 5, 0, 0, 0, time.UTC); err != nil || !made.NextRun.Equal(want) || made.Project.Name != "example.com" {
		t.Fatalf("made %+v, %v", made, err)
	}
	if again, repeated, err := d.CreateSchedule(t.Context(), "a", n); err != nil || !repeated || again.ID != made.ID {
		t.Errorf("a repetition gives %s, %t, %v", again.ID, repeated, err)
	}
	runs(t, d, 0, made.NextRun)
	now = now.Add(5 * 24 * time.Hour) // five were due while nobody ran them
	runs(t, d, 1, time.Date(2026, 3, 7, 5, 0, 0, 0, time.UTC))
	job := JobOf(t, d, r)
	if !job.IsBackground() {
		t.Errorf("the job is %+v", job)
	}
	runs(t, d, 0, time.Date(2026, 3, 7, 5, 0, 0, 0, time.UTC))
	other := Create(t, d, "https://example.org/")
	if jobs, err := d.Waiting(t.Context(), "a", db.Job{}, 10); err != nil || len(jobs) != 2 || jobs[0].ID != other.ID {
		t.Errorf("waiting are %+v, %v", jobs, err)
	}
	if _, err := d.UpdateSchedule(t.Context(), "a", made.ID, db.ScheduleChange{Run: true}, nil); err != nil {
		t.Fatal(err)
	}
	runs(t, d, 0, time.Date(2026, 3, 7, 5, 0, 0, 0, time.UTC)) // it waits already
	Finish(t, d, r, audit.Good)
	off := false
	if changed, err := d.UpdateSchedule(t.Context(), "a", made.ID, db.ScheduleChange{Enabled: &off}, nil); err != nil || !changed.NextRun.IsZero() || changed.LastRun.Status != db.RunDone {
		t.Errorf("changed %+v, %v", changed, err)
	}
	runs(t, d, 0, time.Time{})
	if err := d.DeleteReport(t.Context(), "a", r.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Schedule(t.Context(), "a", made.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("after its report the schedule gives %v", err)
	}
}

// runs runs what is due, which must queue so many reports, and compares when it is worth looking again.
func runs(t *testing.T, d db.Store, want int, wantNext time.Time) {
	t.Helper()
	queued, next, err := d.RunSchedules(t.Context(), 0, 1000)
	if err != nil || queued != want || !next.Equal(wantNext) {
		t.Errorf("queued %d (%v) and the next at %s, not %d and %s", queued, err, next, want, wantNext)
	}
}

func (s suite) testSchedulesTakeTurns(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	var made []db.Schedule
	for _, c := range []struct{ account, host string }{{"a", "one"}, {"a", "two"}, {"b", "three"}} {
		for i := range 9 {
			Import(t, d, c.account, fmt.Sprintf(`{"kind":"report","url":"https://%s.example/%d","result":"good"}`, c.host, i))
		}
		one, _, err := d.CreateSchedule(t.Context(), c.account, db.NewSchedule{Project: c.host + ".example", Cron: "@daily"})
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, one)
	}
	now = now.Add(24 * time.Hour)
	for range 4 { // account a twice and account b twice
		now = now.Add(time.Second)
		if _, _, err := d.RunSchedules(t.Context(), 0, 3); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []int{3, 3, 6} {
		account := string("aab"[i])
		if s, err := d.Schedule(t.Context(), account, made[i].ID); err != nil || s.LastRun == nil || s.LastRun.Queued != want {
			t.Errorf("schedule %d has run as %+v (%v), and should have queued %d", i, s.LastRun, err, want)
		}
	}
}

func (s suite) testChangeLeavesWhatIsDue(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	Create(t, d, "https://example.com/")
	made, _, err := d.CreateSchedule(t.Context(), "a", db.NewSchedule{Project: "example.com", Cron: "@daily"})
	if err != nil {
		t.Fatal(err)
	}
	now = made.NextRun.Add(time.Millisecond) // it is due, and begins a little later
	on := true
	for _, c := range []db.ScheduleChange{{}, {Enabled: &on}, {Cron: &made.Cron}} {
		if got, err := d.UpdateSchedule(t.Context(), "a", made.ID, c, nil); err != nil || !got.NextRun.Equal(made.NextRun) || got.Revision != made.Revision {
			t.Errorf("%+v makes it %+v, %v", c, got, err)
		}
	}
}

func (s suite) testSchedulesOfProjectsRunBitByBit(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	o := Options{Dir: t.TempDir(), Now: func() time.Time { return now }}
	d := s.open(t, o)
	for i := range 7 {
		Finish(t, d, Create(t, d, fmt.Sprintf("https://example.com/%d", i)), audit.Result(1+i%3))
	}
	made, _, err := d.CreateSchedule(t.Context(), "a", db.NewSchedule{Project: "example.com", Every: "6h"})
	if err != nil {
		t.Fatal(err)
	}
	now = now.Add(7 * time.Hour)
	for _, want := range []int{3, 3, 1, 0} {
		if queued, _, err := d.RunSchedules(t.Context(), 0, 3); err != nil || queued != want {
			t.Errorf("queued %d, %v, not %d", queued, err, want)
		}
		Check(t, d)
	}
	ran, err := d.Schedule(t.Context(), "a", made.ID)
	if err != nil || ran.LastRun == nil || ran.LastRun.Queued != 7 || ran.LastRun.Status != db.RunDone || !ran.NextRun.Equal(made.CreatedAt.Add(12*time.Hour)) {
		t.Errorf("after the run the schedule is %+v, %v", ran, err)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	if page, err := d.Schedules(t.Context(), "a", records); err != nil || page.Total != 0 {
		t.Errorf("without the project the list is %+v, %v", page, err)
	}
}
