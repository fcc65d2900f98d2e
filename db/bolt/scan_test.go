package bolt

import (
	"fmt"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db/bolt/internal/scan"
	"sitegrade/db/bolt/internal/search"
	"sitegrade/sortfilter"
)

// TestCommonWordsAreFoundWhole searches a word that is in more blocks than one processor gets, with all orders and filters.
func TestCommonWordsAreFoundWhole(t *testing.T) {
	d := open(t)
	const rows, every = 3 * scan.BatchSize * search.BlockRows / 2, 3
	var lines strings.Builder
	for i := range rows {
		word := "page"
		if i%every == 0 {
			word = "blog"
		}
		fmt.Fprintf(&lines, `{"kind":"report","url":"https://example.org/%s/%06d","result":%q}`+"\n", word, i, audit.Result(1+i%2))
	}
	importAll(t, d, "a", lines.String())
	for _, result := range []string{"", "bad"} {
		want := rows / every
		if result != "" {
			want /= 2
		}
		for _, sort := range []sortfilter.Sort{sortfilter.ByID, sortfilter.ByURL, sortfilter.ByResult} {
			for _, ascending := range []bool{false, true} {
				page, err := d.Reports(t.Context(), "a", query(func(q *sortfilter.Query) {
					q.Search, q.Result, q.SortBy, q.Ascending = "blog", result, sort, ascending
				}))
				if err != nil || page.Total != want {
					t.Errorf("%q by %v, ascending %t: %d rows, not %d, %v", result, sort, ascending, page.Total, want, err)
				}
				for i := 1; i < len(page.Rows); i++ {
					x, y := page.Rows[i-1], page.Rows[i]
					if (x.ID.String() < y.ID.String()) != ascending || sort == sortfilter.ByURL && (x.URL < y.URL) != ascending || !strings.Contains(y.URL, "blog") {
						t.Errorf("%q by %v, ascending %t: %s after %s", result, sort, ascending, y.URL, x.URL)
					}
				}
			}
		}
	}
}
