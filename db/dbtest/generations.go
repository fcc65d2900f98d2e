package dbtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// Graded returns Findings with outcomes: each is written as "id status", of category seo and severity high.
func Graded(url string, score int, at time.Time, outcomes ...string) *audit.Report {
	found := Findings(url, resultFor(score), score, at)
	found.Grader = audit.GraderVersion
	for _, o := range outcomes {
		id, status, _ := strings.Cut(o, " ")
		found.Checks = append(found.Checks, audit.Outcome{
			ID: id, Category: "seo", Severity: audit.High, Status: audit.Status(status), Title: "Title of " + id, Evidence: []audit.Evidence{},
		})
	}
	found.Summary = audit.Summarise(found.Checks)
	found.Categories = []audit.Category{{ID: "seo", Title: "SEO", Score: &score, Failed: found.Summary.Failed, Passed: found.Summary.Passed}}
	return found
}

// Again queues a report again and ends its audit.
func Again(t testing.TB, d db.Store, r db.Report, found *audit.Report, failure *audit.Failure) {
	t.Helper()
	if status, err := d.Status(t.Context(), "a", r.ID); err != nil {
		t.Fatal(err)
	} else if !status.Unfinished() {
		if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.FinishReport(t.Context(), JobOf(t, d, r), found, failure); err != nil {
		t.Fatal(err)
	}
}

// generationsOf returns all generations of a report of the account "a", the oldest first, read in pages of both directions.
func generationsOf(t fataler, d db.Store, id uuid.UUID) []db.Generation {
	t.Helper()
	var all []db.Generation
	for page := 1; ; page++ {
		got, err := d.Generations(context.Background(), "a", id, sortfilter.Query{PerPage: 25, Page: page, Ascending: true})
		if err != nil {
			t.Fatalf("generations: %v", err)
		}
		all = append(all, got.Rows...)
		if len(got.Rows) < 25 {
			if len(all) != got.Total {
				t.Fatalf("%d generations in pages, not %d", len(all), got.Total)
			}
			break
		}
	}
	for i, g := range all {
		if g.Number != i+1 {
			t.Fatalf("generation %d has the number %d", i+1, g.Number)
		}
	}
	for page := 1; page <= 1+len(all)/10; page++ {
		got, err := d.Generations(context.Background(), "a", id, sortfilter.Query{PerPage: 10, Page: page})
		if err != nil || got.Total != len(all) {
			t.Fatalf("page %d has %d in all: %v", page, got.Total, err)
		}
		for i, g := range got.Rows {
			if want := len(all) - (page-1)*10 - i; g.Number != want {
				t.Fatalf("row %d of page %d is %d, not %d", i, page, g.Number, want)
			}
		}
	}
	return all
}

// testGenerations audits a report many times, and looks at each generation.
func (s suite) testGenerations(t *testing.T) {
	d := s.open(t, Options{KeepFindings: 3})
	r := Create(t, d, "https://example.com/")
	if got := generationsOf(t, d, r.ID); len(got) != 0 {
		t.Fatalf("before the first audit there are %v", got)
	}
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(n int) time.Time { return start.Add(time.Duration(n) * time.Hour) }
	for n := 1; n <= 60; n++ {
		if n%7 == 3 {
			Again(t, d, r, nil, &audit.Failure{Code: audit.CodeDNS, Detail: fmt.Sprintf("Failure %d.", n)})
		} else {
			Again(t, d, r, Graded(r.URL, n, at(n), "h1 failed", "title "+string([]audit.Status{audit.Passed, audit.Failed}[n%2])), nil)
		}
		all := generationsOf(t, d, r.ID)
		if len(all) != n {
			t.Fatalf("after %d audits there are %d generations", n, len(all))
		}
		if n == 1 || n == 4 || n == 60 {
			for _, g := range all {
				holdsGeneration(t, g, at)
			}
		}
	}
	for n := 1; n <= 60; n++ {
		g, shown, found, err := d.Generation(t.Context(), "a", r.ID, n)
		if err != nil || shown.ID != r.ID {
			t.Fatalf("generation %d of %+v: %v", n, shown, err)
		}
		holdsGeneration(t, g, at)
		if whole := found != nil; whole != (n > 57 && g.Failure == nil) || whole && (found.Score != n || found.Checks[0].Title != "Title of h1") {
			t.Errorf("the findings of generation %d are %+v", n, found)
		}
	}
	for _, n := range []int{-1, 0, 61, 1 << 40} {
		if _, _, _, err := d.Generation(t.Context(), "a", r.ID, n); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("generation %d: %v", n, err)
		}
	}
	Create(t, d, "https://example.com/") // the account b exists as little as its report
	if _, err := d.Generations(t.Context(), "b", r.ID, Query(nil)); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
}

