package dbtest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/weburl"
)

// modelCrawl is what a crawl that is done adds to the issues of its project.
type modelCrawl struct{ across, failing map[string]int }

// fails has some checks fail in what was found of a report.
func (m *model) fails(t *rapid.T, id uuid.UUID, found *audit.Report) {
	failing := rapid.SampledFrom([][]string{nil, {"h1"}, {"hsts", "h1"}, {"document-title", "broken-links"}}).Draw(t, "failing")
	for _, check := range failing {
		found.Checks = append(found.Checks, audit.Outcome{ID: check, Status: audit.Failed, Evidence: []audit.Evidence{}})
	}
	m.failing[id] = failing
}

// crawl runs a crawl over some addresses, a few of which the project may have.
func (m *model) crawl(t *rapid.T) {
	ctx, project, pick := context.Background(), m.any(t).Project, picker(t)
	var pages []*audit.Report
	for range rapid.IntRange(1, 5).Draw(t, "pages") {
		u, err := weburl.Parse(m.url(pick))
		if err != nil {
			t.Fatal(err)
		}
		score := pick.IntN(101)
		pages = append(pages, Findings(u.String(), resultFor(score), score, time.UnixMilli(int64(1+pick.IntN(1000))*1_000_000_000).UTC()))
	}
	slices.SortFunc(pages, func(x, y *audit.Report) int { return bytes.Compare([]byte(x.URL), []byte(y.URL)) })
	pages = slices.CompactFunc(pages, func(x, y *audit.Report) bool { return x.URL == y.URL })
	made := start(t, m.d, "a", db.NewCrawl{URL: pages[0].URL, Project: project.Name})
	take(t, m.d, 1, made.ID)
	failing := make([][]string, len(pages))
	for i, page := range pages {
		m.fails(t, uuid.Nil, page)
		failing[i] = m.failing[uuid.Nil]
	}
	for i, id := range saw(t, m.d, "a", made.ID, "visits", pages...) {
		m.visited(t, id, project, pages[i])
		m.failing[id] = failing[i]
	}
	e, rows := ended(db.CrawlEnded, len(pages)), rapid.IntRange(0, 300).Draw(t, "rows")
	if rapid.Bool().Draw(t, "stopped") {
		e.Status = db.CrawlStopped
	} else {
		c := modelCrawl{map[string]int{}, m.failingIn(project.Name)}
		for issue := range rowsOf("a.example", rows).Issues {
			c.across[issue.Check]++
		}
		m.crawls[project.Name] = append(m.crawls[project.Name], c)
	}
	if err := m.d.KeepCrawlRows(ctx, "a", made.ID, rowsOf("a.example", rows)); err != nil {
		t.Fatal(err)
	}
	if err := m.d.FinishCrawl(ctx, "a", made.ID, e); err != nil {
		t.Fatal(err)
	}
	m.d.ReleaseCrawl("a", made.ID)
}

// visited notes that a crawl has audited a page of a project, which is a generation of the newest report that has its address.
func (m *model) visited(t *rapid.T, id uuid.UUID, project db.ProjectRef, found *audit.Report) {
	of := m.sorted(func(x, y db.Report) int { return 0 }, func(r db.Report) bool { return r.Project.Name == project.Name && r.URL == found.URL })
	r := db.Report{ID: id, Project: project, URL: found.URL, Status: db.Done, Privacy: db.Private}
	if len(of) > 0 {
		if r = of[len(of)-1]; r.ID != id {
			t.Fatalf("the page %s became the report %s, not %s", found.URL, id, r.ID)
		}
	}
	if r.Status != db.Queued {
		r.Status = db.Done
	}
	r.Result, r.Score, r.GeneratedAt = found.Result, found.Score, found.GeneratedAt
	m.reports[id] = r
	m.past[id] = append(m.past[id], found.Score)
}

// failingIn returns on how many reports of a project each check fails.
func (m *model) failingIn(project string) map[string]int {
	failing := map[string]int{}
	for id, r := range m.reports {
		for _, check := range m.failing[id] {
			if r.Project.Name == project {
				failing[check]++
			}
		}
	}
	return failing
}

// issues holds the issues of a project against the model's.
func (m *model) issues(t *rapid.T) {
	project := m.any(t).Project.Name
	c := db.IssueCounts{Pages: m.failingIn(project)}
	if done := m.crawls[project]; len(done) > 0 {
		c.Across = done[len(done)-1].across
		if len(done) > 1 {
			c.Earlier = map[string]int{}
			for _, counts := range []map[string]int{done[len(done)-2].failing, done[len(done)-2].across} {
				for check, n := range counts {
					c.Earlier[check] = n
				}
			}
		}
	}
	var want []string
	for _, i := range c.List(records).Rows {
		want = append(want, issueText(i))
	}
	slices.Reverse(want) // records has the oldest first, and so the least
	if got := named(t, m.d, project); !slices.Equal(got, want) {
		t.Fatalf("the issues of %s are %v, not %v", project, got, want)
	}
}

// issueText returns an issue as a text: the check, its pages, and where there is one the change.
func issueText(i db.Issue) string {
	text := fmt.Sprint(i.Check, " ", i.Pages)
	if i.Change != nil {
		text += fmt.Sprintf(" %+d", *i.Change)
	}
	return text
}
