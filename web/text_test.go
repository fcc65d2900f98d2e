package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/assets"
)

func TestTexts(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{count(0, "report"), "0 reports"},
		{count(1, "report"), "1 report"},
		{count(1_234_567, "report"), "1,234,567 reports"},
		{grouped(999), "999"},
		{grouped(1000), "1,000"},
		{shorten(5, "abcde"), "abcde"},
		{shorten(5, "äöüßxyz"), "äöüß…"},
		{shorten(5, "abc def"), "abc…"},
		{trail("https://example.com/blog//a-post?x=1"), "https://example.com › blog › a-post"},
		{trail("https://example.com/"), "https://example.com"},
	} {
		if test.got != test.want {
			t.Errorf("%q, not %q", test.got, test.want)
		}
	}
}

func TestLinkable(t *testing.T) {
	for address, want := range map[string]bool{
		"http://a/": true, "https://a/": true, "javascript:alert(1)": false, "data:text/html,x": false, "//a/": false, "": false, " http://a/": false,
	} {
		if got := linkable(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

// rendered returns what a template makes of data.
func rendered(t *testing.T, page, name string, data any) string {
	t.Helper()
	var b strings.Builder
	if err := loadPages(assets.Load())[page].ExecuteTemplate(&b, name, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGauge(t *testing.T) {
	draw := func(g gauge) string { return string(g.HTML()) }
	contains(t, draw(newGauge(100, audit.Good)), `stroke-dasharray="326.7 400"`, `aria-label="Good, 100 of 100"`)
	contains(t, draw(newGauge(0, audit.Bad)), ">0</text>", `aria-label="Bad, 0 of 100"`)
	lacks(t, draw(newGauge(0, audit.Bad)), "arc")
	contains(t, draw(newGauge(db.NoScore, audit.Unrated)), ">–</text>", `aria-label="No result"`)
	for score, want := range map[int]string{100: "good", 80: "good", 79: "decent", 50: "decent", 49: "bad", 0: "bad"} {
		if got := categoryGauge(&score).Class; got != want {
			t.Errorf("a category with %d is %s, not %s", score, got, want)
		}
	}
}

// TestDrawings draws all that there are, each twice: what looks alike is the same, and nothing else is.
func TestDrawings(t *testing.T) {
	reports := map[template.HTML]string{}
	for score := db.NoScore; score <= 100; score++ {
		for result := range verdicts {
			of := fmt.Sprint("gauge of ", score, " ", result)
			for range 2 {
				drawing := newGauge(score, result).HTML()
				if other, ok := reports[drawing]; ok && other != of {
					t.Fatalf("%s looks like %s", of, other)
				}
				reports[drawing] = of
			}
		}
	}
	for _, c := range []struct {
		status  db.Status
		privacy db.Privacy
		want    string
	}{
		{db.Queued, db.Public, `<p class="state"><span class="badge busy">Queued</span><span class="privacy">Public</span></p>`},
		{db.Running, db.Private, `<p class="state"><span class="badge busy">Running</span><span class="privacy">Private</span></p>`},
		{db.Done, db.Password, `<p class="state"><span class="badge good">Good</span><span class="privacy">Password</span></p>`},
		{db.Failed, db.Public, `<p class="state"><span class="badge bad">Failed</span><span class="privacy">Public</span></p>`},
	} {
		r := db.Report{Status: c.status, Privacy: c.privacy, Result: audit.Good, Score: 90}
		if got := newReportRows([]db.Report{r})[0].State; string(got) != c.want {
			t.Errorf("%s", got)
		}
	}
}

func TestRowsAreEscaped(t *testing.T) {
	const evil = `<script>"'&`
	rows := rendered(t, "reports", "main", reportsPage{Rows: newReportRows([]db.Report{{
		URL: "https://" + evil, Project: db.ProjectRef{Name: evil}, Status: db.Failed, Failure: &audit.Failure{Detail: evil},
	}})})
	lacks(t, rows, "<script", evil)
	contains(t, rows, "&lt;script&gt;&#34;&#39;&amp;")
}

// TestChoicesHaveWords holds that people do not read the names that programs use.
func TestChoicesHaveWords(t *testing.T) {
	for _, parameters := range [][]sortfilter.Parameter{sortfilter.ReportParameters, sortfilter.ProjectParameters} {
		list := newListChoices(parameters, sortfilter.Query{})
		for _, c := range slices.Concat(list.Columns, list.Directions, list.Sizes, resultChoices(sortfilter.Query{}), privacyChoices(db.Public)) {
			if c.Text == c.Value {
				t.Errorf("%q has no words", c.Value)
			}
		}
		if len(list.Columns) < 2 || len(list.Directions) != 2 || len(list.Sizes) < 2 {
			t.Errorf("%+v", list)
		}
	}
}

func TestIssuesAreSorted(t *testing.T) {
	found := &audit.Report{Checks: []audit.Outcome{
		{ID: "a", Severity: audit.Low, Status: audit.Failed}, {ID: "b", Severity: audit.High, Status: audit.Warning}, {ID: "c", Severity: audit.Info, Status: audit.Failed},
		{ID: "d", Severity: audit.High, Status: audit.Failed}, {ID: "e", Severity: audit.High, Status: audit.Passed}, {ID: "f", Severity: audit.Low, Status: audit.Failed},
	}}
	toFix, hints := issues(found)
	ids := ""
	for _, i := range append(toFix, hints...) {
		ids += i.ID
	}
	if ids != "dbafc" || len(hints) != 1 {
		t.Errorf("sorted as %s with %d hints", ids, len(hints))
	}
}