// holdsGeneration compares a generation with what testGenerations made.
func holdsGeneration(t *testing.T, g db.Generation, at func(int) time.Time) {
	t.Helper()
	n := g.Number
	if n%7 == 3 {
		if g.Failure == nil || g.Failure.Detail != fmt.Sprintf("Failure %d.", n) || g.Score != db.NoScore || g.Status() != db.Failed || g.GeneratedAt.IsZero() {
			t.Errorf("generation %d is %+v", n, g)
		}
		return
	}
	if g.Failure != nil || g.Score != n || g.Result != resultFor(n) || !g.GeneratedAt.Equal(at(n)) || g.HTTPStatus != 200 || g.Grader != audit.GraderVersion ||
		len(g.Outcomes) != 2 || len(g.Categories) != 1 || *g.Categories[0].Score != n || g.Summary().Failed != 1+n%2 || g.Summary().High != 1+n%2 {
		t.Errorf("generation %d is %+v", n, g)
	}
}

// testDiff compares generations of a report.
func (s suite) testDiff(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	wrong := func(from, to int, field string) {
		t.Helper()
		var invalid *db.InvalidError
		if _, err := d.Diff(t.Context(), "a", r.ID, from, to); !errors.As(err, &invalid) || invalid.Fields[0].Field != field {
			t.Errorf("%d to %d gives %v", from, to, err)
		}
	}
	wrong(0, 0, "from")
	at := time.Now()
	Again(t, d, r, Graded(r.URL, 50, at, "a failed", "b passed", "c failed", "d passed"), nil)
	wrong(0, 0, "from")
	Again(t, d, r, nil, &audit.Failure{Code: audit.CodeDNS})
	wrong(0, 0, "from")
	Again(t, d, r, Graded(r.URL, 60, at, "a passed", "b failed", "c failed", "d passed"), nil)
	Again(t, d, r, Graded(r.URL, 70, at, "a failed", "b failed", "c passed", "d failed"), nil)
	Again(t, d, r, nil, &audit.Failure{Code: audit.CodeDNS})
	for _, c := range []struct {
		from, to, wantFrom, wantTo int
		want                       string
	}{
		{0, 0, 3, 4, "10 -d +c ~a =b"},
		{3, 0, 3, 4, "10 -d +c ~a =b"},
		{0, 3, 1, 3, "10 -b +a =c"},
		{1, 4, 1, 4, "20 -b -d +c =a"},
		{1, 2, 1, 2, "?a ?b ?c ?d"},
		{4, 5, 4, 5, "?a ?b ?c ?d"},
		{2, 5, 2, 5, ""},
	} {
		diff, err := d.Diff(t.Context(), "a", r.ID, c.from, c.to)
		if got := written(diff); err != nil || diff.From != c.wantFrom || diff.To != c.wantTo || got != c.want {
			t.Errorf("%d to %d is %d to %d: %q, not %q (%v)", c.from, c.to, diff.From, diff.To, got, c.want, err)
		}
	}
	wrong(4, 3, "from")
	wrong(3, 3, "from")
	wrong(6, 0, "from")
	wrong(1, 6, "to")
	wrong(0, 1, "from")
	wrong(-1, 4, "from")
	if _, err := d.Diff(t.Context(), "b", r.ID, 1, 2); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
}

// written returns a diff in short.
func written(d db.Diff) string {
	var parts []string
	if d.Delta != nil {
		parts = append(parts, fmt.Sprint(*d.Delta))
	}
	for _, class := range []struct {
		sign    string
		entries []db.Entry
	}{{"-", d.Regressed}, {"+", d.Fixed}, {"~", d.Returned}, {"=", d.Still}, {"?", d.NotComparable}} {
		for _, e := range class.entries {
			parts = append(parts, class.sign+e.ID)
		}
	}
	return strings.Join(parts, " ")
}

