package worker

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/locale"
)

// TestPlannerHasAcceptedOutcomesExpire lets a project break its budget since nobody accepts a failure any more.
func TestPlannerHasAcceptedOutcomesExpire(t *testing.T) {
	now := time.Now()
	store, err := bolt.Open(filepath.Join(t.TempDir(), "sitegrade.db"), bolt.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	r, err := store.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.com/"})
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := store.Waiting(t.Context(), "a", db.Job{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	found := &audit.Report{URL: r.URL, Result: audit.Good, Score: 90, GeneratedAt: now, Checks: []audit.Outcome{{ID: "h1", Severity: audit.High, Status: audit.Failed}}}
	if err := store.FinishReport(t.Context(), jobs[0], found, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := store.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "h1", URL: "*", Reason: "x", ExpiresAt: now.Add(time.Second)}); err != nil {
		t.Fatal(err)
	}
	none := 0
	p, err := store.UpdateProject(t.Context(), "a", "example.com", db.ProjectChange{Budget: map[string]*int{"max_high": &none}}, nil)
	if err != nil || p.Standing != db.BudgetKept {
		t.Fatalf("%+v, %v", p, err)
	}
	planner := NewPlanner(store, 0, slog.New(slog.DiscardHandler))
	if pause := planner.runDue(t.Context()); pause > time.Second {
		t.Errorf("it looks again in %s", pause)
	}
	now = now.Add(time.Second)
	planner.runDue(t.Context())
	if p, err = store.Project(t.Context(), "a", "example.com"); err != nil || p.Standing != db.BudgetExceeded {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestBudgetsInWords(t *testing.T) {
	least := 80
	project := db.Project{ProjectRef: db.ProjectRef{ID: uuid.Max, Name: "Shop"}, Budget: db.Budget{MinScore: &least}, Standing: db.BudgetExceeded}
	e := db.Event{Type: db.BudgetBroken, Budgeted: &project, Report: &db.Report{ID: uuid.Max, URL: "https://example.com/", Score: 70}}
	m, err := messageOf(locale.For(locale.English), e, "https://seo.example")
	if err != nil {
		t.Fatal(err)
	}
	if s := m.Summary; s.Title != "Shop breaks its budget" || s.URL != e.Report.URL || *s.New != 70 || s.Good || len(s.Facts) != 2 || s.Facts[1].Value != "80" {
		t.Errorf("%+v", s)
	}
	if data := string(m.Data); !strings.Contains(data, `"project":{"id":`) || !strings.Contains(data, `"budget_met":false`) || !strings.Contains(data, `"report":{"id":`) {
		t.Errorf("%s", data)
	}
	e.Type, e.Report = db.BudgetMet, nil
	if m, err = messageOf(locale.For(locale.English), e, "https://seo.example"); err != nil || !m.Summary.Good || !strings.HasPrefix(m.Summary.Link, "https://seo.example/?project=") {
		t.Errorf("%+v, %v", m.Summary, err)
	}
}
