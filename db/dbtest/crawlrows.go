package dbtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// rowsOf are what a crawl of so many pages may have found: each second page cannot be indexed, each third link is broken, and of the checks
// across pages one names each fifth page and another the first.
func rowsOf(host string, pages int) db.CrawlResult {
	url := func(i int) string { return fmt.Sprintf("https://%s/Page/%d", host, i) }
	each := func(step int, visit func(i int) bool) {
		for i := 0; i < pages && visit(i); i += step {
		}
	}
	return db.CrawlResult{
		Pages: func(yield func(db.CrawlPage) bool) {
			each(1, func(i int) bool {
				p := db.CrawlPage{URL: url(i), Status: 200, Depth: i - 1, Inlinks: i, Outlinks: pages, Title: fmt.Sprint("Title ", i), Report: uuid.UUID{6: 0x70, 15: byte(i)}, Score: ptr(i % 100)}
				if i%2 == 1 {
					p.Status, p.Reason, p.Canonical, p.Report, p.Score = 404, "client_error", url(0), uuid.Nil, nil
				}
				return yield(p)
			})
		},
		Links: func(yield func(db.CrawlLink) bool) {
			each(1, func(i int) bool {
				l := db.CrawlLink{Target: url(i), Status: 200, Sources: i + 1, First: []db.LinkSource{{URL: url(0), Text: "to ⟨it⟩", Line: i}}}
				if i%3 == 0 {
					l.Status, l.Broken, l.First = 500, true, nil
				}
				return yield(l)
			})
		},
		Issues: func(yield func(db.CrawlIssue) bool) {
			each(5, func(i int) bool {
				evidence := []audit.Evidence{{Snippet: fmt.Sprint("the same as ", i), URL: url(i + 1), Line: i}}
				return yield(db.CrawlIssue{Check: "duplicate-title", URL: url(i), Report: uuid.UUID{6: 0x70, 15: byte(i)}, Evidence: evidence})
			})
			if pages > 0 {
				yield(db.CrawlIssue{Check: "broken-target", URL: url(0)})
			}
		},
		Folders: func(yield func(db.CrawlFolder) bool) {
			yield(db.CrawlFolder{URL: "https://" + host + "/", Pages: pages, Score: 50, Decent: pages})
		},
	}
}

