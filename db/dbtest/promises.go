package dbtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"sitegrade/audit"
	"sitegrade/db"
)

// patience is how long a test waits for what a store does in the background.
const patience = 20 * time.Second

// stands waits until a project of the account "a" stands so to its budget.
func stands(t fataler, d db.Store, project string, want db.BudgetState) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; <-time.After(5 * time.Millisecond) {
		p, err := d.Project(context.Background(), "a", project)
		if err != nil {
			t.Fatalf("project %q: %v", project, err)
		}
		if p.Standing == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("project %q stands at %d to %+v, not at %d", project, p.Standing, p.Budget, want)
		}
	}
}

// promise gives a project of the account "a" terms of a budget.
func promise(t fataler, d db.Store, project string, terms map[string]int) db.Project {
	t.Helper()
	c := db.ProjectChange{Budget: map[string]*int{}}
	for name, value := range terms {
		c.Budget[name] = &value
	}
	p, err := d.UpdateProject(context.Background(), "a", project, c, nil)
	if err != nil {
		t.Fatalf("a budget for %q: %v", project, err)
	}
	return p
}

// testPromises has the tests of what projects promise, and of what is accepted in them.
func (s suite) testPromises(t *testing.T) {
	t.Run("ProjectsAreChanged", s.testProjectsAreChanged)
	t.Run("Budgets", s.testBudgets)
	t.Run("AcceptedOutcomes", s.testAcceptedOutcomes)
	t.Run("WrongAcceptedOutcomes", s.testWrongAcceptedOutcomes)
	t.Run("AcceptedAlarmsNobody", s.testAcceptedAlarmsNobody)
	t.Run("JudgingGoesOn", s.testJudgingGoesOn)
}

func (s suite) testProjectsAreChanged(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	Create(t, d, "https://other.example/")
	hook(t, d, db.NewWebhook{Events: []string{"report.done"}, Project: "example.com"})
	if _, _, err := d.CreateSchedule(t.Context(), "a", db.NewSchedule{Project: "example.com", Cron: "@daily"}); err != nil {
		t.Fatal(err)
	}
	update := func(project string, c db.ProjectChange) (db.Project, error) {
		return d.UpdateProject(t.Context(), "a", project, c, nil)
	}
	for _, name := range []string{"Shop", "SHOP"} { // another name, and the same in other letters
		if p, err := update(r.Project.ID.String(), db.ProjectChange{Name: &name}); err != nil || p.Name != name || p.ID != r.Project.ID || p.Reports.Total != 1 {
			t.Fatalf("renamed to %s it is %+v, %v", name, p, err)
		}
		shown, _, err := d.Report(t.Context(), "a", r.ID)
		hooks, hooksErr := d.Webhooks(t.Context(), "a", records)
		schedules, schedulesErr := d.Schedules(t.Context(), "a", records)
		if err := errors.Join(err, hooksErr, schedulesErr); err != nil {
			t.Fatal(err)
		}
		if shown.Project.Name != name || hooks.Rows[0].Project.Name != name || schedules.Rows[0].Project.Name != name {
			t.Errorf("%s is called %s, %s, %s", name, shown.Project.Name, hooks.Rows[0].Project.Name, schedules.Rows[0].Project.Name)
		}
	}
	if _, err := d.Project(t.Context(), "a", "example.com"); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("by its old name it gives %v", err)
	}
	taken, empty, german, klingon, none := "Other.Example", "", "de", "tlh", ""
	for field, c := range map[string]db.ProjectChange{
		"name": {Name: &taken}, "lang": {Lang: &klingon}, "budget.min_score": {Budget: map[string]*int{"min_score": ptr(101)}},
		"budget.max_high": {Budget: map[string]*int{"max_high": ptr(-1)}}, "budget.speed": {Budget: map[string]*int{"speed": ptr(1)}},
	} {
		_, err := update("shop", c)
		refusedField(t, err, field)
	}
	_, err := update("shop", db.ProjectChange{Name: &empty})
	refusedField(t, err, "name")
	if p, err := update("shop", db.ProjectChange{Lang: &german}); err != nil || p.Lang != "de" || p.Standing != db.BudgetUnjudged {
		t.Errorf("in German: %+v, %v", p, err)
	}
	if p, err := update("shop", db.ProjectChange{Lang: &none}); err != nil || p.Lang != "" {
		t.Errorf("without language: %+v, %v", p, err)
	}
	refused := errors.New("refused")
	if _, err := d.UpdateProject(t.Context(), "a", "shop", db.ProjectChange{Name: &german}, func(p db.Project) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("what its check refuses gives %v", err)
	}
	if _, err := d.UpdateProject(t.Context(), "b", "shop", db.ProjectChange{Name: &german}, nil); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	if p, err := d.Project(t.Context(), "a", "shop"); err != nil || p.Name != "SHOP" {
		t.Errorf("in the end it is %+v, %v", p, err)
	}
}

