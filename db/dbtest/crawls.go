package dbtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// testCrawls has the tests of crawls.
func (s suite) testCrawls(t *testing.T) {
	t.Run("AreMade", s.testCrawlsAreMade)
	t.Run("TakeTurns", s.testCrawlsTakeTurns)
	t.Run("FromStartToEnd", s.testCrawlFromStartToEnd)
	t.Run("GoOn", s.testCrawlsGoOn)
	t.Run("AreStopped", s.testCrawlsAreStopped)
	t.Run("AreStoppedAtTheirEnd", s.testCrawlsAreStoppedAtTheirEnd)
	t.Run("AreDeleted", s.testCrawlsAreDeleted)
	t.Run("Lists", s.testListsOfCrawls)
	t.Run("Rows", s.testRowsOfCrawls)
	t.Run("Move", s.testCrawlsMove)
	t.Run("MoveUnfinished", s.testUnfinishedCrawlsMove)
	t.Run("MoveLineByLine", s.testCrawlsAreImportedLineByLine)
}

// start makes a crawl of an account.
func start(t fataler, d db.Store, account string, n db.NewCrawl) db.Crawl {
	t.Helper()
	made, _, err := d.CreateCrawl(context.Background(), account, n)
	if err != nil {
		t.Fatalf("a crawl of %s: %v", n.URL, err)
	}
	return made
}

// take claims the next crawl, and fails unless it is that one.
func take(t fataler, d db.Store, limit int, want uuid.UUID) db.ClaimedCrawl {
	t.Helper()
	c, found, err := d.ClaimCrawl(context.Background(), limit)
	if err != nil || !found || c.ID != want {
		t.Fatalf("the next crawl is %s (%t, %v), not %s", c.ID, found, err, want)
	}
	return c
}

// takeNone fails if there is a crawl to be claimed.
func takeNone(t fataler, d db.Store, limit int) {
	t.Helper()
	if c, found, err := d.ClaimCrawl(context.Background(), limit); err != nil || found {
		t.Fatalf("the crawl %s of %q is claimed, %v", c.ID, c.Account, err)
	}
}

// saw keeps pages that a crawl has audited and what Pack gives of them, and returns their reports.
func saw(t fataler, d db.Store, account string, id uuid.UUID, packed string, pages ...*audit.Report) []uuid.UUID {
	t.Helper()
	reports, err := d.AppendVisits(context.Background(), account, id, batchOf(packed, pages...))
	if err != nil || len(reports) != len(pages) {
		t.Fatalf("of %d pages of crawl %s there are %d reports, %v", len(pages), id, len(reports), err)
	}
	return reports
}

// batchOf returns a batch whose visits are a text and the ids of the reports.
func batchOf(packed string, pages ...*audit.Report) db.CrawlBatch {
	b := db.CrawlBatch{
		Progress: db.CrawlProgress{Found: len(pages) + 2, Queued: 1, Done: len(pages), UnderWay: 1},
		Limits:   []db.CrawlLimit{{Limit: "max_depth", Detail: packed, Addresses: 1}},
		Pack: func(reports []uuid.UUID) ([]byte, error) {
			if packed == "" {
				return nil, nil
			}
			return fmt.Append(nil, packed, reports), nil
		},
	}
	for _, p := range pages {
		b.Pages = append(b.Pages, db.VisitedPage{URL: p.URL, Found: p})
	}
	return b
}

// ended is how a crawl of so many pages ends.
func ended(status db.CrawlStatus, pages int) db.CrawlEnd {
	return db.CrawlEnd{
		Status: status, Progress: db.CrawlProgress{Found: pages, Done: pages}, Limits: []db.CrawlLimit{{Limit: "max_pages", Detail: "Of 7.", Addresses: 7}},
		Summary: &db.CrawlSummary{Pages: pages, Indexable: pages / 2, Decent: pages, High: 1, Why: "It could be worse."}, Score: ptr(64),
	}
}

// crawled makes and runs a crawl of an account to its end, with so many rows.
func crawled(t fataler, d db.Store, account string, n db.NewCrawl, rows int, e db.CrawlEnd, pages ...*audit.Report) uuid.UUID {
	t.Helper()
	made := start(t, d, account, n)
	take(t, d, 100, made.ID)
	saw(t, d, account, made.ID, "visits", pages...)
	if err := d.KeepCrawlRows(context.Background(), account, made.ID, rowsOf(made.Project.Name, rows)); err != nil {
		t.Fatalf("rows: %v", err)
	}
	if err := d.FinishCrawl(context.Background(), account, made.ID, e); err != nil {
		t.Fatalf("the end of a crawl: %v", err)
	}
	d.ReleaseCrawl(account, made.ID)
	return made.ID
}

