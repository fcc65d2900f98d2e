package dbtest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

// model is what a database must be like from outside: everything in plain maps, every answer by brute force.
type model struct {
	d       db.Store
	engine  Open
	dir     string
	reports map[uuid.UUID]db.Report
	past    map[uuid.UUID][]int       // the scores of each report's generations, the oldest first
	budgets map[string]map[string]int // of projects, by their names
	failing map[uuid.UUID][]string    // the checks that fail on each report
	crawls  map[string][]modelCrawl   // of projects, by their names: those that are done
	serial  int
}

// testModel does random things to a database and to the model and compares what they show.
func (s suite) testModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		m := &model{engine: s.engine, dir: dir, reports: map[uuid.UUID]db.Report{}, past: map[uuid.UUID][]int{}, budgets: map[string]map[string]int{}, failing: map[uuid.UUID][]string{}, crawls: map[string][]modelCrawl{}}
		m.open(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"create":        m.create,
			"load":          m.load,
			"finish":        m.finish,
			"fail":          m.fail,
			"update":        m.update,
			"delete":        m.delete,
			"deleteProject": m.deleteProject,
			"reopen":        m.reopen,
			"list":          m.list,
			"search":        m.search,
			"projects":      m.projects,
			"generations":   m.generations,
			"promise":       m.promise,
			"promises":      m.promises,
			"crawl":         m.crawl,
			"issues":        m.issues,
		})
		Check(rt, m.d)
		if err := m.d.Close(); err != nil {
			rt.Fatal(err)
		}
	})
}

func (m *model) open(t fataler) {
	d, err := m.engine(Options{Dir: m.dir})
	if err != nil {
		t.Fatalf("opening: %v", err)
	}
	m.d = d
}

var (
	hosts = []string{"a.example", "b.example", "www.b.example", "Shop.example", "xn--bcher-kva.example"}
	paths = []string{"", "blog/", "Blog/Post_", "blog/post-2/", "shop?x="}
)

func (m *model) url(pick *rand.Rand) string {
	m.serial++
	return fmt.Sprintf("https://%s/%s%d", hosts[pick.IntN(len(hosts))], paths[pick.IntN(len(paths))], m.serial%40)
}

// picker returns random numbers for steps that need many.
func picker(t *rapid.T) *rand.Rand { return rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)) }

func (m *model) create(t *rapid.T) {
	n := db.NewReport{URL: m.url(picker(t)), Project: rapid.SampledFrom([]string{"", "", "Mine", "mine", "other"}).Draw(t, "project")}
	r, err := m.d.CreateReport(context.Background(), "a", n)
	if err != nil {
		t.Fatal(err)
	}
	m.reports[r.ID] = r
}

// load imports many reports at once, so that blocks, segments and the fresh reports overflow.
func (m *model) load(t *rapid.T) {
	var lines bytes.Buffer
	n := rapid.IntRange(1, 400).Draw(t, "n")
	pick := picker(t)
	for range n {
		result := audit.Result(pick.IntN(4))
		created := time.UnixMilli(int64(1+pick.IntN(2_000_000)) * 1_000_000).UTC()
		made := id(created)
		url := m.url(pick)
		r := db.Report{ID: made, URL: url, Result: result, Score: db.NoScore, CreatedAt: created, Status: db.Queued}
		line := fmt.Sprintf(`{"kind":"report","account":"a","id":%q,"url":%q,"project":"loaded"`, made, url)
		if result != audit.Unrated {
			r.GeneratedAt, r.Status = created.Add(time.Duration(pick.IntN(6))*time.Hour), db.Done
			line += fmt.Sprintf(`,"result":%q,"generated_at":%q`, result, r.GeneratedAt.Format(time.RFC3339))
		}
		lines.WriteString(line + "}\n")
		u, err := weburl.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		r.URL = u.String()
		if result != audit.Unrated {
			m.past[made] = []int{db.NoScore}
		}
		r.Project.Name = m.projectName("loaded")
		m.reports[made] = r
	}
	stats, err := m.d.Import(context.Background(), "", &lines, nil)
	if err != nil || stats.Imported != n {
		t.Fatalf("import: %+v, %v", stats, err)
	}
	if n > 300 {
		m.createMany(t, pick)
	}
}

