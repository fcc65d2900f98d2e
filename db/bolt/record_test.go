package bolt

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

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
		if err == nil && in.Kind == db.ReportLine && (in.record.url == "" || in.Report.Project.Name == "") {
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
