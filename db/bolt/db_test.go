package bolt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// open returns a new database in a file of its own. When the test ends it is checked.
func open(t testing.TB) *DB {
	t.Helper()
	d, err := Open(filepath.Join(t.TempDir(), "sitegrade.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		mustCheck(t, d)
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// mustCheck fails on every difference that Check finds.
func mustCheck(t fataler, d *DB) db.CheckResult {
	t.Helper()
	result, err := d.Check(context.Background())
	if err != nil {
		t.Fatalf("check: %v", err)
	}
	if len(result.Differences) > 0 {
		t.Fatalf("check found %d differences:\n%s", len(result.Differences)+result.More, strings.Join(result.Differences, "\n"))
	}
	return result
}

// create stores a public report of url for the account "a".
func create(t testing.TB, d *DB, url string) db.Report {
	t.Helper()
	r, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: url})
	if err != nil {
		t.Fatalf("creating %s: %v", url, err)
	}
	return r
}

// jobOf returns the queued job of a report.
func jobOf(t testing.TB, d *DB, r db.Report) db.Job {
	t.Helper()
	jobs, err := d.Waiting(t.Context(), "a", db.Job{}, 1_000_000)
	jobs = slices.DeleteFunc(jobs, func(j db.Job) bool { return j.ID != r.ID })
	if err != nil || len(jobs) != 1 {
		t.Fatalf("report %s waits %d times (%v), not once", r.ID, len(jobs), err)
	}
	return jobs[0]
}

// claim claims a job and fails where that goes otherwise than wanted.
func claim(t testing.TB, d *DB, job db.Job, want bool) {
	t.Helper()
	if got, err := d.Claim(t.Context(), job); err != nil || got != want {
		t.Errorf("claiming %s gives %t, %v", job.ID, got, err)
	}
}

// foundOf returns what an audit of url may find.
func foundOf(url string, result audit.Result, score int, at time.Time) *audit.Report {
	return &audit.Report{
		URL: url, FinalURL: url, HTTPStatus: 200, Redirects: []string{}, Result: result, Score: score, GeneratedAt: at,
		Page: audit.Page{Title: "Title of " + url, ContentHash: fmt.Sprint(len(url))},
	}
}

// finish ends the queued audit of a report with a result.
func finish(t testing.TB, d *DB, r db.Report, result audit.Result) db.Report {
	t.Helper()
	if err := d.FinishReport(t.Context(), jobOf(t, d, r), foundOf(r.URL, result, int(result)*30, time.Now()), nil); err != nil {
		t.Fatal(err)
	}
	shown, _, err := d.Report(t.Context(), "a", r.ID)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

func query(change func(*sortfilter.Query)) sortfilter.Query {
	q := sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 10, Page: 1}
	if change != nil {
		change(&q)
	}
	return q
}

// urls returns the urls of a list of the account "a", and fails when its total is another number.
func urls(t testing.TB, d *DB, total int, q sortfilter.Query) []string {
	t.Helper()
	page, err := d.Reports(t.Context(), "a", q)
	if err != nil {
		t.Fatal(err)
	}
	if page.Total != total {
		t.Errorf("%+v: total is %d, not %d", q, page.Total, total)
	}
	var urls []string
	for _, r := range page.Rows {
		urls = append(urls, r.URL)
	}
	return urls
}

func TestReportFromCreationToDeletion(t *testing.T) {
	d := open(t)
	created := create(t, d, "https://Example.com/a")
	if created.Status != db.Queued || created.Result != audit.Unrated || created.Score != db.NoScore || created.Project.Name != "example.com" ||
		created.URL != "https://example.com/a" || len(created.Share) != 26 || created.ID.Version() != 7 {
		t.Fatalf("created: %+v", created)
	}
	done := finish(t, d, created, audit.Decent)
	if done.Status != db.Done || done.Result != audit.Decent || done.Score != 60 || done.GeneratedAt.IsZero() || done.Revision <= created.Revision {
		t.Fatalf("done: %+v", done)
	}
	if _, found, err := d.Report(t.Context(), "a", created.ID); err != nil || found.Page.Title != "Title of https://example.com/a" {
		t.Fatalf("found: %+v, %v", found, err)
	}
	mustCheck(t, d)
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

func TestRegenerationKeepsTheResultUntilTheNextOne(t *testing.T) {
	d := open(t)
	first := finish(t, d, create(t, d, "https://example.com/"), audit.Good)
	again, _, err := d.UpdateReport(t.Context(), "a", first.ID, db.Change{Regenerate: true}, nil)
	if err != nil || again.Status != db.Queued || again.Result != audit.Good || !again.GeneratedAt.Equal(first.GeneratedAt) {
		t.Fatalf("queued again: %+v, %v", again, err)
	}
	mustCheck(t, d)
	job := jobOf(t, d, first)
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
	mustCheck(t, d)
	if again, _, err = d.UpdateReport(t.Context(), "a", first.ID, db.Change{Regenerate: true}, nil); err != nil || again.Failure != nil {
		t.Fatalf("queued after a failure: %+v, %v", again, err)
	}
	if last := finish(t, d, first, audit.Bad); last.Result != audit.Bad || last.Failure != nil {
		t.Fatalf("regenerated: %+v", last)
	}
	if p, _ := d.Project(t.Context(), "a", "example.com"); p.Reports != (db.Counts{Total: 1, Bad: 1}) {
		t.Errorf("counts: %+v", p.Reports)
	}
}

func TestReportQueuedAgainWhileItRunsStaysQueued(t *testing.T) {
	d := open(t)
	r := create(t, d, "https://example.com/")
	running := jobOf(t, d, r)
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.FinishReport(t.Context(), running, foundOf(r.URL, audit.Good, 90, time.Now()), nil); err != nil {
		t.Fatal(err)
	}
	if r, _, _ = d.Report(t.Context(), "a", r.ID); r.Status != db.Queued || r.Result != audit.Good {
		t.Fatalf("after the first audit: %+v", r)
	}
	mustCheck(t, d)
	if r = finish(t, d, r, audit.Bad); r.Status != db.Done || r.Result != audit.Bad {
		t.Fatalf("after the second audit: %+v", r)
	}
}

func TestPrivacyAndPassword(t *testing.T) {
	d := open(t)
	r := create(t, d, "https://example.com/")
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

func TestSharedPages(t *testing.T) {
	d := open(t)
	r := create(t, d, "https://example.com/")
	if owner, got, _, err := d.ReportByShare(t.Context(), r.Share); err != nil || owner != "a" || got.ID != r.ID {
		t.Fatalf("by share: %q, %+v, %v", owner, got, err)
	}
	if _, err := d.CreateReport(t.Context(), "b", db.NewReport{URL: "https://example.com/"}); err != nil {
		t.Fatal(err)
	}
	private := db.Private
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Privacy: &private}, nil); err != nil {
		t.Fatal(err)
	}
	for _, share := range []string{r.Share, "", "nonsense", strings.Repeat("A", 22), r.Share + "A"} {
		if _, _, _, err := d.ReportByShare(t.Context(), share); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("share %q: %v", share, err)
		}
		if _, _, err := d.SharedReport(t.Context(), share); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("share %q without what was found: %v", share, err)
		}
	}
}

