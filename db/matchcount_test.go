package db

import (
	"fmt"
	"strings"
	"testing"

	"sitegrade/sortfilter"
)

// TestCommonWordsAreCountedWhole searches a word that is in more blocks than one processor gets.
func TestCommonWordsAreCountedWhole(t *testing.T) {
	d := open(t)
	const rows, every = 3 * countBatch * blockRows / 2, 3
	var lines strings.Builder
	for i := range rows {
		word := "page"
		if i%every == 0 {
			word = "blog"
		}
		fmt.Fprintf(&lines, `{"kind":"report","url":"https://example.org/%s/%d","result":"good"}`+"\n", word, i)
	}
	importAll(t, d, "a", lines.String())
	for _, ascending := range []bool{false, true} {
		page, err := d.Reports(t.Context(), "a", query(func(q *sortfilter.Query) { q.Search, q.Ascending = "blog", ascending }))
		if err != nil || page.Total != rows/every {
			t.Errorf("ascending %t: %d rows, not %d, %v", ascending, page.Total, rows/every, err)
		}
		for i := 1; i < len(page.Rows); i++ {
			if before, id := page.Rows[i-1].ID.String(), page.Rows[i].ID.String(); (before < id) != ascending || !strings.Contains(page.Rows[i].URL, "blog") {
				t.Errorf("ascending %t: row %d is %s after %s", ascending, i, id, before)
			}
		}
	}
}
