package audit

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"sitegrade/locale"
)

// TestTable holds the table to the design's: the same checks in the same order, category and severity.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("testdata/checks.txt")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			want = append(want, strings.TrimSpace(line))
		}
	}
	if len(table) != len(want) {
		t.Errorf("%d checks, want %d", len(table), len(want))
	}
	for i, c := range table[:min(len(table), len(want))] {
		if got := c.category + " " + c.id + " " + string(c.severity); got != want[i] {
			t.Fatalf("check %d is %q, want %q", i, got, want[i])
		}
		words, _ := locale.For(locale.English).Check(c.id)
		if c.source == "" || c.run == nil || words.Advice == "" {
			t.Errorf("%s lacks a source, an advice or a function", c.id)
		}
	}
}

func TestArrangeRefusesWhatHasNoPlace(t *testing.T) {
	sections := []section{{id: "a", order: []string{"x", "y"}}}
	got := arrange(sections, []check{{id: "y"}}, []check{{id: "x"}})
	if len(got) != 2 || got[0].id != "x" || got[1].id != "y" || got[0].category != "a" {
		t.Errorf("%+v", got)
	}
	for name, groups := range map[string][]check{"no place": {{id: "z"}}, "twice": {{id: "x"}, {id: "x"}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			arrange(sections, groups)
		}()
	}
}

func TestScore(t *testing.T) {
	for _, c := range []struct {
		name     string
		outcomes []Outcome
		score    int
		rated    bool
	}{
		{"nothing", nil, 100, false},
		{"info only", []Outcome{{Severity: Info, Status: Failed}}, 100, false},
		{"not applicable", []Outcome{{Severity: High, Status: NotApplicable}}, 100, false},
		{"high and low", []Outcome{{Severity: High, Status: Passed}, {Severity: Low, Status: Failed}}, 91, true},
		{"a warning is half", []Outcome{{Severity: Medium, Status: Warning}, {Severity: Medium, Status: Passed}}, 75, true},
		{"rounded up", []Outcome{{Severity: Low, Status: Warning}, {Severity: Low, Status: Passed}, {Severity: Low, Status: Passed},
			{Severity: Low, Status: Passed}}, 88, true},
		{"everything fails", []Outcome{{Severity: High, Status: Failed}}, 0, true},
	} {
		if score, rated := scoreOf(c.outcomes); score != c.score || rated != c.rated {
			t.Errorf("%s: %d, %v", c.name, score, rated)
		}
	}
}

func TestResultOf(t *testing.T) {
	for score, want := range map[int]Result{100: Good, 80: Good, 79: Decent, 50: Decent, 49: Bad, 0: Bad} {
		if got := ResultOf(score); got != want {
			t.Errorf("%d is %s, want %s", score, got, want)
		}
	}
}

func TestReport(t *testing.T) {
	f := exampleFacts(t, pageOf(`<title>Wooden toys</title><meta name=description content=" Made in
		Graz "><link rel=canonical href="https://example.com/shop/page"><meta property="og:title" content=Toys>`,
		"<h1>Our <b>toys</b></h1><p>All of wood.</p>"))
	f.redirects = []string{"http://example.com/shop/page"}
	f.timings = Timings{TTFB: 12}
	r := grade(f)
	want := Page{
		Title: "Wooden toys", Description: "Made in Graz", H1: "Our toys", Lang: "en", Canonical: "https://example.com/shop/page",
		Words: 5, ContentHash: "c0", OGTitle: "Toys",
	}
	if len(r.Page.ContentHash) != 64 {
		t.Errorf("content hash %q", r.Page.ContentHash)
	}
	want.ContentHash = r.Page.ContentHash
	if r.Page != want {
		t.Errorf("page %+v", r.Page)
	}
	if r.URL != "https://example.com/shop/page" || r.HTTPStatus != 200 || r.Grader != GraderVersion || len(r.Redirects) != 1 || r.Timings.TTFB != 12 {
		t.Errorf("report %+v", r)
	}
	s := r.Summary
	if s.Passed+s.Failed+s.Warnings+s.NotApplicable != len(table) || s.High+s.Medium+s.Low > s.Failed {
		t.Errorf("summary %+v", s)
	}
	var ids []string
	counted := 0
	for _, c := range r.Categories {
		ids = append(ids, c.ID)
		counted += c.Passed + c.Failed + c.Warnings + c.NotApplicable
	}
	if strings.Join(ids, " ") != "seo performance security html ai" || counted != len(table) {
		t.Errorf("categories %+v", r.Categories)
	}
	for _, o := range r.Checks {
		holdsOutcome(t, o)
	}
}

func TestEqualTextsHaveEqualHashes(t *testing.T) {
	a := grade(exampleFacts(t, inBody("<p>One  two</p>"))).Page.ContentHash
	b := grade(exampleFacts(t, inBody("<div><i>One</i>\ntwo</div><!-- x -->"))).Page.ContentHash
	c := grade(exampleFacts(t, inBody("<p>One three</p>"))).Page.ContentHash
	if a != b || a == c {
		t.Errorf("hashes %s, %s, %s", a, b, c)
	}
	if none := grade(exampleFacts(t, inBody("<p> </p>"))).Page.ContentHash; none != "" {
		t.Errorf("hash of no text is %s", none)
	}
}

func TestSamePageSameReport(t *testing.T) {
	source := shopPage(40)
	first, err := json.Marshal(grade(exampleFacts(t, source)))
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		again, err := json.Marshal(grade(exampleFacts(t, source)))
		if err != nil {
			t.Fatal(err)
		}
		if string(again) != string(first) {
			t.Fatalf("reports differ:\n%s\n%s", first, again)
		}
	}
}

func TestTheLowestGateCounts(t *testing.T) {
	f := exampleFacts(t, "<title>A page</title><meta name=robots content=noindex><h1>A page</h1>")
	f.response.Status = 404
	if r := grade(f); r.Score != errorPageLimit || r.Result != Bad {
		t.Errorf("score %d, %v", r.Score, r.Result)
	}
}