// createMany makes more reports at once than an engine may keep aside for later.
func (m *model) createMany(t *rapid.T, pick *rand.Rand) {
	addresses := make([]string, 300)
	for i := range addresses {
		addresses[i] = m.url(pick)
	}
	made, err := m.d.CreateReports(context.Background(), "a", db.NewReport{Project: "many"}, addresses...)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range made {
		m.reports[r.ID] = r
	}
}

// projectName returns the name as the project was first spelled.
func (m *model) projectName(name string) string {
	for _, r := range m.reports {
		if strings.EqualFold(r.Project.Name, name) {
			return r.Project.Name
		}
	}
	return name
}

// any draws a report, or skips the step when there is none.
func (m *model) any(t *rapid.T) db.Report {
	if len(m.reports) == 0 {
		t.Skip("no reports")
	}
	ids := m.sorted(func(x, y db.Report) int { return 0 }, func(db.Report) bool { return true })
	return ids[rapid.IntRange(0, len(ids)-1).Draw(t, "report")]
}

// waiting returns the jobs, read in pages, and holds them against the reports that are queued.
func (m *model) waiting(t *rapid.T) []db.Job {
	var all []db.Job
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	for full := true; full; {
		var last db.Job
		if len(all) > 0 {
			last = all[len(all)-1]
		}
		jobs, err := m.d.Waiting(context.Background(), "a", last, limit)
		if err != nil || len(jobs) > limit {
			t.Fatalf("%d jobs behind %+v: %v", len(jobs), last, err)
		}
		all, full = append(all, jobs...), len(jobs) == limit
	}
	ids := map[uuid.UUID]bool{}
	for i, j := range all {
		ids[j.ID] = true
		if m.reports[j.ID].Status != db.Queued || i > 0 && j.Queued < all[i-1].Queued {
			t.Fatalf("job %d of %+v", i, all)
		}
	}
	queued := m.sorted(func(x, y db.Report) int { return 0 }, func(r db.Report) bool { return r.Status == db.Queued })
	if len(ids) != len(all) || len(all) != len(queued) {
		t.Fatalf("%d jobs of %d reports, while %d are queued", len(all), len(ids), len(queued))
	}
	return all
}

func (m *model) job(t *rapid.T) db.Job {
	jobs := m.waiting(t)
	if len(jobs) == 0 {
		t.Skip("nothing is queued")
	}
	return jobs[rapid.IntRange(0, len(jobs)-1).Draw(t, "job")]
}

func (m *model) finish(t *rapid.T) {
	job := m.job(t)
	at := time.UnixMilli(int64(rapid.IntRange(1, 1000).Draw(t, "at")) * 1_000_000_000).UTC()
	found := Findings(job.URL, audit.Result(rapid.IntRange(1, 3).Draw(t, "result")), rapid.IntRange(0, 100).Draw(t, "score"), at)
	m.fails(t, job.ID, found)
	if err := m.d.FinishReport(context.Background(), job, found, nil); err != nil {
		t.Fatal(err)
	}
	r := m.reports[job.ID]
	r.Status, r.Result, r.Score, r.GeneratedAt = db.Done, found.Result, found.Score, at
	m.reports[job.ID] = r
	m.past[job.ID] = append(m.past[job.ID], found.Score)
}

func (m *model) fail(t *rapid.T) {
	job := m.job(t)
	if err := m.d.FinishReport(context.Background(), job, nil, &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."}); err != nil {
		t.Fatal(err)
	}
	r := m.reports[job.ID]
	r.Status = db.Failed
	m.reports[job.ID] = r
	m.past[job.ID] = append(m.past[job.ID], failedScore)
}

func (m *model) update(t *rapid.T) {
	r := m.any(t)
	privacy := db.Privacy(rapid.IntRange(0, 1).Draw(t, "privacy"))
	c := db.Change{Privacy: &privacy, Regenerate: rapid.Bool().Draw(t, "regenerate")}
	if _, _, err := m.d.UpdateReport(context.Background(), "a", r.ID, c, nil); err != nil {
		t.Fatal(err)
	}
	r.Privacy = privacy
	if c.Regenerate {
		r.Status = db.Queued
	}
	m.reports[r.ID] = r
}

func (m *model) delete(t *rapid.T) {
	r := m.any(t)
	if err := m.d.DeleteReport(context.Background(), "a", r.ID, nil); err != nil {
		t.Fatal(err)
	}
	delete(m.reports, r.ID)
}

