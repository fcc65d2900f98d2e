package dbtest

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// importMany stores n rated reports in an account, whose ids, addresses and times of generation have nothing to do with each other. Those of
// the account "a" go into the model.
func (m *model) importMany(t *testing.T, pick *rand.Rand, account string, n int) {
	t.Helper()
	var lines bytes.Buffer
	for range n {
		created := time.UnixMilli(int64(1 + pick.IntN(1<<40))).UTC()
		m.serial++
		r := db.Report{
			ID: id(created), URL: fmt.Sprintf("https://%s/blog/%x/%d", []string{"one.example", "two.example"}[pick.IntN(2)], pick.Uint32(), m.serial),
			Result: audit.Result(1 + pick.IntN(3)), Score: db.NoScore, CreatedAt: created, Status: db.Done,
			GeneratedAt: created.Add(time.Duration(pick.IntN(1000)) * time.Hour).Truncate(1000 * time.Hour),
		}
		r.Project.Name = []string{"wide", "wide", "wide", "narrow", "gone"}[pick.IntN(5)]
		fmt.Fprintf(&lines, `{"kind":"report","account":%q,"id":%q,"url":%q,"project":%q,"result":%q,"generated_at":%q}`+"\n",
			account, r.ID, r.URL, r.Project.Name, r.Result, r.GeneratedAt.Format(time.RFC3339))
		if account == "a" {
			m.reports[r.ID] = r
		}
	}
	if stats, err := m.d.Import(t.Context(), "", &lines, nil); err != nil || stats.Imported != n {
		t.Fatalf("import: %+v, %v", stats, err)
	}
}

// testDeepPagesOfSearches compares pages from all places of searches with the model, beside another account, after deletions, while a
// deleted project is being removed, and with fresh reports.
func (s suite) testDeepPagesOfSearches(t *testing.T) {
	pick := rand.New(rand.NewPCG(7, 8))
	m := &model{engine: s.engine, dir: t.TempDir(), reports: map[uuid.UUID]db.Report{}}
	m.open(t)
	const rows = 6_000
	m.importMany(t, pick, "a", rows)
	m.importMany(t, pick, "b", 500)
	m.deleteSome(t, 300)
	m.createSome(t, pick, 150)
	m.deepPages(t, pick, 60)
	if err := m.d.DeleteProject(t.Context(), "a", "gone", nil); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(m.reports, func(_ uuid.UUID, r db.Report) bool { return r.Project.Name == "gone" })
	m.deepPages(t, pick, 60)
	Check(t, m.d)
	if err := m.d.Close(); err != nil {
		t.Fatal(err)
	}
}

// deleteSome deletes n reports.
func (m *model) deleteSome(t *testing.T, n int) {
	t.Helper()
	for _, id := range slices.Collect(maps.Keys(m.reports))[:n] {
		if err := m.d.DeleteReport(t.Context(), "a", id, nil); err != nil {
			t.Fatal(err)
		}
		delete(m.reports, id)
	}
}

// createSome creates n reports, which are fresh afterwards.
func (m *model) createSome(t *testing.T, pick *rand.Rand, n int) {
	t.Helper()
	for range n {
		m.serial++
		r, err := m.d.CreateReport(t.Context(), "a", db.NewReport{
			URL: fmt.Sprintf("https://two.example/blog/fresh/%d", m.serial), Project: []string{"wide", "narrow"}[pick.IntN(2)]})
		if err != nil {
			t.Fatal(err)
		}
		m.reports[r.ID] = r
	}
}

// deepPages compares pages from all places of n searches.
func (m *model) deepPages(t *testing.T, pick *rand.Rand, n int) {
	t.Helper()
	for i := range n {
		q := sortfilter.Query{
			Search: []string{"example", "blog", "two", "1", "/0", "missing"}[pick.IntN(6)], SortBy: sortfilter.ReportSorts[i%len(sortfilter.ReportSorts)], Ascending: pick.IntN(2) == 0,
			PerPage: []int{10, 25, 50, 100}[pick.IntN(4)], Project: []string{"", "", "wide", "narrow"}[pick.IntN(4)],
			Result: []string{"", "", "good"}[pick.IntN(3)],
		}
		q.Page = 1
		m.compare(t, q)
		found, err := m.d.Reports(t.Context(), "a", q)
		if err != nil {
			t.Fatal(err)
		}
		last := 1 + found.Total/q.PerPage
		for _, page := range []int{1 + pick.IntN(last), max(1, last-1), last, last + 1000} {
			q.Page = page
			m.compare(t, q)
		}
	}
}