func (s suite) testListsOfCrawls(t *testing.T) {
	d := s.open(t, Options{})
	if page, err := d.Crawls(t.Context(), "nobody", records); err != nil || page.Total != 0 {
		t.Errorf("an account that does not exist has %d crawls, %v", page.Total, err)
	}
	var ids []uuid.UUID
	for i := range 12 {
		ids = append(ids, start(t, d, "a", db.NewCrawl{URL: fmt.Sprintf("https://example.com/Path/%d", i), Project: fmt.Sprint("p", i%2)}).ID)
	}
	start(t, d, "b", db.NewCrawl{URL: "https://example.com/path/"})
	for _, i := range []int{2, 3} {
		if _, err := d.StopCrawl(t.Context(), "a", ids[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	take(t, d, 100, ids[0])
	project, err := d.Project(t.Context(), "a", "p1")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		q    sortfilter.Query
		want []int
	}{
		"the newest first":      {sortfilter.Query{}, []int{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
		"the second page":       {sortfilter.Query{Page: 2}, []int{1, 0}},
		"the oldest first":      {sortfilter.Query{Ascending: true}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
		"behind the last page":  {sortfilter.Query{Page: 3}, nil},
		"of a project":          {sortfilter.Query{Project: "P1"}, []int{11, 9, 7, 5, 3, 1}},
		"of a project by id":    {sortfilter.Query{Project: project.ID.String()}, []int{11, 9, 7, 5, 3, 1}},
		"of an unknown project": {sortfilter.Query{Project: "nowhere"}, nil},
		"that are stopped":      {sortfilter.Query{Status: "stopped"}, []int{3, 2}},
		"that run":              {sortfilter.Query{Status: "running"}, []int{0}},
		"with that address":     {sortfilter.Query{Search: "PATH/1"}, []int{11, 10, 1}},
		"with all of it":        {sortfilter.Query{Search: "path", Status: "stopped", Project: "p1"}, []int{3}},
	} {
		c.q.SortBy, c.q.PerPage, c.q.Page = sortfilter.ByCreated, 10, max(1, c.q.Page)
		page, err := d.Crawls(t.Context(), "a", c.q)
		if err != nil {
			t.Fatal(err)
		}
		total := len(c.want)
		if name == "the second page" || name == "behind the last page" {
			total = 12
		}
		var got []uuid.UUID
		for _, one := range page.Rows {
			got = append(got, one.ID)
		}
		var want []uuid.UUID
		for _, i := range c.want[:min(10, len(c.want))] {
			want = append(want, ids[i])
		}
		if page.Total != total || !slices.Equal(got, want) {
			t.Errorf("%s: %d crawls, %v, not %d, %v", name, page.Total, got, total, want)
		}
	}
}

// testRowsOfCrawls reads lists that are long enough that a store may keep them in parts.
func (s suite) testRowsOfCrawls(t *testing.T) {
	const rows = 700
	d := s.open(t, Options{})
	id := crawled(t, d, "a", db.NewCrawl{URL: "https://example.com/"}, rows, ended(db.CrawlEnded, rows))
	indexable := false
	for name, c := range map[string]struct {
		q     sortfilter.Query
		total int
		first string // of the page, without https://example.com
		n     int
	}{
		"the nearest first":     {sortfilter.Query{Ascending: true}, rows, "/Page/0", 25},
		"the farthest first":    {sortfilter.Query{}, rows, "/Page/699", 25},
		"far behind":            {sortfilter.Query{Ascending: true, Page: 28}, rows, "/Page/675", 25},
		"over the end":          {sortfilter.Query{Ascending: true, Page: 29}, rows, "", 0},
		"not found":             {sortfilter.Query{Ascending: true, HTTPStatus: 404}, rows / 2, "/Page/1", 25},
		"not indexable":         {sortfilter.Query{Indexable: &indexable}, rows / 2, "/Page/699", 25},
		"of that address":       {sortfilter.Query{Ascending: true, Search: "PAGE/69"}, 11, "/Page/69", 11},
		"of it and not indexed": {sortfilter.Query{Ascending: true, Search: "page/69", Indexable: &indexable}, 6, "/Page/69", 6},
		"of no address":         {sortfilter.Query{Search: "nowhere"}, 0, "", 0},
	} {
		c.q.PerPage, c.q.Page = 25, max(1, c.q.Page)
		page, err := d.CrawlPages(t.Context(), "a", id, c.q)
		if err != nil || page.Total != c.total || len(page.Rows) != c.n || c.n > 0 && page.Rows[0].URL != "https://example.com"+c.first {
			t.Errorf("%s: %d of %d rows, %v, the first is %+v", name, len(page.Rows), page.Total, err, page.Rows[:min(1, len(page.Rows))])
		}
	}
	everything := sortfilter.Query{Ascending: true, PerPage: 1000, Page: 1}
	pages, err := d.CrawlPages(t.Context(), "a", id, everything)
	links, linksErr := d.CrawlLinks(t.Context(), "a", id, everything)
	issues, issuesErr := d.CrawlIssues(t.Context(), "a", id, "duplicate-title", everything)
	if err := errors.Join(err, linksErr, issuesErr); err != nil {
		t.Fatal(err)
	}
	whole := rowsOf("example.com", rows)
	same(t, "pages", pages.Rows, slices.Collect(whole.Pages))
	same(t, "links", links.Rows, slices.Collect(whole.Links))
	same(t, "issues", issues.Rows, slices.DeleteFunc(slices.Collect(whole.Issues), func(i db.CrawlIssue) bool { return i.Check != "duplicate-title" }))
	broken, err := d.CrawlLinks(t.Context(), "a", id, sortfilter.Query{Ascending: true, PerPage: 10, Page: 2, Status: "broken"})
	if err != nil || broken.Total != 234 || broken.Rows[0].Target != "https://example.com/Page/30" {
		t.Errorf("%d links are broken (%v), and those of the second page begin with %+v", broken.Total, err, broken.Rows[0])
	}
	if _, err := d.CrawlIssues(t.Context(), "a", id, "duplicate-h1", everything); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a check that names not one address gives %v", err)
	}
	o, err := d.CrawlOverview(t.Context(), "a", id)
	want := db.CrawlOverview{
		Statuses: []db.StatusCount{{Status: 200, Addresses: 350}, {Status: 404, Addresses: 350}}, Broken: 234, Folders: slices.Collect(whole.Folders),
		Checks: []db.CheckCount{{Check: "duplicate-title", Addresses: 140}, {Check: "broken-target", Addresses: 1}},
	}
	if err != nil || fmt.Sprint(o) != fmt.Sprint(want) {
		t.Errorf("the overview is %+v (%v), not %+v", o, err, want)
	}
	areHidden(t, d, id)
}

// areHidden holds that another account gets no rows of a crawl.
func areHidden(t *testing.T, d db.Store, id uuid.UUID) {
	t.Helper()
	for what, err := range map[string]error{
		"pages": errOf(d.CrawlPages(t.Context(), "b", id, records)), "links": errOf(d.CrawlLinks(t.Context(), "b", id, records)),
		"issues": errOf(d.CrawlIssues(t.Context(), "b", id, "duplicate-title", records)), "overview": errOf(d.CrawlOverview(t.Context(), "b", id)),
	} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("to another account the %s give %v", what, err)
		}
	}
}

func errOf[T any](_ T, err error) error { return err }

// same compares rows as texts, in which pointers are what they point at.
func same[Row any](t *testing.T, what string, got, want []Row) {
	t.Helper()
	text := func(rows []Row) string {
		text, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	if text(got) != text(want) {
		t.Errorf("%d %s are not the %d that were kept", len(got), what, len(want))
	}
}