func (m *model) deleteProject(t *rapid.T) {
	name := m.any(t).Project.Name
	if err := m.d.DeleteProject(context.Background(), "a", strings.ToUpper(name), nil); err != nil {
		t.Fatal(err)
	}
	for id, r := range m.reports {
		if r.Project.Name == name {
			delete(m.reports, id)
		}
	}
	delete(m.budgets, name)
	delete(m.crawls, name)
	if _, err := m.d.Project(context.Background(), "a", name); !errors.Is(err, db.ErrNotFound) {
		t.Fatalf("a deleted project gives %v", err)
	}
}

func (m *model) reopen(t *rapid.T) {
	Check(t, m.d)
	if err := m.d.Close(); err != nil {
		t.Fatal(err)
	}
	m.open(t)
}

// sorted returns the reports that are wanted, by compare and then by id.
func (m *model) sorted(compare func(x, y db.Report) int, wanted func(db.Report) bool) []db.Report {
	var rows []db.Report
	for _, r := range m.reports {
		if wanted(r) {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(x, y db.Report) int {
		return cmp.Or(compare(x, y), bytes.Compare(x.ID[:], y.ID[:]))
	})
	return rows
}

var compareBy = map[sortfilter.Sort]func(x, y db.Report) int{
	sortfilter.ByID:        func(x, y db.Report) int { return 0 },
	sortfilter.ByGenerated: func(x, y db.Report) int { return x.GeneratedAt.Compare(y.GeneratedAt) },
	sortfilter.ByURL:       func(x, y db.Report) int { return strings.Compare(strings.ToLower(x.URL), strings.ToLower(y.URL)) },
	sortfilter.ByResult:    func(x, y db.Report) int { return cmp.Compare(x.Result, y.Result) },
	sortfilter.ByScore:     func(x, y db.Report) int { return cmp.Compare(x.Score, y.Score) },
}

func (m *model) query(t *rapid.T) sortfilter.Query {
	return sortfilter.Query{
		SortBy:    rapid.SampledFrom(sortfilter.ReportSorts).Draw(t, "sort"),
		Ascending: rapid.Bool().Draw(t, "ascending"),
		PerPage:   rapid.SampledFrom([]int{10, 25, 50, 100}).Draw(t, "per_page"),
		Page:      rapid.IntRange(1, 2+len(m.reports)/10).Draw(t, "page"),
		Project:   rapid.SampledFrom([]string{"", "", "MINE", "loaded", "a.example", "nowhere"}).Draw(t, "project"),
		Result:    rapid.SampledFrom([]string{"", "", "good", "decent", "bad"}).Draw(t, "result"),
		Status:    rapid.SampledFrom([]string{"", "", "", "queued", "done", "failed"}).Draw(t, "status"),
		Privacy:   rapid.SampledFrom([]string{"", "", "", "0", "1"}).Draw(t, "privacy"),
		Since:     rapid.SampledFrom(someTimes).Draw(t, "since"),
		Until:     rapid.SampledFrom(someTimes).Draw(t, "until"),
	}
}

// someTimes are moments among those at which reports of the model are generated, and none.
var someTimes = []time.Time{{}, {}, {}, time.UnixMilli(300_000_000_000).UTC(), time.UnixMilli(1_000_000_000_000).UTC()}

func (m *model) list(t *rapid.T) { m.compare(t, m.query(t)) }

func (m *model) search(t *rapid.T) {
	q := m.query(t)
	q.Search = rapid.SampledFrom([]string{"blog", "POST", "shop?x=1", "example/1", "-2", "/", "bcher", "nowhere", "h"}).Draw(t, "search")
	m.compare(t, q)
}

// compare holds a page of the database against the model's.
func (m *model) compare(t fataler, q sortfilter.Query) {
	compare := compareBy[q.SortBy]
	if q.SortBy == sortfilter.ByScore && q.Ascending { // reports without a score come last in both directions
		compare = func(x, y db.Report) int { return cmp.Compare(uint(x.Score), uint(y.Score)) }
	}
	want := m.sorted(compare, func(r db.Report) bool {
		return (q.Status == "" || q.Status == r.Status.String()) && (q.Privacy == "" || q.Privacy == strconv.Itoa(int(r.Privacy))) &&
			(q.Since.IsZero() || !r.GeneratedAt.Before(q.Since)) && (q.Until.IsZero() || !r.GeneratedAt.IsZero() && r.GeneratedAt.Before(q.Until)) &&
			(q.Project == "" || strings.EqualFold(q.Project, r.Project.Name)) && (q.Result == "" || q.Result == r.Result.String()) &&
			strings.Contains(strings.ToLower(r.URL), strings.ToLower(q.Search))
	})
	if !q.Ascending {
		slices.Reverse(want)
	}
	got, err := m.d.Reports(context.Background(), "a", q)
	if err != nil || got.Total != len(want) {
		t.Fatalf("%+v: total is %d, not %d (%v)", q, got.Total, len(want), err)
	}
	from := min((q.Page-1)*q.PerPage, len(want))
	want = want[from:min(from+q.PerPage, len(want))]
	if len(got.Rows) != len(want) {
		t.Fatalf("%+v: %d rows, not %d", q, len(got.Rows), len(want))
	}
	for i, r := range got.Rows {
		w := want[i]
		if r.ID != w.ID || r.URL != w.URL || r.Status != w.Status || r.Result != w.Result || r.Score != w.Score || r.Privacy != w.Privacy ||
			!r.GeneratedAt.Equal(w.GeneratedAt) || r.Project.Name != w.Project.Name {
			t.Fatalf("%+v: row %d is\n%+v, not\n%+v", q, i, r, w)
		}
	}
}

func (m *model) projects(t *rapid.T) {
	counts := map[string]db.Counts{}
	for _, r := range m.reports {
		c := counts[r.Project.Name]
		c.Total++
		switch r.Result {
		case audit.Good:
			c.Good++
		case audit.Decent:
			c.Decent++
		case audit.Bad:
			c.Bad++
		}
		counts[r.Project.Name] = c
	}
	needle := rapid.SampledFrom([]string{"", "EXAMPLE", "m"}).Draw(t, "needle")
	page, err := m.d.Projects(context.Background(), "a", sortfilter.Query{
		Search: needle, SortBy: rapid.SampledFrom([]sortfilter.Sort{sortfilter.ByCreated, sortfilter.ByProject}).Draw(t, "sort"), PerPage: 100, Page: 1, Ascending: true})
	if err != nil || page.Total != len(page.Rows) {
		t.Fatalf("projects: %d of %d, %v", len(page.Rows), page.Total, err)
	}
	for _, p := range page.Rows {
		if !strings.Contains(strings.ToLower(p.Name), strings.ToLower(needle)) || p.Reports != counts[p.Name] {
			t.Fatalf("project %q has %+v, not %+v", p.Name, p.Reports, counts[p.Name])
		}
		delete(counts, p.Name)
	}
	for name := range counts {
		if strings.Contains(strings.ToLower(name), strings.ToLower(needle)) {
			t.Fatalf("project %q is not listed", name)
		}
	}
}

// failedScore stands for the score of a failed generation.
const failedScore = db.NoScore - 1

// generations holds the generations of a report against the model's, and audits it again so that others have many.
func (m *model) generations(t *rapid.T) {
	r := m.any(t)
	for range rapid.IntRange(0, 5).Draw(t, "audits") {
		if _, _, err := m.d.UpdateReport(context.Background(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
			t.Fatal(err)
		}
		r.Status = db.Queued
		m.reports[r.ID] = r
		score := rapid.IntRange(0, 100).Draw(t, "score")
		at := time.UnixMilli(int64(rapid.IntRange(1, 1000).Draw(t, "at")) * 1_000_000_000).UTC()
		found := Findings(r.URL, resultFor(score), score, at)
		m.failing[r.ID] = nil
		if err := m.d.FinishReport(context.Background(), m.jobOf(t, r.ID), found, nil); err != nil {
			t.Fatal(err)
		}
		r.Status, r.Result, r.Score, r.GeneratedAt = db.Done, found.Result, score, at
		m.reports[r.ID] = r
		m.past[r.ID] = append(m.past[r.ID], score)
	}
	var got []int
	for _, g := range generationsOf(t, m.d, r.ID) {
		if g.Failure != nil {
			g.Score = failedScore
		}
		got = append(got, g.Score)
	}
	if !slices.Equal(got, m.past[r.ID]) {
		t.Fatalf("the generations of %+v have the scores %v, not %v", r, got, m.past[r.ID])
	}
}

// jobOf returns the job of a report that waits.
func (m *model) jobOf(t *rapid.T, id uuid.UUID) db.Job {
	for _, job := range m.waiting(t) {
		if job.ID == id {
			return job
		}
	}
	t.Fatalf("report %s does not wait", id)
	return db.Job{}
}