func (s suite) testCrawlsAreMade(t *testing.T) {
	d := s.open(t, Options{})
	beyond := db.Password
	for field, n := range map[string]db.NewCrawl{
		"url": {}, "urls": {Mode: "list"}, "mode": {URL: "https://example.com/", Mode: "guess"}, "privacy": {URL: "https://example.com/", Privacy: &beyond},
		"max_pages": {URL: "https://example.com/", MaxPages: ptr(db.MaxCrawlPages + 1)}, "max_depth": {URL: "https://example.com/", MaxDepth: ptr(0)},
		"include": {URL: "https://example.com/", Include: []string{""}}, "project": {URL: "https://example.com/", Project: "a/b"},
		"headers": {URL: "https://example.com/", Headers: map[string]string{"x-staging": "open"}}, // without a secret
	} {
		_, _, err := d.CreateCrawl(t.Context(), "a", n)
		refusedField(t, err, field)
	}
	n := db.NewCrawl{
		URL: "HTTPS://www.Example.com", MaxPages: ptr(7), MaxDepth: ptr(3), Include: []string{"/a*"}, Exclude: []string{"*b"}, IdempotencyKey: "k",
	}
	made := start(t, d, "a", n)
	want := db.CrawlOptions{URL: "https://www.example.com/", Mode: db.CrawlLinks, Privacy: db.Private, MaxPages: 7, MaxDepth: 3, Include: []string{"/a*"}, Exclude: []string{"*b"}}
	if fmt.Sprint(made.CrawlOptions) != fmt.Sprint(want) || made.Project.Name != "example.com" || made.Status != db.CrawlQueued || made.CreatedAt.IsZero() || made.Score != nil {
		t.Errorf("made %+v", made)
	}
	if again, repeated, err := d.CreateCrawl(t.Context(), "a", n); err != nil || !repeated || again.ID != made.ID {
		t.Errorf("a repetition gives %s, %t, %v", again.ID, repeated, err)
	}
	n.MaxPages = nil
	if _, _, err := d.CreateCrawl(t.Context(), "a", n); !errors.Is(err, db.ErrIdempotencyMismatch) {
		t.Errorf("another crawl with that key gives %v", err)
	}
	if _, err := d.Crawl(t.Context(), "b", made.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	for range db.MaxOpenCrawls - 1 {
		start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	}
	_, _, err := d.CreateCrawl(t.Context(), "a", db.NewCrawl{URL: "https://example.com/"})
	refusedField(t, err, "url")
	if _, repeated, err := d.CreateCrawl(t.Context(), "a", db.NewCrawl{
		URL: "HTTPS://www.Example.com", MaxPages: ptr(7), MaxDepth: ptr(3), Include: []string{"/a*"}, Exclude: []string{"*b"}, IdempotencyKey: "k",
	}); err != nil || !repeated {
		t.Errorf("with as many as there may be a repetition gives %t, %v", repeated, err)
	}
	start(t, d, "b", db.NewCrawl{URL: "https://example.com/"})
	testHeadersOfCrawls(t, s.open(t, Options{Secret: []byte("a secret")}))
}

func testHeadersOfCrawls(t *testing.T, d db.Store) {
	n := db.NewCrawl{Mode: "list", URLs: []string{"https://b.example/1", "https://a.example/#2"}, Headers: map[string]string{"x-staging": "open"}, IdempotencyKey: "k"}
	made := start(t, d, "a", n)
	if again := start(t, d, "a", n); again.ID != made.ID || again.URL != "https://b.example/1" {
		t.Errorf("a repetition gives %+v", again)
	}
	n.Headers = map[string]string{"x-staging": "shut"}
	if _, _, err := d.CreateCrawl(t.Context(), "a", n); !errors.Is(err, db.ErrIdempotencyMismatch) {
		t.Errorf("with other headers that key gives %v", err)
	}
	c := take(t, d, 1, made.ID)
	if !slices.Equal(c.URLs, []string{"https://b.example/1", "https://a.example/"}) || !maps.Equal(c.Headers, map[string]string{"x-staging": "open"}) || c.Failure != nil {
		t.Errorf("claimed %+v", c)
	}
}

// testCrawlsTakeTurns holds that of several accounts each has its place, and that an account's crawls come by creation, of whatever host they are.
func (s suite) testCrawlsTakeTurns(t *testing.T) {
	d := s.open(t, Options{})
	takeNone(t, d, 4)
	var of = map[string][]uuid.UUID{}
	for i, c := range []struct{ account, host string }{{"a", "one"}, {"a", "one"}, {"a", "two"}, {"a", "three"}, {"a", "four"}, {"b", "one"}, {"b", "five"}} {
		of[c.account] = append(of[c.account], start(t, d, c.account, db.NewCrawl{URL: fmt.Sprintf("https://%s.example/%d", c.host, i)}).ID)
	}
	taken := map[string][]uuid.UUID{}
	next := func() string {
		t.Helper()
		c, found, err := d.ClaimCrawl(t.Context(), 4)
		if err != nil || !found || c.Status != db.CrawlRunning || c.StartedAt.IsZero() {
			t.Fatalf("claimed %+v, %t, %v", c, found, err)
		}
		taken[c.Account] = append(taken[c.Account], c.ID)
		return c.Account
	}
	if first, second := next(), next(); first == second {
		t.Errorf("the first two are both of %q", first)
	}
	next()
	takeNone(t, d, 4) // the last place is for an account that has not one
	of["c"] = append(of["c"], start(t, d, "c", db.NewCrawl{URL: "https://six.example/"}).ID)
	if account := next(); account != "c" {
		t.Errorf("the last place goes to %q", account)
	}
	takeNone(t, d, 4)
	for account, ids := range taken {
		if !slices.Equal(ids, of[account][:len(ids)]) {
			t.Errorf("%q has %v, not the first of %v", account, ids, of[account])
		}
	}
	d.ReleaseCrawl("c", of["c"][0]) // unfinished, as when its process ends
	if account := next(); account != "c" {
		t.Errorf("what was given back is not taken again, but one of %q", account)
	}
	d.ReleaseCrawl("c", of["c"][0])
	most := "a"
	if len(taken["b"]) > len(taken["a"]) {
		most = "b"
	}
	if err := d.DeleteCrawl(t.Context(), "c", of["c"][0], nil); err != nil {
		t.Fatal(err)
	}
	takeNone(t, d, 4)
	d.ReleaseCrawl(most, taken[most][1])
	take(t, d, 4, taken[most][1])
}

// testCrawlFromStartToEnd runs a crawl over a project that has reports of some of its pages.
func (s suite) testCrawlFromStartToEnd(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d := s.open(t, Options{Now: func() time.Time { return now }})
	hook(t, d, db.NewWebhook{Events: []string{"crawl.done", "report.done", "report.regressed"}})
	older, known := Create(t, d, "https://example.com/1"), Create(t, d, "https://example.com/1")
	waits := Create(t, d, "https://example.com/2")
	for _, r := range []db.Report{older, known} {
		if err := d.FinishReport(t.Context(), JobOf(t, d, r), Graded(r.URL, 30, now, "h1 failed"), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.CreateReport(t.Context(), "b", db.NewReport{URL: "https://example.com/3"}); err != nil {
		t.Fatal(err)
	}
	claimedAs(t, d, 2)
	made := start(t, d, "a", db.NewCrawl{URL: "https://example.com/1"})
	if c := take(t, d, 1, made.ID); c.Account != "a" || c.URLs != nil || c.Headers != nil {
		t.Errorf("claimed %+v", c)
	}
	now = now.Add(time.Minute)
	pages := []*audit.Report{Graded("https://example.com/1", 90, now, "h1 passed"), Graded("https://example.com/2", 70, now), Graded("https://example.com/3", 95, now)}
	reports := saw(t, d, "a", made.ID, "first ", pages...)
	if reports[0] != known.ID || reports[1] != waits.ID {
		t.Errorf("the pages that have reports became %v, not %s and %s", reports, known.ID, waits.ID)
	}
	for i, want := range []struct {
		generations int
		status      db.Status
		privacy     db.Privacy
	}{{2, db.Done, db.Public}, {1, db.Queued, db.Public}, {1, db.Done, db.Private}} {
		r, found, err := d.Report(t.Context(), "a", reports[i])
		if err != nil || r.URL != pages[i].URL || r.Status != want.status || r.Privacy != want.privacy || r.Score != pages[i].Score || found == nil {
			t.Errorf("the report of page %d is %+v, %v", i, r, err)
		}
		if n := len(generationsOf(t, d, reports[i])); n != want.generations {
			t.Errorf("the report of page %d has %d generations, not %d", i, n, want.generations)
		}
	}
	Finish(t, d, waits, audit.Good) // whoever asked for it gets an audit of its own
	if again := saw(t, d, "a", made.ID, "second ", Graded("https://example.com/3", 10, now, "h1 failed")); again[0] != reports[2] {
		t.Errorf("the page that came before has another report, %s", again[0])
	}
	saw(t, d, "a", made.ID, "")
	saw(t, d, "a", made.ID, "third ")
	want := []string{fmt.Sprint("first ", reports), fmt.Sprint("second ", reports[2:]), "third []"}
	for after := range 4 {
		if got := visits(t, d, made.ID, after, 2); !slices.Equal(got, want[min(after, 3):min(after+2, 3)]) {
			t.Errorf("behind %d the visits are %q", after, got)
		}
	}
	running, err := d.Crawl(t.Context(), "a", made.ID)
	if err != nil || running.Progress != (db.CrawlProgress{Found: 2, Queued: 1, UnderWay: 1}) || len(running.Limits) != 1 || running.Limits[0].Detail != "third " {
		t.Errorf("while it runs it is %+v, %v", running, err)
	}
	wantTold(t, d, waits.ID, reports[2])
	finishCrawl(t, d, made.ID)
	if ended, err := d.Crawl(t.Context(), "a", made.ID); err != nil || ended.Revision <= running.Revision || !ended.FinishedAt.Equal(now) {
		t.Errorf("in the end it is %+v, %v", ended, err)
	}
}

// finishCrawl ends a crawl, which keeps no visits then, and looks at what is told of it.
func finishCrawl(t *testing.T, d db.Store, id uuid.UUID) {
	t.Helper()
	for range 2 { // a process may have ended before it was finished
		if err := d.KeepCrawlRows(t.Context(), "a", id, rowsOf("example.com", 7)); err != nil {
			t.Fatal(err)
		}
	}
	if page, err := d.CrawlPages(t.Context(), "a", id, records); err != nil || page.Total != 0 {
		t.Errorf("before its end it lists %d pages, %v", page.Total, err)
	}
	if err := d.FinishCrawl(t.Context(), "a", id, ended(db.CrawlEnded, 7)); err != nil {
		t.Fatal(err)
	}
	d.ReleaseCrawl("a", id)
	due := claimedAs(t, d, 1)
	if e := due[0].Event; e.Type != db.CrawlDone || e.Crawl == nil || e.Crawl.ID != id || e.Crawl.Status != db.CrawlEnded || e.Project.Name != "example.com" {
		t.Errorf("told is %+v", e)
	}
	for deadline := time.Now().Add(patience); len(visits(t, d, id, 0, 9)) > 0; {
		if time.Now().After(deadline) {
			t.Fatal("its visits are kept")
		}
	}
	if page, err := d.CrawlPages(t.Context(), "a", id, records); err != nil || page.Total != 7 {
		t.Errorf("it lists %d pages, %v", page.Total, err)
	}
	if c, err := d.Crawl(t.Context(), "a", id); err != nil || c.Status != db.CrawlEnded || c.Result != audit.Decent || *c.Score != 64 || c.Summary.High != 1 || c.Progress.Found != 7 {
		t.Errorf("it is %+v, %v", c, err)
	}
	takeNone(t, d, 1)
}

// claimedAs returns the deliveries that are due, of which there must be so many, and delivers them.
func claimedAs(t *testing.T, d db.Store, want int) []db.DueDelivery {
	t.Helper()
	var all []db.DueDelivery
	for {
		due, _, err := d.ClaimDeliveries(t.Context(), db.Claiming{Places: 100, PerWebhook: 100})
		if err != nil {
			t.Fatal(err)
		}
		if len(due) == 0 {
			break
		}
		for _, one := range due {
			if err := d.FinishDelivery(t.Context(), one, db.Attempted{Delivered: true}); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, due...)
	}
	if len(all) != want {
		t.Fatalf("%d deliveries were due, not %d", len(all), want)
	}
	return all
}

func visits(t *testing.T, d db.Store, id uuid.UUID, after, limit int) (texts []string) {
	t.Helper()
	batches, err := d.Visits(t.Context(), "a", id, after, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		texts = append(texts, string(b))
	}
	return texts
}

// testCrawlsGoOn closes a store while a crawl runs. The next process gets it with all that was kept.
func (s suite) testCrawlsGoOn(t *testing.T) {
	o := Options{Dir: t.TempDir()}
	d, err := s.engine(o)
	if err != nil {
		t.Fatal(err)
	}
	made := start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	first := take(t, d, 1, made.ID)
	saw(t, d, "a", made.ID, "visits ", Graded("https://example.com/", 90, time.Now()))
	if err := d.KeepCrawlRows(t.Context(), "a", made.ID, rowsOf("example.com", 600)); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = s.open(t, o)
	again := take(t, d, 1, made.ID)
	if !again.StartedAt.Equal(first.StartedAt) || again.Progress.Done != 1 || len(visits(t, d, made.ID, 0, 9)) != 1 {
		t.Errorf("after its process it is %+v, and was %+v", again.Crawl, first.Crawl)
	}
	if err := d.KeepCrawlRows(t.Context(), "a", made.ID, rowsOf("example.com", 3)); err != nil {
		t.Fatal(err)
	}
	if err := d.FinishCrawl(t.Context(), "a", made.ID, ended(db.CrawlEnded, 3)); err != nil {
		t.Fatal(err)
	}
	if page, err := d.CrawlPages(t.Context(), "a", made.ID, records); err != nil || page.Total != 3 {
		t.Errorf("it has %d pages, %v: those of the first attempt are left", page.Total, err)
	}
}

// testCrawlsAreDeleted deletes a crawl while it runs, one that has ended, and those of a project.
func (s suite) testCrawlsAreDeleted(t *testing.T) {
	d := s.open(t, Options{})
	page := Graded("https://example.com/", 90, time.Now())
	runs := start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	take(t, d, 1, runs.ID)
	reports := saw(t, d, "a", runs.ID, "visits", page)
	refused := errors.New("refused")
	if err := d.DeleteCrawl(t.Context(), "a", runs.ID, func(db.Crawl) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("what its check refuses gives %v", err)
	}
	if err := d.DeleteCrawl(t.Context(), "b", runs.ID, nil); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	if err := d.DeleteCrawl(t.Context(), "a", runs.ID, nil); err != nil {
		t.Fatal(err)
	}
	isGone(t, d, runs.ID)
	d.ReleaseCrawl("a", runs.ID)
	takeNone(t, d, 1)
	if r, _, err := d.Report(t.Context(), "a", reports[0]); err != nil || r.Status != db.Done {
		t.Errorf("its report is %+v, %v", r, err)
	}
	done := crawled(t, d, "a", db.NewCrawl{URL: "https://example.com/"}, 600, ended(db.CrawlEnded, 600), page)
	if err := d.DeleteCrawl(t.Context(), "a", done, nil); err != nil {
		t.Fatal(err)
	}
	isGone(t, d, done)
	whole, waits := crawled(t, d, "a", db.NewCrawl{URL: "https://example.com/"}, 600, ended(db.CrawlEnded, 600)), start(t, d, "a", db.NewCrawl{URL: "https://example.com/"})
	other := start(t, d, "a", db.NewCrawl{URL: "https://example.com/", Project: "other"})
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	isGone(t, d, whole)
	isGone(t, d, waits.ID)
	take(t, d, 1, other.ID)
}

// isGone fails unless a crawl of the account "a" does not exist for anybody.
func isGone(t *testing.T, d db.Store, id uuid.UUID) {
	t.Helper()
	_, shown := d.Crawl(t.Context(), "a", id)
	_, stopped := d.StopCrawl(t.Context(), "a", id, nil)
	_, appended := d.AppendVisits(t.Context(), "a", id, batchOf("late", Graded("https://example.com/late", 90, time.Now())))
	_, visits := d.Visits(t.Context(), "a", id, 0, 1)
	_, pages := d.CrawlPages(t.Context(), "a", id, records)
	_, links := d.CrawlLinks(t.Context(), "a", id, records)
	_, overview := d.CrawlOverview(t.Context(), "a", id)
	for what, err := range map[string]error{
		"it": shown, "stopping it": stopped, "visits that come late": appended, "its visits": visits, "its pages": pages, "its links": links, "its overview": overview,
		"its rows": d.KeepCrawlRows(t.Context(), "a", id, rowsOf("example.com", 3)), "its end": d.FinishCrawl(t.Context(), "a", id, ended(db.CrawlEnded, 3)),
		"deleting it": d.DeleteCrawl(t.Context(), "a", id, nil),
	} {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("of a deleted crawl %s gives %v", what, err)
		}
	}
	if found := URLs(t, d, 0, Query(func(q *sortfilter.Query) { q.Search = "late" })); found != nil {
		t.Errorf("visits of a deleted crawl made %v", found)
	}
}
