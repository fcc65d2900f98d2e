package bolt

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// filled returns a database with something of everything in the account "a".
func filled(t *testing.T) *DB {
	t.Helper()
	d := open(t)
	finish(t, d, create(t, d, "https://example.com/good"), audit.Good)
	bad := create(t, d, "https://example.com/failed")
	if err := d.FinishReport(t.Context(), jobOf(t, d, bad), nil, &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."}); err != nil {
		t.Fatal(err)
	}
	create(t, d, "https://example.org/queued")
	if _, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.net/", Privacy: db.Password, Password: "secret", Project: "Mine"}); err != nil {
		t.Fatal(err)
	}
	if _, err := d.CreateKey(t.Context(), auth.Key{Account: "a", Name: "ci", Hash: auth.HashSecret(auth.NewSecret()), Scopes: auth.Read}); err != nil {
		t.Fatal(err)
	}
	return d
}

func export(t *testing.T, d *DB) string {
	t.Helper()
	var out bytes.Buffer
	if err := d.Export(t.Context(), "", &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func importAll(t *testing.T, d *DB, account, lines string) db.ImportStats {
	t.Helper()
	stats, err := d.Import(t.Context(), account, strings.NewReader(lines), nil)
	if err != nil {
		t.Fatal(err)
	}
	mustCheck(t, d)
	return stats
}

func TestExportMovesEverything(t *testing.T) {
	from, to := filled(t), open(t)
	lines := export(t, from)
	if strings.Contains(lines, "secret") {
		t.Error("a password is in the export")
	}
	if stats := importAll(t, to, "", lines); stats.Imported != strings.Count(lines, "\n") || stats.Skipped != 0 {
		t.Errorf("import: %+v of %d lines", stats, strings.Count(lines, "\n"))
	}
	if again := export(t, to); again != lines {
		t.Errorf("the export of the import is\n%s\nnot\n%s", again, lines)
	}
	if stats := importAll(t, to, "", lines); stats.Imported != 0 {
		t.Errorf("the second import: %+v", stats)
	}
	got, err := from.Reports(t.Context(), "a", query(nil))
	if err != nil {
		t.Fatal(err)
	}
	if owner, _, _, err := to.ReportByShare(t.Context(), got.Rows[1].Share); err != nil || owner != "a" {
		t.Errorf("a shared page does not move: %q, %v", owner, err)
	}
}

func TestImportIntoAnotherAccount(t *testing.T) {
	d := filled(t)
	lines := export(t, d)
	importAll(t, d, "b", lines)
	page, err := d.Reports(t.Context(), "b", query(nil))
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

func TestImportFillsInWhatIsMissing(t *testing.T) {
	d := open(t)
	importAll(t, d, "", `
{"kind":"report","account":"a","url":"https://example.com/queued"}
{"kind":"report","account":"a","url":"https://example.com/done","result":"good","created_at":"2020-01-02T03:04:05Z"}

{"kind":"report","account":"a","url":"https://example.com/failed","status":"failed","error":{"code":"dns","detail":"No."}}
`)
	got := urls(t, d, 3, query(func(q *sortfilter.Query) { q.SortBy, q.Ascending = sortfilter.ByGenerated, true }))
	if want := "https://example.com/queued https://example.com/failed https://example.com/done"; strings.Join(got, " ") != want {
		t.Errorf("by generated_at: %v", got)
	}
	page, _ := d.Reports(t.Context(), "a", query(func(q *sortfilter.Query) { q.Search = "done" }))
	want := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	if r := page.Rows[0]; r.Status != db.Done || r.Score != db.NoScore || !r.GeneratedAt.Equal(want) || !r.CreatedAt.Equal(want) || idTime(r.ID) != want.UnixMilli() {
		t.Errorf("imported: %+v", r)
	}
	if jobs, _ := d.Waiting(t.Context(), "a", db.Job{}, 10); len(jobs) != 1 || jobs[0].URL != "https://example.com/queued" {
		t.Errorf("queued: %v", jobs)
	}
}

func TestImportNamesTheBadLine(t *testing.T) {
	good := `{"kind":"report","url":"https://example.com/"}` + "\n"
	for line, want := range map[string]string{
		`{`:                         "not a JSON object",
		`[]`:                        "not a JSON object",
		`{"kind":"thing"}`:          "kind: must be",
		`{"kind":"report"}`:         "url: ",
		`{"kind":"report","url":1}`: "url",
		`{"kind":"report","url":"https://example.com/","id":"x"}`:                                     "id: ",
		`{"kind":"report","url":"https://example.com/","score":5}`:                                    "score: needs",
		`{"kind":"report","url":"https://example.com/","result":"good","score":101}`:                  "score: must",
		`{"kind":"report","url":"https://example.com/","result":"fine"}`:                              "result",
		`{"kind":"report","url":"https://example.com/","status":"done"}`:                              "result: is required",
		`{"kind":"report","url":"https://example.com/","status":"lost"}`:                              "status: must",
		`{"kind":"report","url":"https://example.com/","privacy":2}`:                                  "password_hash: ",
		`{"kind":"report","url":"https://example.com/","privacy":7}`:                                  "privacy: ",
		`{"kind":"report","url":"https://example.com/","generated_at":"2020-01-01T00:00:00Z"}`:        "generated_at: needs",
		`{"kind":"report","url":"https://example.com/","created_at":"yesterday"}`:                     "parsing time",
		`{"kind":"report","url":"https://example.com/","project":"a/b"}`:                              "project: must not",
		`{"kind":"project","name":""}`:                                                                "name: ",
		`{"kind":"key","scopes":"read"}`:                                                              "hash: is required",
		`{"kind":"account","account":"a","share_key":"12"}`:                                           "share_key: ",
		`{"kind":"report","account":"` + strings.Repeat("x", 101) + `","url":"https://example.com/"}`: "account: must",
	} {
		d := open(t)
		stats, err := d.Import(t.Context(), "", strings.NewReader(good+line+"\n"), nil)
		if err == nil || !strings.Contains(err.Error(), "line 2: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
		if result := mustCheck(t, d); stats.Imported != 0 || result.Reports != 0 {
			t.Errorf("%s: a part of the batch was stored", line)
		}
	}
}

func TestImportTakesManyBatches(t *testing.T) {
	d := open(t)
	var lines bytes.Buffer
	for i := range importBatch + 10 {
		fmt.Fprintf(&lines, `{"kind":"report","account":"a","id":%q,"url":"https://example.com/%d","result":"good"}`+"\n", newID(int64(1_700_000_000_000+i), 0), i)
	}
	calls := 0
	stats, err := d.Import(t.Context(), "", &lines, func(db.ImportStats) { calls++ })
	if err != nil || stats.Imported != importBatch+10 || calls != 2 {
		t.Fatalf("%+v in %d batches, %v", stats, calls, err)
	}
	middle := query(func(q *sortfilter.Query) { q.SortBy, q.Ascending, q.Page = sortfilter.ByURL, true, importBatch/20 })
	if got := urls(t, d, importBatch+10, middle); len(got) != 10 || got[0] >= got[9] {
		t.Errorf("a page in the middle: %v", got)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	if got := urls(t, d, 0, query(nil)); len(got) != 0 {
		t.Errorf("reports of a deleted project: %v", got)
	}
	if stats := importAll(t, d, "", fmt.Sprintf(`{"kind":"report","account":"a","id":%q,"url":"https://example.com/back"}`, newID(1_700_000_000_000, 0))); stats.Imported != 1 {
		t.Errorf("after its project was deleted: %+v", stats)
	}
}

func TestRecordsSurviveTheirStoredForm(t *testing.T) {
	id := uuid.Must(uuid.NewV7())
	for _, r := range []record{
		{id: id},
		{id: id, project: 1<<32 - 1, url: strings.Repeat("u", 2048), status: db.Failed, result: audit.Good, score: 100, privacy: db.Password, passwordHash: "h", created: 5,
			updated: 3, generated: -1, queued: 1 << 50, revision: 1 << 60, failure: &audit.Failure{Code: "dns", Detail: "d"}, traits: traits{1, 2, 3, 1 << 63}},
	} {
		stored := r.encode()
		got, err := decodeRecord(id, stored)
		if err != nil || fmt.Sprintf("%+v", got.failure) != fmt.Sprintf("%+v", r.failure) {
			t.Fatalf("%+v: %v", r, err)
		}
		got.failure = r.failure
		if *got != r {
			t.Errorf("got %+v, not %+v", *got, r)
		}
		if project, url := peekRecord(stored); project != r.project || string(url) != r.url {
			t.Errorf("peek: %d %s", project, url)
		}
		for n := range len(stored) {
			if _, err := decodeRecord(id, stored[:n]); err == nil {
				t.Fatalf("a record cut at %d of %d bytes is read", n, len(stored))
			}
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add((&record{url: "https://example.com/", failure: &audit.Failure{}}).encode())
	f.Fuzz(func(t *testing.T, stored []byte) {
		peekRecord(stored)
		r, err := decodeRecord(uuid.Nil, stored)
		if err != nil {
			return
		}
		again, err := decodeRecord(uuid.Nil, r.encode())
		if err != nil || again.url != r.url || again.revision != r.revision || again.traits != r.traits {
			t.Fatalf("%+v becomes %+v, %v", r, again, err)
		}
	})
}

func FuzzImportLine(f *testing.F) {
	f.Add([]byte(`{"kind":"report","url":"https://example.com/","result":"good","score":5,"checks":[]}`))
	f.Add([]byte(`{"kind":"key","hash":"00","scopes":"read"}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		in, err := parseLine(line, "")
		if err == nil && in.kind == "report" && (in.record.url == "" || in.name == "") {
			t.Fatalf("%s gives %+v", line, in)
		}
	})
}

// TestKeysKeepOrder holds that keys of a range compare as what they were made from.
func TestKeysKeepOrder(t *testing.T) {
	rows := []record{
		{url: "https://a/", generated: 1}, {url: "https://a/a", generated: 255}, {url: "https://a/a/", generated: 256}, {url: "https://a/b", generated: 1 << 40},
		{url: "https://a0/", generated: 1<<40 + 1},
	}
	for _, c := range []column{byGenerated, byURL} {
		for i := 1; i < len(rows); i++ {
			x, y := rows[i-1], rows[i]
			x.id, y.id = uuid.Max, uuid.Nil
			if bytes.Compare(appendOrderKey(nil, c, 1, &x, x.url), appendOrderKey(nil, c, 1, &y, y.url)) >= 0 {
				t.Errorf("by %c: %+v is not before %+v", c, x, y)
			}
		}
	}
}
