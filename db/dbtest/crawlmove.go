package dbtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// list is a crawl of two addresses.
var list = db.NewCrawl{Mode: "list", URLs: []string{"https://example.com/2", "https://example.com/1"}, Project: "Mine"}

// FillCrawls stores crawls of the account "a" in each way in which one can stand, and returns one that is done, with so many rows.
func FillCrawls(t testing.TB, d db.Store, rows int) (done uuid.UUID) {
	t.Helper()
	options := db.NewCrawl{
		URL: "https://example.com/", MaxPages: ptr(7), MaxDepth: ptr(3), Include: []string{"/a*"}, Exclude: []string{"*b"}, Privacy: new(db.Privacy),
	}
	done = crawled(t, d, "a", options, rows, ended(db.CrawlEnded, rows))
	crawled(t, d, "a", list, 3, ended(db.CrawlStopped, 3))
	crawled(t, d, "a", db.NewCrawl{URL: "https://gone.example/"}, 0, db.CrawlEnd{Status: db.CrawlFailed, Failure: &audit.Failure{Code: audit.CodeDNS, Detail: "No such name."}})
	stopped := start(t, d, "a", db.NewCrawl{URL: "https://example.com/stopped"})
	if _, err := d.StopCrawl(t.Context(), "a", stopped.ID, nil); err != nil {
		t.Fatal(err)
	}
	start(t, d, "a", list)
	return done
}

// testCrawlsMove holds that an export brings crawls with all that they show.
func (s suite) testCrawlsMove(t *testing.T) {
	from, to := s.open(t, Options{}), s.open(t, Options{})
	auditAs(t, from, Create(t, from, "https://example.com/"), "h1 failed")
	done := FillCrawls(t, from, 700)
	lines := Export(t, from)
	if stats := Import(t, to, "", lines); stats.Imported != strings.Count(lines, "\n") || stats.Skipped != 0 {
		t.Errorf("import: %+v of %d lines", stats, strings.Count(lines, "\n"))
	}
	if again := Export(t, to); again != lines {
		differsAt(t, again, lines)
	}
	if stats := Import(t, to, "", lines); stats.Imported != 0 {
		t.Errorf("the second import: %+v", stats)
	}
	before, err := from.Crawl(t.Context(), "a", done)
	if err != nil {
		t.Fatal(err)
	}
	after, err := to.Crawl(t.Context(), "a", done)
	if err != nil || string(after.AppendJSON(nil)) != string(before.AppendJSON(nil)) {
		t.Errorf("moved is %s (%v), not %s", after.AppendJSON(nil), err, before.AppendJSON(nil))
	}
	query := sortfilter.Query{Ascending: true, PerPage: 1000, Page: 1, Search: "page/6"}
	for what, read := range map[string]func(db.Store) (any, error){
		"pages":    func(d db.Store) (any, error) { return d.CrawlPages(t.Context(), "a", done, query) },
		"links":    func(d db.Store) (any, error) { return d.CrawlLinks(t.Context(), "a", done, query) },
		"issues":   func(d db.Store) (any, error) { return d.CrawlIssues(t.Context(), "a", done, "duplicate-title", query) },
		"overview": func(d db.Store) (any, error) { return d.CrawlOverview(t.Context(), "a", done) },
		"project":  func(d db.Store) (any, error) { return d.Issues(t.Context(), "a", "example.com", records) },
	} {
		was, wasErr := read(from)
		is, isErr := read(to)
		if wasErr != nil || isErr != nil {
			t.Fatal(wasErr, isErr)
		}
		same(t, what, []any{is}, []any{was})
	}
}

// differsAt tells of the first line in which two exports differ.
func differsAt(t testing.TB, got, want string) {
	t.Helper()
	other := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(other) || line != other[i] {
			t.Fatalf("line %d is\n%s\nnot\n%s", i+1, line, other[min(i, len(other)-1)])
		}
	}
	t.Fatalf("%d lines, not %d", strings.Count(got, "\n"), strings.Count(want, "\n"))
}