// TestSharedPagesOfManyAccounts finds the pages of accounts that came after others were looked for, also one whose id is of no form that
// Sitegrade makes.
func TestSharedPagesOfManyAccounts(t *testing.T) {
	d := open(t)
	for i := range 100 {
		account := fmt.Sprint("account ", i)
		line := fmt.Sprintf(`{"kind":"report","account":%q,"url":"https://example.com/","result":"good","id":"%08x-0000-4000-8000-000000000000"}`, account, i)
		if i%2 == 0 {
			line = fmt.Sprintf(`{"kind":"report","account":%q,"url":"https://example.com/","result":"good"}`, account)
		}
		if _, err := d.Import(t.Context(), "", strings.NewReader(line), nil); err != nil {
			t.Fatal(err)
		}
		page, err := d.Reports(t.Context(), account, query(nil))
		if err != nil || len(page.Rows) != 1 {
			t.Fatalf("reports of %s: %+v, %v", account, page, err)
		}
		if owner, got, err := d.SharedReport(t.Context(), page.Rows[0].Share); err != nil || owner != account || got.ID != page.Rows[0].ID {
			t.Fatalf("the page of %s leads to %q, %v", account, owner, err)
		}
	}
}

func TestAccountsDoNotSeeEachOther(t *testing.T) {
	d := open(t)
	r := create(t, d, "https://example.com/")
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
	if got := urls(t, d, 1, query(nil)); len(got) != 1 || got[0] != r.URL {
		t.Errorf("reports of a: %v", got)
	}
}

func TestInvalidCreateNamesEveryField(t *testing.T) {
	d := open(t)
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
	if r := mustCheck(t, d); r.Reports != 0 || r.Projects != 0 {
		t.Errorf("something was stored: %+v", r)
	}
}

func TestWhatItsCheckRefusesStays(t *testing.T) {
	d := open(t)
	r := create(t, d, "https://example.com/")
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
	if got := urls(t, d, 1, query(nil)); len(got) != 1 {
		t.Errorf("reports: %v", got)
	}
}
