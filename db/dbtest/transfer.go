package dbtest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (s suite) testExportMovesEverything(t *testing.T) {
	from, to := s.open(t, Options{}), s.open(t, Options{})
	Fill(t, from)
	lines := Export(t, from)
	if strings.Contains(lines, password) {
		t.Error("a password is in the export")
	}
	kinds := []string{
		"account", "key", "project", "report", "webhook", "schedule", "accepted", "form", "crawl", "crawl_page", "crawl_link", "crawl_folder", "crawl_issue",
	}
	for _, kind := range kinds {
		if !strings.Contains(lines, `{"kind":"`+kind+`",`) {
			t.Errorf("the export has no %s", kind)
		}
	}
	if stats := Import(t, to, "", lines); stats.Imported != strings.Count(lines, "\n") || stats.Skipped != 0 {
		t.Errorf("import: %+v of %d lines", stats, strings.Count(lines, "\n"))
	}
	if again := Export(t, to); again != lines {
		t.Errorf("the export of the import is\n%s\nnot\n%s", again, lines)
	}
	if stats := Import(t, to, "", lines); stats.Imported != 0 {
		t.Errorf("the second import: %+v", stats)
	}
	sent, err := from.Webhooks(t.Context(), "a", records)
	if err != nil {
		t.Fatal(err)
	}
	if moved, err := to.Webhook(t.Context(), "a", sent.Rows[0].ID); err != nil || !slices.Equal(moved.Secrets, sent.Rows[0].Secrets) || len(moved.Secrets) != 2 {
		t.Errorf("the webhook %+v moves as %+v, %v", sent.Rows[0], moved, err)
	}
	if stats, err := to.ScheduleStats(t.Context(), 0); err != nil || stats.Late != 0 {
		t.Errorf("schedules that moved are late: %+v, %v", stats, err)
	}
	got, err := from.Reports(t.Context(), "a", Query(nil))
	if err != nil {
		t.Fatal(err)
	}
	if owner, _, _, err := to.ReportByShare(t.Context(), got.Rows[1].Share); err != nil || owner != "a" {
		t.Errorf("a shared page does not move: %q, %v", owner, err)
	}
}

