package dbtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// fataler is what the tests of Go and of rapid have in common.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Check fails on every difference that the check of a store finds, and returns what it counted.
func Check(t fataler, d db.Store) db.CheckResult {
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

// Create stores a public report of url for the account "a".
func Create(t testing.TB, d db.Store, url string) db.Report {
	t.Helper()
	r, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: url})
	if err != nil {
		t.Fatalf("creating %s: %v", url, err)
	}
	return r
}

// JobOf returns the queued job of a report.
func JobOf(t testing.TB, d db.Store, r db.Report) db.Job {
	t.Helper()
	jobs, err := d.Waiting(t.Context(), "a", db.Job{}, 1_000_000)
	jobs = slices.DeleteFunc(jobs, func(j db.Job) bool { return j.ID != r.ID })
	if err != nil || len(jobs) != 1 {
		t.Fatalf("report %s waits %d times (%v), not once", r.ID, len(jobs), err)
	}
	return jobs[0]
}

// claim claims a job and fails where that goes otherwise than wanted.
func claim(t testing.TB, d db.Store, job db.Job, want bool) {
	t.Helper()
	if got, err := d.Claim(t.Context(), job); err != nil || got != want {
		t.Errorf("claiming %s gives %t, %v", job.ID, got, err)
	}
}

// Findings returns what an audit of url may find.
func Findings(url string, result audit.Result, score int, at time.Time) *audit.Report {
	return &audit.Report{
		URL: url, FinalURL: url, HTTPStatus: 200, Redirects: []string{}, Result: result, Score: score, GeneratedAt: at,
		Page: audit.Page{Title: "Title of " + url, ContentHash: fmt.Sprint(len(url))},
	}
}

// Finish ends the queued audit of a report with a result.
func Finish(t testing.TB, d db.Store, r db.Report, result audit.Result) db.Report {
	t.Helper()
	if err := d.FinishReport(t.Context(), JobOf(t, d, r), Findings(r.URL, result, int(result)*30, time.Now()), nil); err != nil {
		t.Fatal(err)
	}
	shown, _, err := d.Report(t.Context(), "a", r.ID)
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

// Query returns the query of the newest ten reports, with a change where that is not nil.
func Query(change func(*sortfilter.Query)) sortfilter.Query {
	q := sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 10, Page: 1}
	if change != nil {
		change(&q)
	}
	return q
}

// URLs returns the urls of a list of the account "a", and fails when its total is another number.
func URLs(t testing.TB, d db.Store, total int, q sortfilter.Query) []string {
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

// FinishAt ends the queued audit of a report with a score, as if it had run at that time.
func FinishAt(t testing.TB, d db.Store, r db.Report, score int, at time.Time) {
	t.Helper()
	if err := d.FinishReport(t.Context(), JobOf(t, d, r), Findings(r.URL, resultFor(score), score, at), nil); err != nil {
		t.Fatal(err)
	}
}

func resultFor(score int) audit.Result {
	switch {
	case score >= 80:
		return audit.Good
	case score >= 50:
		return audit.Decent
	}
	return audit.Bad
}

// password is that of a report that Fill makes.
const password = "open sesame"

// Fill stores something of everything in the account "a".
func Fill(t testing.TB, d db.Store) {
	t.Helper()
	Finish(t, d, Create(t, d, "https://example.com/good"), audit.Good)
	bad := Create(t, d, "https://example.com/failed")
	if err := d.FinishReport(t.Context(), JobOf(t, d, bad), nil, &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."}); err != nil {
		t.Fatal(err)
	}
	Create(t, d, "https://example.org/queued")
	if _, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.net/", Privacy: db.Password, Password: password, Project: "Mine"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.CreateKey(t.Context(), auth.Key{Account: "a", Name: "ci", Hash: auth.HashSecret(auth.NewSecret()), Scopes: auth.Read}); err != nil {
		t.Fatal(err)
	}
	fillTold(t, d, bad)
	fillAccount(t, d)
	promise(t, d, "Mine", map[string]int{"min_score": 90, "max_high": 0})
	promise(t, d, "example.com", map[string]int{"min_score": 100})
	end := time.Date(2999, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, n := range []db.NewAccepted{{Check: "h1", URL: "/shop/*", Reason: "for now", ExpiresAt: end}, {Check: "hsts", URL: "https://example.com/", Reason: "a test"}} {
		if _, _, err := d.Accept(t.Context(), "a", "example.com", n); err != nil {
			t.Fatal(err)
		}
	}
	stands(t, d, "example.com", db.BudgetExceeded)
	FillCrawls(t, d, 3)
}

// fillTold stores webhooks, one of which is being given a new secret, and schedules, one of which is for a report and has run.
func fillTold(t testing.TB, d db.Store, r db.Report) {
	t.Helper()
	for _, n := range []db.NewWebhook{
		{URL: "https://hooks.example/", Events: []string{"report.done", "report.failed"}, Project: "Mine", Secret: "whsec_1"},
		{URL: "mailto:a@example.com", Events: []string{"report.regressed"}, Signature: "v1a", Disabled: true, Secret: "whsk_1"},
	} {
		w, _, err := d.CreateWebhook(t.Context(), "a", n)
		if err != nil {
			t.Fatal(err)
		}
		rotate := db.WebhookChange{Rotate: true, NewSecret: func(db.WebhookSignature) string { return "whsec_2" }}
		if _, err := d.UpdateWebhook(t.Context(), "a", w.ID, rotate, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range []db.NewSchedule{{Project: "Mine", Cron: "0 6 * * mon", Zone: "Europe/Berlin"}, {Report: r.ID.String(), Every: "6h"}} {
		s, _, err := d.CreateSchedule(t.Context(), "a", n)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.UpdateSchedule(t.Context(), "a", s.ID, db.ScheduleChange{Run: n.Report != ""}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := d.RunSchedules(t.Context(), 0, 10); err != nil {
		t.Fatal(err)
	}
}

// Export returns everything of a store as lines.
func Export(t testing.TB, d db.Store) string {
	t.Helper()
	var out bytes.Buffer
	if err := d.Export(t.Context(), "", &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Import stores lines in an account, and checks the store.
func Import(t testing.TB, d db.Store, account, lines string) db.ImportStats {
	t.Helper()
	stats, err := d.Import(t.Context(), account, strings.NewReader(lines), nil)
	if err != nil {
		t.Fatal(err)
	}
	Check(t, d)
	return stats
}

// id returns a UUIDv7 of a moment.
func id(at time.Time) uuid.UUID {
	id := uuid.New()
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16|0x7000)
	return id
}