func ptr(n int) *int { return &n }

// toldOfBudget holds that others are told this of the project example.com, and nothing else.
func toldOfBudget(t *testing.T, d db.Store, want ...db.EventType) {
	t.Helper()
	due, _, err := d.ClaimDeliveries(t.Context(), db.Claiming{Places: 100, PerWebhook: 100})
	if err != nil {
		t.Fatal(err)
	}
	var got []db.EventType
	for _, one := range due {
		got = append(got, one.Type)
		if one.Event.Budgeted == nil || one.Event.Budgeted.Name != "example.com" || one.Event.Project.Name != "example.com" {
			t.Errorf("the event is %+v", one.Event)
		}
		finish(t, d, one, db.Attempted{Delivered: true})
	}
	if !slices.Equal(got, want) {
		t.Errorf("told %v, not %v", got, want)
	}
}

// testBudgets lets a project break its budget and keep it again in every way there is, each of which is told once.
func (s suite) testBudgets(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000).UTC()
	d := s.open(t, Options{Now: func() time.Time { return now }})
	one, two := Create(t, d, "https://example.com/1"), Create(t, d, "https://example.com/2")
	audited := func(r db.Report, score int, outcomes ...string) {
		t.Helper()
		now = now.Add(time.Hour)
		Again(t, d, r, Graded(r.URL, score, now, outcomes...), nil)
	}
	audited(one, 90)
	audited(two, 60, "document-title failed")
	hook(t, d, db.NewWebhook{Events: []string{"budget.broken", "budget.met"}})
	told := func(want ...db.EventType) {
		t.Helper()
		toldOfBudget(t, d, want...)
	}
	promise(t, d, "example.com", map[string]int{"min_score": 50})
	stands(t, d, "example.com", db.BudgetKept)
	told()
	promise(t, d, "example.com", map[string]int{"min_score": 70})
	stands(t, d, "example.com", db.BudgetExceeded)
	told(db.BudgetBroken)
	audited(one, 65) // no more broken than before
	told()
	audited(one, 80)
	audited(two, 70, "document-title failed")
	told(db.BudgetMet)
	promise(t, d, "example.com", map[string]int{"max_high": 0})
	told(db.BudgetBroken)
	audited(two, 70)
	told(db.BudgetMet)
	promise(t, d, "example.com", map[string]int{"max_drop": 5})
	told()
	audited(one, 74) // six lower
	told(db.BudgetBroken)
	Again(t, d, one, nil, &audit.Failure{Code: audit.CodeDNS, Detail: "No."})
	told() // a failure says nothing about the score
	audited(one, 74)
	told(db.BudgetMet)
	audited(one, 10)
	told(db.BudgetBroken)
	if err := d.DeleteReport(t.Context(), "a", one.ID, nil); err != nil {
		t.Fatal(err)
	}
	stands(t, d, "example.com", db.BudgetKept)
	told(db.BudgetMet)
	p, err := d.UpdateProject(t.Context(), "a", "example.com", db.ProjectChange{NoBudget: true}, nil)
	if err != nil || p.Budget.Promises() || p.Standing != db.BudgetUnjudged {
		t.Errorf("without its budget: %+v, %v", p, err)
	}
	told()
}