func (s suite) testImportIntoAnotherAccount(t *testing.T) {
	d := s.open(t, Options{})
	Fill(t, d)
	lines := Export(t, d)
	Import(t, d, "b", lines)
	page, err := d.Reports(t.Context(), "b", Query(nil))
	if err != nil || page.Total != 4 {
		t.Fatalf("account b has %d reports, %v", page.Total, err)
	}
	if _, _, err := d.UpdateReport(t.Context(), "b", page.Rows[0].ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	if owner, _, _, err := d.ReportByShare(t.Context(), page.Rows[3].Share); err != nil || owner != "b" {
		t.Errorf("the share of b leads to %q, %v", owner, err)
	}
}

func (s suite) testImportFillsInWhatIsMissing(t *testing.T) {
	d := s.open(t, Options{})
	Import(t, d, "", `
{"kind":"report","account":"a","url":"https://example.com/queued"}
{"kind":"report","account":"a","url":"https://example.com/done","result":"good","created_at":"2020-01-02T03:04:05Z"}

{"kind":"report","account":"a","url":"https://example.com/failed","status":"failed","error":{"code":"dns","detail":"No."}}
`)
	got := URLs(t, d, 3, Query(func(q *sortfilter.Query) { q.SortBy, q.Ascending = sortfilter.ByGenerated, true }))
	if want := "https://example.com/queued https://example.com/failed https://example.com/done"; strings.Join(got, " ") != want {
		t.Errorf("by generated_at: %v", got)
	}
	page, _ := d.Reports(t.Context(), "a", Query(func(q *sortfilter.Query) { q.Search = "done" }))
	want := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if r := page.Rows[0]; r.Status != db.Done || r.Score != db.NoScore || !r.GeneratedAt.Equal(want) || !r.CreatedAt.Equal(want) || r.ID.Time() != id(want).Time() {
		t.Errorf("imported: %+v", r)
	}
	if jobs, _ := d.Waiting(t.Context(), "a", db.Job{}, 10); len(jobs) != 1 || jobs[0].URL != "https://example.com/queued" {
		t.Errorf("queued: %v", jobs)
	}
}

func (s suite) testImportNamesTheBadLine(t *testing.T) {
	good := `{"kind":"report","url":"https://example.com/"}` + "\n"
	for line, want := range map[string]string{
		`{`:                         "not a JSON object",
		`[]`:                        "not a JSON object",
		`{"kind":"thing"}`:          "kind: must be",
		`{"kind":"report"}`:         "url: ",
		`{"kind":"report","url":1}`: "url",
		`{"kind":"report","url":"https://example.com/","id":"x"}`:                                                "id: ",
		`{"kind":"report","url":"https://example.com/","score":5}`:                                               "score: needs",
		`{"kind":"report","url":"https://example.com/","result":"good","score":101}`:                             "score: must",
		`{"kind":"report","url":"https://example.com/","result":"fine"}`:                                         "result",
		`{"kind":"report","url":"https://example.com/","status":"done"}`:                                         "result: is required",
		`{"kind":"report","url":"https://example.com/","status":"lost"}`:                                         "status: must",
		`{"kind":"report","url":"https://example.com/","privacy":2}`:                                             "password_hash: ",
		`{"kind":"report","url":"https://example.com/","privacy":7}`:                                             "privacy: ",
		`{"kind":"report","url":"https://example.com/","generated_at":"2020-01-01T00:00:00Z"}`:                   "generated_at: needs",
		`{"kind":"report","url":"https://example.com/","created_at":"yesterday"}`:                                "parsing time",
		`{"kind":"report","url":"https://example.com/","project":"a/b"}`:                                         "project: must not",
		`{"kind":"project","name":""}`:                                                                           "name: ",
		`{"kind":"key","scopes":"read"}`:                                                                         "hash: is required",
		`{"kind":"webhook","url":"https://a.example/","events":["report.done"]}`:                                 "secrets: ",
		`{"kind":"webhook","url":"https://a.example/","events":["report.eaten"],"secrets":[{"text":"whsec_x"}]}`: "events: ",
		`{"kind":"webhook","url":"https://a.example/","events":["report.done"],"secrets":[{"text":"x"}]}`:        "secrets: ",
		`{"kind":"schedule","cron":"@daily"}`:                                                                    "project: ",
		`{"kind":"schedule","project":"a","cron":"@never"}`:                                                      "cron: ",
		`{"kind":"account","lang":"tlh"}`:                                                                        "lang: ",
		`{"kind":"account","logo":{"type":"text/html","data":"PGE+"}}`:                                           "logo: ",
		`{"kind":"form","project":"a"}`:                                                                          "name: ",
		`{"kind":"account","account":"a","share_key":"12"}`:                                                      "share_key: ",
		`{"kind":"report","account":"` + strings.Repeat("x", 101) + `","url":"https://example.com/"}`:            "account: must",
	} {
		d := s.open(t, Options{})
		stats, err := d.Import(t.Context(), "", strings.NewReader(good+line+"\n"), nil)
		if err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
		if result := Check(t, d); stats.Imported != 0 || result.Reports != 0 {
			t.Errorf("%s: a part of the batch was stored", line)
		}
	}
}

func (s suite) testImportedSchedulesNeedTheirReports(t *testing.T) {
	d := s.open(t, Options{})
	line := `{"kind":"schedule","report":"019b7e5a-3c00-7000-8000-000000000001","cron":"@daily"}`
	if _, err := d.Import(t.Context(), "a", strings.NewReader(line), nil); err == nil || !strings.Contains(err.Error(), "report: the line of the report") {
		t.Errorf("without its report the import of a schedule gives %v", err)
	}
	Import(t, d, "a", `{"kind":"report","id":"019b7e5a-3c00-7000-8000-000000000001","url":"https://example.com/"}`+"\n"+line)
	if page, err := d.Schedules(t.Context(), "a", records); err != nil || page.Total != 1 || page.Rows[0].Project.Name != "example.com" || page.Rows[0].NextRun.IsZero() {
		t.Errorf("imported are %+v, %v", page, err)
	}
}
