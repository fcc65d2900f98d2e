package view

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
)

var english = locale.For(locale.English)

func TestGauge(t *testing.T) {
	for _, c := range []struct {
		gauge Gauge
		wants []string
	}{
		{NewGauge(english, 100, audit.Good), []string{`stroke-dasharray="326.7 400"`, `aria-label="Good, 100 of 100"`}},
		{NewGauge(english, 0, audit.Bad), []string{">0</text>", `aria-label="Bad, 0 of 100"`}},
		{NewGauge(english, db.NoScore, audit.Unrated), []string{">–</text>", `aria-label="No result"`}},
	} {
		drawing := string(c.gauge.HTML())
		for _, want := range c.wants {
			if !strings.Contains(drawing, want) {
				t.Errorf("%s lacks %s", drawing, want)
			}
		}
		if c.gauge.Text != "100" && strings.Contains(drawing, "arc") {
			t.Errorf("%s has an arc", drawing)
		}
	}
	for score, want := range map[int]string{100: "good", 80: "good", 79: "decent", 50: "decent", 49: "bad", 0: "bad"} {
		if got := CategoryGauge(english, &score).Class; got != want {
			t.Errorf("a category with %d is %s, not %s", score, got, want)
		}
	}
}

// TestDrawings draws all that there are, each twice: what looks alike is the same, and nothing else is.
func TestDrawings(t *testing.T) {
	reports := map[template.HTML]string{}
	for score := db.NoScore; score <= 100; score++ {
		for _, result := range []audit.Result{audit.Unrated, audit.Bad, audit.Decent, audit.Good} {
			of := fmt.Sprint("gauge of ", score, " ", result)
			for range 2 {
				drawing := NewGauge(english, score, result).HTML()
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
		if got := NewReportRows(english, []db.Report{r})[0].State; string(got) != c.want {
			t.Errorf("%s", got)
		}
	}
}

// TestChoicesHaveWords holds that people do not read the names that programs use.
func TestChoicesHaveWords(t *testing.T) {
	for _, parameters := range [][]sortfilter.Parameter{sortfilter.ReportParameters, sortfilter.ProjectParameters} {
		list, filters := NewListChoices(english, parameters, sortfilter.Query{}), NewReportFilters(english, sortfilter.Query{})
		for _, c := range slices.Concat(list.Columns, list.Directions, list.Sizes, filters.Results, filters.Statuses, filters.Audiences, PrivacyChoices(english, db.Public)) {
			if c.Text == c.Value || strings.HasPrefix(c.Text, templates.Section) {
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

// TestManyGenerations draws the part of a long history that the page is about.
func TestManyGenerations(t *testing.T) {
	var h History
	var all []db.Generation
	for i := range 30 {
		all = append(all, db.Generation{Number: i + 1, Score: i * 3, Result: 1})
	}
	h.Draw(english, all, 7)
	if len(h.Points) != 30 || !h.Points[6].Here || h.Points[29].Here || strings.Count(h.Line, " ") != 29 {
		t.Errorf("%d points, the line %s", len(h.Points), h.Line)
	}
	for _, p := range h.Points {
		if p.X < 0 || p.X > sparkWidth || p.Y < 0 || p.Y > sparkHeight || !strings.HasPrefix(p.Title, fmt.Sprint(p.Score)) {
			t.Errorf("%+v", p)
		}
	}
	var one History
	if one.Draw(english, all[:1], 0); len(one.Points) != 0 {
		t.Error("a single score has a curve")
	}
}

func TestTrail(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.com/blog//a-post?x=1": "https://example.com › blog › a-post", "https://example.com/": "https://example.com",
	} {
		if got := trail(address); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

func TestTrend(t *testing.T) {
	day := time.Date(2027, time.January, 1, 12, 0, 0, 0, time.UTC)
	trend := NewTrend(english, []Rated{{1, day.AddDate(0, 0, 2), 100}, {0, day, 50}, {0, day.Add(time.Hour), 60}, {1, day.AddDate(0, 0, 1), 80}})
	if trend.Text != "60, 70, 80" || len(trend.Points) != 3 || !trend.Points[2].Here || trend.Points[0].Title != "60 on 1 Jan 2027" {
		t.Errorf("%+v", trend)
	}
	if one := NewTrend(english, []Rated{{0, day, 50}, {1, day, 70}}); one.Line != "" {
		t.Errorf("a single day has a curve: %+v", one)
	}
}