// markedIn returns the checks of a report that are marked as accepted, with the reasons.
func markedIn(t *testing.T, d db.Store, id uuid.UUID) string {
	t.Helper()
	_, found, err := d.Report(t.Context(), "a", id)
	if err != nil {
		t.Fatal(err)
	}
	var marked []string
	for _, o := range found.Checks {
		if o.Accepted != nil {
			marked = append(marked, o.ID+": "+o.Accepted.Reason)
		}
	}
	return strings.Join(marked, ", ")
}

func (s suite) testAcceptedOutcomes(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000).UTC()
	clock := func() time.Time { return now }
	d := s.open(t, Options{Now: clock})
	r := Create(t, d, "https://example.com/shop/a")
	Again(t, d, r, Graded(r.URL, 60, now, "document-title failed", "h1 failed", "canonical passed"), nil)
	promise(t, d, "example.com", map[string]int{"max_high": 0})
	stands(t, d, "example.com", db.BudgetExceeded)
	accept := func(check, url string, end time.Time) db.Accepted {
		t.Helper()
		made, again, err := d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: check, URL: url, Reason: "for now", ExpiresAt: end, IdempotencyKey: check})
		if err != nil || again {
			t.Fatal(err, again)
		}
		return made
	}
	marked := func() string {
		t.Helper()
		return markedIn(t, d, r.ID)
	}
	exact := accept("document-title", "HTTPS://example.com:443/shop/a", time.Time{})
	accept("h1", "/shop/*", now.Add(time.Hour))
	accept("canonical", "*", time.Time{})
	accept("html-lang", "/blog/*", time.Time{})
	stands(t, d, "example.com", db.BudgetKept)
	if got := marked(); got != "document-title: for now, h1: for now" || exact.URL != r.URL {
		t.Errorf("marked are %q; %+v", got, exact)
	}
	same, again, err := d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "h1", URL: "/shop/*", Reason: "for now", ExpiresAt: now.Add(time.Hour), IdempotencyKey: "h1"})
	if err != nil || !again || same.Check != "h1" {
		t.Errorf("again: %+v, %v, %v", same, again, err)
	}
	if next, err := d.ExpireAccepted(t.Context()); err != nil || !next.Equal(now.Add(time.Hour)) {
		t.Errorf("the next expires at %s, %v", next, err)
	}
	now = now.Add(time.Hour)
	page, err := d.AcceptedOutcomes(t.Context(), "a", "example.com", records)
	if got := marked(); got != "document-title: for now" || err != nil || page.Total != 3 {
		t.Errorf("when one has expired, marked are %q and listed %d, %v", got, page.Total, err)
	}
	if next, err := d.ExpireAccepted(t.Context()); err != nil || !next.IsZero() {
		t.Errorf("then the next expires at %s, %v", next, err)
	}
	stands(t, d, "example.com", db.BudgetExceeded)
	promise(t, d, "example.com", map[string]int{"max_high": 1})
	stands(t, d, "example.com", db.BudgetKept)
	unaccept(t, d, exact.ID)
	stands(t, d, "example.com", db.BudgetExceeded)
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
}

// unaccept removes an accepted outcome of the project example.com, and asks for what is not there.
func unaccept(t *testing.T, d db.Store, id uuid.UUID) {
	t.Helper()
	if err := d.Unaccept(t.Context(), "b", "example.com", id); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	if err := d.Unaccept(t.Context(), "a", "example.com", id); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		d.Unaccept(t.Context(), "a", "example.com", id), d.Unaccept(t.Context(), "a", "unknown", id),
		second(d.AcceptedOutcomes(t.Context(), "a", "unknown", records)),
	} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("what is not there gives %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func (s suite) testWrongAcceptedOutcomes(t *testing.T) {
	d := s.open(t, Options{})
	Create(t, d, "https://example.com/")
	for field, n := range map[string]db.NewAccepted{
		"check":      {Check: "no-such-check", URL: "*", Reason: "x"},
		"url":        {Check: "h1", URL: "ftp://example.com/", Reason: "x"},
		"reason":     {Check: "h1", URL: "*", Reason: strings.Repeat("ü", 501)},
		"expires_at": {Check: "h1", URL: "*", Reason: "x", ExpiresAt: time.Now().Add(-time.Second)},
	} {
		_, _, err := d.Accept(t.Context(), "a", "example.com", n)
		refusedField(t, err, field)
	}
	_, _, err := d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "h1", Reason: "x"})
	refusedField(t, err, "url")
	_, _, err = d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "h1", URL: "*"})
	refusedField(t, err, "reason")
	var lines strings.Builder
	for range db.MaxAccepted {
		fmt.Fprintf(&lines, `{"kind":"accepted","account":"a","project":"example.com","check":"h1","url":"/a/*","reason":"x"}`+"\n")
	}
	Import(t, d, "", lines.String())
	_, _, err = d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "h1", URL: "*", Reason: "x"})
	refusedField(t, err, "check")
}

