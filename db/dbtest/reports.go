package dbtest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
)

func (s suite) testReportFromCreationToDeletion(t *testing.T) {
	d := s.open(t, Options{})
	created := Create(t, d, "https://Example.com/a")
	if created.Status != db.Queued || created.Result != audit.Unrated || created.Score != db.NoScore || created.Project.Name != "example.com" ||
		created.URL != "https://example.com/a" || len(created.Share) != 26 || created.ID.Version() != 7 {
		t.Fatalf("created: %+v", created)
	}
	done := Finish(t, d, created, audit.Decent)
	if done.Status != db.Done || done.Result != audit.Decent || done.Score != 60 || done.GeneratedAt.IsZero() || done.Revision <= created.Revision {
		t.Fatalf("done: %+v", done)
	}
	if _, found, err := d.Report(t.Context(), "a", created.ID); err != nil || found.Page.Title != "Title of https://example.com/a" {
		t.Fatalf("found: %+v, %v", found, err)
	}
	Check(t, d)
	if err := d.DeleteReport(t.Context(), "a", created.ID, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Report(t.Context(), "a", created.ID); !errors.Is(err, db.ErrNotFound) {
		t.Fatalf("a deleted report gives %v", err)
	}
	if p, err := d.Project(t.Context(), "a", "EXAMPLE.com"); err != nil || p.Reports.Total != 0 {
		t.Fatalf("the project of a deleted report: %+v, %v", p, err)
	}
}

func (s suite) testRegenerationKeepsTheResultUntilTheNextOne(t *testing.T) {
	d := s.open(t, Options{})
	first := Finish(t, d, Create(t, d, "https://example.com/"), audit.Good)
	again, _, err := d.UpdateReport(t.Context(), "a", first.ID, db.Change{Regenerate: true}, nil)
	if err != nil || again.Status != db.Queued || again.Result != audit.Good || !again.GeneratedAt.Equal(first.GeneratedAt) {
		t.Fatalf("queued again: %+v, %v", again, err)
	}
	Check(t, d)
	job := JobOf(t, d, first)
	claim(t, d, job, true)
	claim(t, d, job, false)
	if r, _, _ := d.Report(t.Context(), "a", first.ID); r.Status != db.Running {
		t.Errorf("a running audit shows as %s", r.Status)
	}
	if err := d.Release(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	if status, err := d.Status(t.Context(), "a", first.ID); err != nil || status != db.Queued {
		t.Errorf("a released report is %s, %v", status, err)
	}
	if err := d.FinishReport(t.Context(), job, nil, &audit.Failure{Code: audit.CodeTimeout, Detail: "It took too long."}); err != nil {
		t.Fatal(err)
	}
	failed, found, err := d.Report(t.Context(), "a", first.ID)
	if err != nil || failed.Status != db.Failed || failed.Failure.Code != audit.CodeTimeout || failed.Result != audit.Good || found == nil || !failed.GeneratedAt.Equal(first.GeneratedAt) {
		t.Fatalf("after a failure: %+v, %v", failed, err)
	}
	claim(t, d, job, false)
	Check(t, d)
	if again, _, err = d.UpdateReport(t.Context(), "a", first.ID, db.Change{Regenerate: true}, nil); err != nil || again.Failure != nil {
		t.Fatalf("queued after a failure: %+v, %v", again, err)
	}
	if last := Finish(t, d, first, audit.Bad); last.Result != audit.Bad || last.Failure != nil {
		t.Fatalf("regenerated: %+v", last)
	}
	if p, _ := d.Project(t.Context(), "a", "example.com"); p.Reports != (db.Counts{Total: 1, Bad: 1}) {
		t.Errorf("counts: %+v", p.Reports)
	}
}

func (s suite) testReportQueuedAgainWhileItRunsStaysQueued(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	running := JobOf(t, d, r)
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.FinishReport(t.Context(), running, Findings(r.URL, audit.Good, 90, time.Now()), nil); err != nil {
		t.Fatal(err)
	}
	if r, _, _ = d.Report(t.Context(), "a", r.ID); r.Status != db.Queued || r.Result != audit.Good {
		t.Fatalf("after the first audit: %+v", r)
	}
	Check(t, d)
	if r = Finish(t, d, r, audit.Bad); r.Status != db.Done || r.Result != audit.Bad {
		t.Fatalf("after the second audit: %+v", r)
	}
}

func (s suite) testPrivacyAndPassword(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	public, private, password := db.Public, db.Private, db.Password
	secret, other := "secret", "other"
	steps := []struct {
		name   string
		change db.Change
		field  string // that is wrong
		want   db.Privacy
	}{
		{"password without one", db.Change{Privacy: &password}, "password", db.Public},
		{"a password for a public one", db.Change{Password: &secret}, "password", db.Public},
		{"password with one", db.Change{Privacy: &password, Password: &secret}, "", db.Password},
		{"the same again without one", db.Change{Privacy: &password}, "", db.Password},
		{"another password", db.Change{Password: &other}, "", db.Password},
		{"private with a password", db.Change{Privacy: &private, Password: &other}, "password", db.Password},
		{"private", db.Change{Privacy: &private}, "", db.Private},
		{"password was forgotten", db.Change{Privacy: &password}, "password", db.Private},
		{"public", db.Change{Privacy: &public}, "", db.Public},
	}
	for _, step := range steps {
		_, _, err := d.UpdateReport(t.Context(), "a", r.ID, step.change, nil)
		var wrong *db.InvalidError
		if errors.As(err, &wrong) != (step.field != "") || wrong != nil && wrong.Fields[0].Field != step.field {
			t.Errorf("%s: %v", step.name, err)
		}
		got, _, _ := d.Report(t.Context(), "a", r.ID)
		if got.Privacy != step.want || (got.PasswordHash != "") != (step.want == db.Password) || (got.Share == "") != (step.want == db.Private) {
			t.Errorf("%s: then it is %+v", step.name, got)
		}
	}
}

func (s suite) testAccountsDoNotSeeEachOther(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	if _, err := d.CreateReport(t.Context(), "b", db.NewReport{URL: "https://example.org/"}); err != nil {
		t.Fatal(err)
	}
	_, _, err := d.Report(t.Context(), "b", r.ID)
	_, _, updateErr := d.UpdateReport(t.Context(), "b", r.ID, db.Change{Regenerate: true}, nil)
	_, projectErr := d.Project(t.Context(), "b", r.Project.ID.String())
	for _, err := range []error{err, updateErr, projectErr, d.DeleteReport(t.Context(), "b", r.ID, nil), d.DeleteProject(t.Context(), "b", "example.com", nil)} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("another account's thing gives %v", err)
		}
	}
	if got := URLs(t, d, 1, Query(nil)); len(got) != 1 || got[0] != r.URL {
		t.Errorf("reports of a: %v", got)
	}
}

func (s suite) testInvalidCreateNamesEveryField(t *testing.T) {
	d := s.open(t, Options{})
	_, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "ftp://x", Privacy: 3, Project: "a/b"})
	var wrong *db.InvalidError
	if !errors.As(err, &wrong) {
		t.Fatalf("got %v", err)
	}
	var fields []string
	for _, f := range wrong.Fields {
		fields = append(fields, f.Field)
	}
	if got := strings.Join(fields, " "); got != "url privacy project" {
		t.Errorf("wrong fields: %s", got)
	}
	if r := Check(t, d); r.Reports != 0 || r.Projects != 0 {
		t.Errorf("something was stored: %+v", r)
	}
}

func (s suite) testWhatItsCheckRefusesStays(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	refuse := errors.New("no")
	if err := d.DeleteReport(t.Context(), "a", r.ID, func(db.Report) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("delete: %v", err)
	}
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, func(db.Report) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("update: %v", err)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.com", func(db.Project) error { return refuse }); !errors.Is(err, refuse) {
		t.Errorf("delete project: %v", err)
	}
	if got := URLs(t, d, 1, Query(nil)); len(got) != 1 {
		t.Errorf("reports: %v", got)
	}
}
