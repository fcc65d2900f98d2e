package bolt

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/transfer"
	"sitegrade/sortfilter"
)

func TestImportTakesManyBatches(t *testing.T) {
	d := open(t)
	var lines bytes.Buffer
	for i := range transfer.Batch + 10 {
		fmt.Fprintf(&lines, `{"kind":"report","account":"a","id":%q,"url":"https://example.com/%d","result":"good"}`+"\n", record.NewID(int64(1_700_000_000_000+i), 0), i)
	}
	calls := 0
	stats, err := d.Import(t.Context(), "", &lines, func(db.ImportStats) { calls++ })
	if err != nil || stats.Imported != transfer.Batch+10 || calls != 2 {
		t.Fatalf("%+v in %d batches, %v", stats, calls, err)
	}
	middle := query(func(q *sortfilter.Query) { q.SortBy, q.Ascending, q.Page = sortfilter.ByURL, true, transfer.Batch/20 })
	if got := urls(t, d, transfer.Batch+10, middle); len(got) != 10 || got[0] >= got[9] {
		t.Errorf("a page in the middle: %v", got)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	if got := urls(t, d, 0, query(nil)); len(got) != 0 {
		t.Errorf("reports of a deleted project: %v", got)
	}
	if stats := importAll(t, d, "", fmt.Sprintf(`{"kind":"report","account":"a","id":%q,"url":"https://example.com/back"}`, record.NewID(1_700_000_000_000, 0))); stats.Imported != 1 {
		t.Errorf("after its project was deleted: %+v", stats)
	}
}

// TestKeysKeepOrder holds that keys of a range compare as what they were made from.
func TestKeysKeepOrder(t *testing.T) {
	rows := []record.Record{
		{URL: "https://a/", Generated: 1}, {URL: "https://a/a", Generated: 255}, {URL: "https://a/a/", Generated: 256}, {URL: "https://a/b", Generated: 1 << 40},
		{URL: "https://a0/", Generated: 1<<40 + 1},
	}
	for _, c := range []column{byGenerated, byURL} {
		for i := 1; i < len(rows); i++ {
			x, y := rows[i-1], rows[i]
			x.ID, y.ID = uuid.Max, uuid.Nil
			if bytes.Compare(appendOrderKey(nil, c, 1, &x, x.URL), appendOrderKey(nil, c, 1, &y, y.URL)) >= 0 {
				t.Errorf("by %c: %+v is not before %+v", c, x, y)
			}
		}
	}
}