// testAcceptedAlarmsNobody lets pages get worse by what is accepted, and by what is not.
func (s suite) testAcceptedAlarmsNobody(t *testing.T) {
	d := s.open(t, Options{})
	at := time.UnixMilli(1_800_000_000_000).UTC()
	accepted, not := Create(t, d, "https://example.com/1"), Create(t, d, "https://example.com/2")
	for _, r := range []db.Report{accepted, not} {
		Again(t, d, r, Graded(r.URL, 90, at, "document-title passed"), nil)
	}
	if _, _, err := d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "document-title", URL: accepted.URL, Reason: "x"}); err != nil {
		t.Fatal(err)
	}
	hook(t, d, db.NewWebhook{Events: []string{"report.regressed"}})
	for _, r := range []db.Report{accepted, not} {
		Again(t, d, r, Graded(r.URL, 60, at.Add(time.Hour), "document-title failed"), nil)
	}
	due, _ := claimed(t, d, 1)
	if due[0].Event.Report.ID != not.ID {
		t.Errorf("told of %s", due[0].Event.Report.URL)
	}
}

// testJudgingGoesOn closes a store while it judges a large project.
func (s suite) testJudgingGoesOn(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	d, err := s.engine(o)
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&lines, `{"kind":"report","account":"a","url":"https://example.com/%d","result":"good","score":%d}`+"\n", i, 80+i/2999)
	}
	Import(t, d, "", lines.String())
	promise(t, d, "example.com", map[string]int{"min_score": 81})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = s.open(t, o)
	stands(t, d, "example.com", db.BudgetExceeded)
	promise(t, d, "example.com", map[string]int{"min_score": 80})
	stands(t, d, "example.com", db.BudgetKept)
}

// promise gives a project a budget, or takes it away.
func (m *model) promise(t *rapid.T) {
	name := m.any(t).Project.Name
	terms := map[string]int{}
	c := db.ProjectChange{NoBudget: true, Budget: map[string]*int{}}
	for _, term := range []string{"min_score", "max_drop"} {
		if rapid.Bool().Draw(t, term) {
			value := rapid.IntRange(0, 100).Draw(t, "value")
			terms[term], c.Budget[term] = value, &value
		}
	}
	if _, err := m.d.UpdateProject(context.Background(), "a", name, c, nil); err != nil {
		t.Fatalf("a budget for %q: %v", name, err)
	}
	if delete(m.budgets, name); len(terms) > 0 {
		m.budgets[name] = terms
	}
}

// promises holds that each project stands to its budget as its reports do.
func (m *model) promises(t *rapid.T) {
	for name, terms := range m.budgets {
		want := db.BudgetKept
		for id, r := range m.reports {
			if r.Project.Name == name && m.breaks(id, terms) {
				want = db.BudgetExceeded
			}
		}
		stands(t, m.d, name, want)
	}
}

// breaks reports whether a report breaks a budget.
func (m *model) breaks(id uuid.UUID, terms map[string]int) bool {
	scores := slices.DeleteFunc(slices.Clone(m.past[id]), func(score int) bool { return score == failedScore })
	if len(scores) == 0 || scores[len(scores)-1] == db.NoScore {
		return false
	}
	score, before := scores[len(scores)-1], db.NoScore
	if len(scores) > 1 {
		before = scores[len(scores)-2]
	}
	least, hasLeast := terms["min_score"]
	most, hasMost := terms["max_drop"]
	return hasLeast && score < least || hasMost && before != db.NoScore && before-score > most
}