// testUnfinishedCrawlsMove holds that a crawl which an export finds running begins anew where it is imported, unless it was being stopped or
// has headers, which do not move.
func (s suite) testUnfinishedCrawlsMove(t *testing.T) {
	from, to := s.open(t, Options{Secret: []byte("a secret")}), s.open(t, Options{Secret: []byte("another secret")})
	site := db.NewCrawl{URL: "https://example.com/"}
	locked := site
	locked.Headers = map[string]string{"x-staging": "open sesame"}
	runs, stops, waits := start(t, from, "a", site), start(t, from, "a", site), start(t, from, "a", list)
	sealed, over := start(t, from, "a", locked), start(t, from, "a", locked)
	for _, c := range []db.Crawl{runs, stops} {
		take(t, from, 100, c.ID)
		saw(t, from, "a", c.ID, "visits")
		if err := from.KeepCrawlRows(t.Context(), "a", c.ID, rowsOf("example.com", 300)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []db.Crawl{stops, over} {
		if _, err := from.StopCrawl(t.Context(), "a", c.ID, nil); err != nil {
			t.Fatal(err)
		}
	}
	lines := Export(t, from)
	if strings.Contains(lines, "sesame") || strings.Contains(lines, "staging") || strings.Contains(lines, "crawl_page") {
		t.Error("the export has headers, or rows of crawls that run")
	}
	news := 0
	defer to.Subscribe(func(n db.News) {
		if n.Crawls {
			news++
		}
	})()
	Import(t, to, "", lines)
	if again := Export(t, to); again != lines {
		differsAt(t, again, lines)
	}
	if news != 1 {
		t.Errorf("the crawls that wait were told of %d times", news)
	}
	for _, want := range []struct {
		id     uuid.UUID
		status db.CrawlStatus
	}{{runs.ID, db.CrawlQueued}, {stops.ID, db.CrawlStopped}, {waits.ID, db.CrawlQueued}, {sealed.ID, db.CrawlFailed}, {over.ID, db.CrawlStopped}} {
		c, err := to.Crawl(t.Context(), "a", want.id)
		if err != nil || c.Status != want.status || (c.Failure != nil) != (c.Status == db.CrawlFailed) || c.Stopping || c.Progress != (db.CrawlProgress{}) {
			t.Errorf("moved is %+v, %v, and should be %s", c, err, want.status)
		}
		if c.Status.Unfinished() != c.FinishedAt.IsZero() {
			t.Errorf("%s it ended at %s", c.Status, c.FinishedAt)
		}
	}
	take(t, to, 100, runs.ID)
	if got := visits(t, to, runs.ID, 0, 9); got != nil {
		t.Errorf("what begins anew has seen %q", got)
	}
	if c := take(t, to, 100, waits.ID); fmt.Sprint(c.URLs) != fmt.Sprint(list.URLs) {
		t.Errorf("the addresses of the list are %v", c.URLs)
	}
	takeNone(t, to, 100)
	if Import(t, from, "", lines); len(visits(t, from, runs.ID, 0, 9)) != 1 {
		t.Error("where it runs an import takes what it has seen")
	}
}

// testCrawlsAreImportedLineByLine has batches end anywhere, and lines that are wrong.
func (s suite) testCrawlsAreImportedLineByLine(t *testing.T) {
	from := s.open(t, Options{})
	done := FillCrawls(t, from, 400)
	lines := strings.SplitAfter(Export(t, from), "\n")
	to := s.open(t, Options{})
	for i := 0; i < len(lines); i += 97 { // each of which begins where the one before ended
		Import(t, to, "", strings.Join(lines[max(0, i-5):min(i+97, len(lines))], ""))
	}
	if again := Export(t, to); again != strings.Join(lines, "") {
		differsAt(t, again, strings.Join(lines, ""))
	}
	head := `"account":"a","id":"` + done.String() + `",`
	for line, want := range map[string]string{
		`{"kind":"crawl","url":"ftp://x"}`:                                                           "url",
		`{"kind":"crawl","url":"https://a.example/","status":"lost"}`:                                "status: must",
		`{"kind":"crawl","url":"https://a.example/","status":5}`:                                     "not a crawl",
		`{"kind":"crawl","url":"https://a.example/","id":"x"}`:                                       "id: must",
		`{"kind":"crawl","url":"https://a.example/","project":"a/b"}`:                                "project: must not",
		`{"kind":"crawl","url":"https://a.example/","status":"done","score":-1}`:                     "score: must",
		`{"kind":"crawl","account":"` + strings.Repeat("x", 101) + `","url":"https://a.example/"}`:   "account: must",
		`{"kind":"crawl_page","account":"a","number":0,"url":"https://a.example/"}`:                  "id: is required",
		`{"kind":"crawl_page","id":"019b7e5a-3c00-7000-8000-000000000001","account":"a","number":0}`: "id: the line of the crawl",
		`{"kind":"crawl_page",` + head + `"number":401}`:                                             "number: the line of row 400",
		`{"kind":"crawl_link",` + head + `"number":-1}`:                                              "number: must",
		`{"kind":"crawl_page",` + head + `"number":400,"status":70000}`:                              "status: must",
		`{"kind":"crawl_issue",` + head + `"number":0}`:                                              "check: is required",
	} {
		if _, err := to.Import(t.Context(), "", strings.NewReader(line), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", line, err, want)
		}
	}
	Import(t, to, "a", `{"kind":"crawl","url":"https://few.example/"}`)
	page, err := to.Crawls(t.Context(), "a", sortfilter.Query{PerPage: 10, Page: 1, Search: "few"})
	if err != nil || page.Total != 1 || page.Rows[0].Status != db.CrawlQueued || page.Rows[0].Project.Name != "few.example" || page.Rows[0].CreatedAt.IsZero() {
		t.Errorf("of a line that says little it makes %+v, %v", page, err)
	}
}
