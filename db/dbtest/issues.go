package dbtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// testIssues has the tests of what is wrong with projects.
func (s suite) testIssues(t *testing.T) {
	t.Run("OfPages", s.testIssuesOfPages)
	t.Run("OfImports", s.testIssuesOfImports)
	t.Run("AcrossPages", s.testIssuesAcrossPages)
}

// named returns the issues of a project of the account "a" as texts.
func named(t fataler, d db.Store, project string) (texts []string) {
	t.Helper()
	page, err := d.Issues(context.Background(), "a", project, sortfilter.Query{PerPage: 100, Page: 1})
	if err != nil || page.Total != len(page.Rows) {
		t.Fatalf("%d of %d issues of %q, %v", len(page.Rows), page.Total, project, err)
	}
	for _, i := range page.Rows {
		texts = append(texts, issueText(i))
	}
	return texts
}

// isNamed fails unless a project of the account "a" has these issues, the worst first.
func isNamed(t *testing.T, d db.Store, project, when string, want ...string) {
	t.Helper()
	if got := named(t, d, project); !slices.Equal(got, want) {
		t.Errorf("%s the issues of %s are %q, not %q", when, project, got, want)
	}
}

// failingOn returns the addresses on which a check fails in a project of the account "a".
func failingOn(t *testing.T, d db.Store, project, check string, q sortfilter.Query) (urls []string) {
	t.Helper()
	page, err := d.IssueRows(t.Context(), "a", project, check, q)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Rows {
		urls = append(urls, r.URL)
	}
	return urls
}

func auditAs(t *testing.T, d db.Store, r db.Report, outcomes ...string) {
	t.Helper()
	Again(t, d, r, Graded(r.URL, 50, time.Now(), outcomes...), nil)
}

// testIssuesOfPages holds the issues of a project against its reports as these change, without any crawl.
func (s suite) testIssuesOfPages(t *testing.T) {
	d := s.open(t, Options{})
	if _, err := d.Issues(t.Context(), "a", "example.com", records); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a project that does not exist gives %v", err)
	}
	one, two, three := Create(t, d, "https://example.com/one"), Create(t, d, "https://example.com/two"), Create(t, d, "https://example.com/Three")
	isNamed(t, d, "example.com", "before an audit")
	auditAs(t, d, one, "h1 failed", "document-title failed", "img-alt warning", "hsts passed")
	auditAs(t, d, two, "h1 failed", "no-such-check failed")
	auditAs(t, d, three, "h1 failed", "hsts failed")
	isNamed(t, d, "Example.com", "audited", "h1 3", "document-title 1", "hsts 1")
	if _, _, err := d.Accept(t.Context(), "a", "example.com", db.NewAccepted{Check: "h1", URL: "*", Reason: "for now"}); err != nil {
		t.Fatal(err)
	}
	isNamed(t, d, "example.com", "accepted", "h1 3", "document-title 1", "hsts 1")
	everything := sortfilter.Query{Ascending: true, PerPage: 10, Page: 1}
	for name, c := range map[string]struct {
		q    sortfilter.Query
		want []string
	}{
		"by creation":     {everything, []string{one.URL, two.URL, three.URL}},
		"the newest":      {sortfilter.Query{PerPage: 1, Page: 1}, []string{three.URL}},
		"the second page": {sortfilter.Query{Ascending: true, PerPage: 2, Page: 2}, []string{three.URL}},
		"a search":        {sortfilter.Query{Ascending: true, PerPage: 10, Page: 1, Search: "COM/T"}, []string{two.URL, three.URL}},
	} {
		if got := failingOn(t, d, "example.com", "h1", c.q); !slices.Equal(got, c.want) {
			t.Errorf("%s: h1 fails on %v, not %v", name, got, c.want)
		}
	}
	if _, err := d.IssueRows(t.Context(), "a", "example.com", "no-such-check", everything); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a check that does not exist gives %v", err)
	}
	auditAs(t, d, one, "h1 passed", "document-title failed")
	Again(t, d, two, nil, &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."}) // which leaves what it shows
	isNamed(t, d, "example.com", "audited again", "h1 2", "document-title 1", "hsts 1")
	if err := d.DeleteReport(t.Context(), "a", three.ID, nil); err != nil {
		t.Fatal(err)
	}
	isNamed(t, d, "example.com", "without a report", "document-title 1", "h1 1")
	name := "Shop"
	if _, err := d.UpdateProject(t.Context(), "a", "example.com", db.ProjectChange{Name: &name}, nil); err != nil {
		t.Fatal(err)
	}
	isNamed(t, d, "shop", "renamed", "document-title 1", "h1 1")
	if _, err := d.Issues(t.Context(), "b", "shop", records); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	testIssuesAreListed(t, d)
	if err := d.DeleteProject(t.Context(), "a", "shop", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.IssueRows(t.Context(), "a", "shop", "h1", records); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a deleted project gives %v", err)
	}
	if _, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: one.URL, Project: "shop"}); err != nil {
		t.Fatal(err)
	}
	isNamed(t, d, "shop", "made anew")
}