// testGenerationsOfImports has reports whose first generation came with an import.
func (s suite) testGenerationsOfImports(t *testing.T) {
	d := s.open(t, Options{})
	Import(t, d, "", `{"kind":"report","account":"a","url":"https://example.com/","result":"decent","score":60,"generated_at":"2020-01-02T03:04:05Z","grader_version":1,"checks":[{"id":"h1","category":"seo","severity":"high","status":"failed"}]}
{"kind":"report","account":"a","url":"https://example.org/","result":"good","generated_at":"2020-01-02T03:04:05Z"}`)
	page, err := d.Reports(t.Context(), "a", Query(nil))
	if err != nil || len(page.Rows) != 2 {
		t.Fatal(page, err)
	}
	for _, r := range page.Rows {
		imported := generationsOf(t, d, r.ID)
		if len(imported) != 1 || imported[0].Score != r.Score || imported[0].Result != r.Result || !imported[0].GeneratedAt.Equal(r.GeneratedAt) {
			t.Fatalf("%s was imported with %+v", r.URL, imported)
		}
		Again(t, d, r, nil, &audit.Failure{Code: audit.CodeDNS})
		Again(t, d, r, Graded(r.URL, 90, time.Now(), "h1 passed"), nil)
		all := generationsOf(t, d, r.ID)
		if len(all) != 3 || fmt.Sprintf("%+v", all[0].Outcomes) != fmt.Sprintf("%+v", imported[0].Outcomes) || all[0].Score != r.Score || all[1].Failure == nil || all[2].Score != 90 {
			t.Errorf("%s has %+v", r.URL, all)
		}
	}
	if got, err := d.Diff(t.Context(), "a", page.Rows[1].ID, 0, 0); err != nil || written(got) != "30 ?h1" || got.NotComparable[0].Reason != db.OtherGrader {
		t.Errorf("the diff is %q, %v", written(got), err)
	}
}