func testIssuesAreListed(t *testing.T, d db.Store) {
	for name, c := range map[string]struct {
		q     sortfilter.Query
		total int
		want  string
	}{
		"the worst first": {sortfilter.Query{PerPage: 1, Page: 1}, 2, "document-title"},
		"the worst last":  {sortfilter.Query{PerPage: 1, Page: 2, Ascending: true}, 2, "document-title"},
		"of that id":      {sortfilter.Query{PerPage: 10, Page: 1, Search: "H1"}, 1, "h1"},
	} {
		page, err := d.Issues(t.Context(), "a", "shop", c.q)
		if err != nil || page.Total != c.total || len(page.Rows) != 1 || page.Rows[0].Check != c.want || page.Rows[0].Title == "" || page.Rows[0].Severity == "" {
			t.Errorf("%s: %+v, %v", name, page, err)
		}
	}
}

// testIssuesOfImports holds that reports which an import brings count, whether it brings what was found or not.
func (s suite) testIssuesOfImports(t *testing.T) {
	from, to := s.open(t, Options{}), s.open(t, Options{})
	for i := range 70 {
		r := Create(t, from, fmt.Sprintf("https://example.com/%d", i))
		auditAs(t, from, r, "h1 failed", "document-title "+[]string{"failed", "passed"}[i%2])
		if i%10 == 0 {
			auditAs(t, from, r, "hsts failed")
		}
	}
	lines := Export(t, from)
	Import(t, to, "", lines)
	isNamed(t, to, "example.com", "imported", named(t, from, "example.com")...)
	isNamed(t, to, "example.com", "imported", "h1 63", "document-title 28", "hsts 7")
	Import(t, to, "", lines)
	isNamed(t, to, "example.com", "imported twice", "h1 63", "document-title 28", "hsts 7")
	Import(t, to, "a", `{"kind":"report","url":"https://example.com/bare","result":"good"}`+"\n"+`{"kind":"report","url":"https://example.com/waits"}`)
	isNamed(t, to, "example.com", "with a report of which nothing is known", "h1 63", "document-title 28", "hsts 7")
	page, err := to.Reports(t.Context(), "a", Query(func(q *sortfilter.Query) { q.Search = "com/1" }))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Rows {
		auditAs(t, to, r, "document-title failed")
	}
	isNamed(t, to, "example.com", "audited since", "h1 54", "document-title 34", "hsts 6")
}

// testIssuesAcrossPages holds that the newest crawl that was not stopped adds what it found, and that the one before it tells what changed.
func (s suite) testIssuesAcrossPages(t *testing.T) {
	d := s.open(t, Options{})
	site := db.NewCrawl{URL: "https://example.com/"}
	page := func(i int, outcomes ...string) *audit.Report {
		return Graded(fmt.Sprintf("https://example.com/%d", i), 50, time.Now(), outcomes...)
	}
	auditAs(t, d, Create(t, d, "https://example.com/0"), "h1 failed", "broken-links failed")
	isNamed(t, d, "example.com", "before a crawl", "h1 1", "broken-links 1")
	first := crawled(t, d, "a", site, 11, ended(db.CrawlEnded, 11), page(1, "h1 failed", "broken-links failed"), page(2, "document-title failed"))
	isNamed(t, d, "example.com", "after a crawl", "h1 2", "document-title 1", "duplicate-title 3", "broken-target 1")
	crawled(t, d, "a", site, 40, ended(db.CrawlStopped, 40))
	isNamed(t, d, "example.com", "after one that was stopped", "h1 2", "document-title 1", "duplicate-title 3", "broken-target 1")
	second := crawled(t, d, "a", site, 6, ended(db.CrawlEnded, 6), page(1, "h1 passed"), page(2, "document-title failed"), page(3, "document-title failed"))
	isNamed(t, d, "example.com", "after another", "document-title 2 +1", "h1 1 -1", "duplicate-title 2 -1", "broken-target 1 +0")
	auditAs(t, d, Create(t, d, "https://example.com/4"), "document-title failed")
	isNamed(t, d, "example.com", "audited since", "document-title 3 +2", "h1 1 -1", "duplicate-title 2 -1", "broken-target 1 +0")
	everything := sortfilter.Query{Ascending: true, PerPage: 10, Page: 1}
	if got := failingOn(t, d, "example.com", "duplicate-title", everything); !slices.Equal(got, []string{"https://example.com/Page/0", "https://example.com/Page/5"}) {
		t.Errorf("duplicate-title names %v", got)
	}
	rows, err := d.IssueRows(t.Context(), "a", "example.com", "duplicate-title", sortfilter.Query{PerPage: 10, Page: 1, Search: "page/5"})
	if err != nil || rows.Total != 1 || len(rows.Rows[0].Evidence) != 1 || rows.Rows[0].Evidence[0].URL != "https://example.com/Page/6" || rows.Rows[0].Report == uuid.Nil {
		t.Errorf("the row of page 5 is %+v, %v", rows, err)
	}
	if got := failingOn(t, d, "example.com", "duplicate-h1", everything); got != nil {
		t.Errorf("duplicate-h1 names %v", got)
	}
	crawled(t, d, "a", db.NewCrawl{URL: site.URL, Project: "other"}, 1, ended(db.CrawlEnded, 1))
	if err := d.DeleteCrawl(t.Context(), "a", second, nil); err != nil {
		t.Fatal(err)
	}
	isNamed(t, d, "example.com", "without the newest crawl", "document-title 3", "h1 1", "duplicate-title 3", "broken-target 1")
	if err := d.DeleteCrawl(t.Context(), "a", first, nil); err != nil {
		t.Fatal(err)
	}
	isNamed(t, d, "example.com", "without crawls", "document-title 3", "h1 1", "broken-links 1")
}