// testGenerationsMove exports reports with many generations and imports them elsewhere.
func (s suite) testGenerationsMove(t *testing.T) {
	from, to := s.open(t, Options{KeepFindings: 3}), s.open(t, Options{KeepFindings: 3})
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var moved []db.Report
	for i, audits := range []int{0, 1, 2, 30} {
		r := Create(t, from, fmt.Sprintf("https://example.com/%d", i))
		moved = append(moved, r)
		for n := 1; n <= audits; n++ {
			Again(t, from, r, Graded(r.URL, n, at.Add(time.Duration(n)*time.Minute), "h1 failed", fmt.Sprintf("check-%d passed", n/10)), nil)
			if n%5 == 0 {
				Again(t, from, r, nil, &audit.Failure{Code: audit.CodeTimeout, Detail: "Too slow."})
			}
		}
	}
	failed := Create(t, from, "https://example.com/failed")
	Again(t, from, failed, nil, &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."})
	moved = append(moved, failed)

	lines := Export(t, from)
	if stats := Import(t, to, "", lines); stats.Imported != strings.Count(lines, "\n") || stats.Skipped != 0 {
		t.Errorf("import: %+v of %d lines", stats, strings.Count(lines, "\n"))
	}
	if again := Export(t, to); again != lines {
		t.Errorf("the export of the import is\n%s\nnot\n%s", again, lines)
	}
	if stats := Import(t, to, "", lines); stats.Imported != 0 {
		t.Errorf("the second import: %+v", stats)
	}
	for _, r := range moved {
		want, got := generationsOf(t, from, r.ID), generationsOf(t, to, r.ID)
		for i := range want {
			_, _, wantFound, _ := from.Generation(t.Context(), "a", r.ID, i+1)
			_, _, gotFound, err := to.Generation(t.Context(), "a", r.ID, i+1)
			if err != nil || len(got) != len(want) || fmt.Sprintf("%+v", want[i].Outcomes) != fmt.Sprintf("%+v", got[i].Outcomes) || (wantFound == nil) != (gotFound == nil) {
				t.Fatalf("generation %d of %s is %+v with %v, not %+v with %v: %v", i+1, r.URL, got[i], gotFound, want[i], wantFound, err)
			}
		}
	}
	again := moved[3]
	Again(t, to, again, Graded(again.URL, 99, at.Add(time.Hour), "h1 passed"), nil)
	if got := generationsOf(t, to, again.ID); len(got) != 37 || got[36].Score != 99 {
		t.Errorf("the next audit of what was moved is number %d", len(got))
	}
}

// testGenerationsAreImportedInOrder has lines of generations that cannot be stored.
func (s suite) testGenerationsAreImportedInOrder(t *testing.T) {
	const report = `{"kind":"report","account":"a","id":"019b7e5a-3c00-7000-8000-000000000001","url":"https://example.com/","result":"good","score":90,"generated_at":"2026-01-02T03:04:05Z"}` + "\n"
	const generation = `{"kind":"generation","account":"a","id":"019b7e5a-3c00-7000-8000-000000000001",`
	for line, want := range map[string]string{
		generation + `"number":2,"result":"bad","score":9,"generated_at":"2025-01-02T03:04:05Z"}`:                                                         "number: ",
		generation + `"number":0,"result":"bad","score":9,"generated_at":"2025-01-02T03:04:05Z"}`:                                                         "number: ",
		generation + `"number":1,"score":9,"generated_at":"2025-01-02T03:04:05Z"}`:                                                                        "result: ",
		generation + `"number":1,"result":"bad","score":9}`:                                                                                               "generated_at: ",
		generation + `"number":1,"result":"bad","score":9,"generated_at":"2025-01-02T03:04:05Z","outcomes":["h1"]}`:                                       "outcomes: ",
		generation + `"number":1,"result":"bad","score":9,"generated_at":"2025-01-02T03:04:05Z","outcomes":["seo h1 high lost"]}`:                         "outcomes: ",
		`{"kind":"generation","account":"a","number":1,"result":"bad","generated_at":"2025-01-02T03:04:05Z"}`:                                             "id: ",
		`{"kind":"generation","account":"a","id":"019b7e5a-3c00-7000-8000-000000000009","number":1,"result":"bad","generated_at":"2025-01-02T03:04:05Z"}`: "id: ",
	} {
		d := s.open(t, Options{})
		if _, err := d.Import(t.Context(), "", strings.NewReader(report+line+"\n"), nil); err == nil || !strings.Contains(err.Error(), "line") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	d := s.open(t, Options{})
	Import(t, d, "", report+generation+`"number":1,"result":"bad","score":9,"generated_at":"2025-01-02T03:04:05Z"}`+"\n")
	got := generationsOf(t, d, uuid.MustParse("019b7e5a-3c00-7000-8000-000000000001"))
	if len(got) != 2 || got[0].Score != 9 || got[1].Score != 90 {
		t.Errorf("a report with one earlier generation has %+v", got)
	}
}

// testGenerationsGoWithTheirReport deletes reports in every way, and looks at what an export still has.
func (s suite) testGenerationsGoWithTheirReport(t *testing.T) {
	now := time.Now().Add(-100 * 24 * time.Hour)
	d := s.open(t, Options{Now: func() time.Time { return now }, KeepReports: 1})
	audited := func(url string) db.Report {
		r := Create(t, d, url)
		for n := range 3 {
			Again(t, d, r, Graded(r.URL, 50+n, now, "h1 failed"), nil)
		}
		return r
	}
	deleted, surplus, old := audited("https://example.com/deleted"), audited("https://example.com/twice"), audited("https://example.net/old")
	audited("https://example.org/project")
	now = now.Add(99 * 24 * time.Hour)
	audited("https://example.com/twice")
	if err := d.DeleteReport(t.Context(), "a", deleted.ID, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.org", nil); err != nil {
		t.Fatal(err)
	}
	if n, err := d.DeleteOlder(t.Context(), now.Add(-24*time.Hour)); err != nil || n != 1 {
		t.Errorf("removed %d old reports, %v", n, err)
	}
	for _, r := range []db.Report{deleted, surplus, old} {
		if _, err := d.Generations(t.Context(), "a", r.ID, Query(nil)); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("the generations of %s: %v", r.URL, err)
		}
	}
	var lines bytes.Buffer
	if err := d.Export(t.Context(), "", &lines); err != nil || strings.Count(lines.String(), `"kind":"generation"`) != 3 {
		t.Errorf("the export still has\n%s%v", lines.String(), err)
	}
}

// testAuditThatEndsAfterTheDeletion leaves nothing behind.
func (s suite) testAuditThatEndsAfterTheDeletion(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	Again(t, d, r, Graded(r.URL, 50, time.Now(), "h1 failed"), nil)
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	job := JobOf(t, d, r)
	if err := d.DeleteReport(t.Context(), "a", r.ID, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.FinishReport(t.Context(), job, Graded(r.URL, 60, time.Now()), nil); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("an audit that ends then gives %v", err)
	}
	Check(t, d)
}
