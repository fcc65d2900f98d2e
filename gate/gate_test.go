package gate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/weburl"
)

// page returns a page whose checks failed in so many places. Words before the number are severities and other outcomes: "low csp 1".
func page(t *testing.T, url string, findings ...string) Page {
	t.Helper()
	u, err := weburl.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	r := &audit.Report{Score: 70}
	for _, f := range findings {
		var severity, id string
		var n int
		if _, err := fmt.Sscan(f, &severity, &id, &n); err != nil {
			t.Fatal(f, err)
		}
		o := audit.Outcome{ID: id, Severity: audit.Severity(severity), Status: audit.Failed, Evidence: make([]audit.Evidence, n)}
		if severity == "warning" {
			o.Severity, o.Status = audit.High, audit.Warning
		}
		r.Checks = append(r.Checks, o)
	}
	return NewPage(u, r)
}

func TestNewAndAbsent(t *testing.T) {
	shop := page(t, "https://example.com/shop?a=1", "high image-alt 2", "low csp 0")
	baseline := Count([]Page{shop, page(t, "https://example.com/", "medium canonical 1")})
	for _, test := range []struct {
		name   string
		pages  []Page
		fresh  string
		absent string
	}{
		{"the same", []Page{shop}, "", ""},
		{"on another host", []Page{page(t, "http://preview.test:8080/shop?a=1", "high image-alt 2", "low csp 0")}, "", ""},
		{"in another order, with other severities", []Page{page(t, "https://example.com/shop?a=1", "high csp 1", "low image-alt 2")}, "", ""},
		{"twice, then three times", []Page{page(t, "https://example.com/shop?a=1", "high image-alt 3", "low csp 1")}, "image-alt on /shop?a=1 (3 places, 2 before)", ""},
		{"twice, then once", []Page{page(t, "https://example.com/shop?a=1", "high image-alt 1", "low csp 1")}, "", ""},
		{"another query", []Page{page(t, "https://example.com/shop?a=2", "low csp 1")}, "csp on /shop?a=2", ""},
		{"another check, and one is gone", []Page{page(t, "https://example.com/shop?a=1", "high image-alt 2", "low hsts 1")}, "hsts on /shop?a=1", "csp on /shop?a=1"},
		{"the path on two hosts", []Page{shop, page(t, "https://example.org/shop?a=1", "low csp 1")}, "csp on /shop?a=1 (2 places, 1 before)", ""},
		{"a page twice", []Page{shop, shop}, "", ""},
		{"what never fails a build", []Page{page(t, "https://example.com/", "medium canonical 1", "info ai-bots 1", "high ttfb 1", "warning hsts 1")}, "", ""},
		{"nothing any more", []Page{page(t, "https://example.com/"), page(t, "https://example.com/shop?a=1")}, "", "canonical on /, csp on /shop?a=1, image-alt on /shop?a=1"},
	} {
		for range 2 {
			run := Compare(test.pages, baseline)
			if fresh, absent := run.list(run.New()), (&Comparison{}).list(run.Absent()); fresh != test.fresh || absent != test.absent {
				t.Errorf("%s: new %q, absent %q", test.name, fresh, absent)
			}
			slices.Reverse(test.pages) // the order does not matter
		}
	}
}

func TestBaseline(t *testing.T) {
	pages := []Page{
		page(t, "https://example.com/b?x=1&y=<2>", "high image-alt 12", "low csp 0"),
		page(t, "https://example.com/a", "medium hsts 1"),
	}
	text, err := Count(pages).AppendBaseline(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "version": 1,
  "findings": {
    "/a": {
      "hsts": 1
    },
    "/b?x=1&y=%3C2%3E": {
      "csp": 1,
      "image-alt": 12
    }
  }
}
`
	if string(text) != want {
		t.Errorf("the baseline is\n%s", text)
	}
	slices.Reverse(pages)
	slices.Reverse(pages[1].Found)
	if again, err := Count(pages).AppendBaseline(nil); err != nil || string(again) != want {
		t.Errorf("in another order it is\n%s%v", again, err)
	}
	read, err := ReadBaseline(strings.NewReader(want))
	if err != nil || len(read) != 3 || len(Compare(pages, read).New()) != 0 {
		t.Errorf("read: %v, %v", read, err)
	}
	empty, err := Count(nil).AppendBaseline(nil)
	if err != nil {
		t.Fatal(err)
	}
	if read, err := ReadBaseline(strings.NewReader(string(empty))); err != nil || read == nil || len(Compare(pages, read).New()) != 3 {
		t.Errorf("%s is read as %v, %v", empty, read, err)
	}
}

func TestBaselinesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "it is no baseline",
		"[]":                                "it is no baseline",
		"{}":                                "version is 0",
		`{"version": 2}`:                    "version is 2",
		`{"version": 1}`:                    "it has no findings",
		`{"version": 1, "findings": {}} {}`: "behind its end",
		`{"version": 1, "findings": {}, "more": 1}`:           `unknown field "more"`,
		`{"version": 1, "findings": {"a": {}}}`:               `"a" is no path`,
		`{"version": 1, "findings": {"/": {"csp": 0}}}`:       "csp on / has 0 places",
		`{"version": 1, "findings": {"/": {"csp": "often"}}}`: "it is no baseline",
	} {
		if _, err := ReadBaseline(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestConditions(t *testing.T) {
	for terms, want := range map[string]Conditions{
		"new":                     {New: true},
		"high":                    {Severity: audit.High},
		"high, low,medium":        {Severity: audit.Low},
		"low,high":                {Severity: audit.Low},
		"score<80":                {Score: 80},
		"score<0":                 {},
		"score<50,score<100,new":  {New: true, Score: 100},
		"new,medium,medium,new":   {New: true, Severity: audit.Medium},
		"score<007,high,score<05": {Severity: audit.High, Score: 7},
	} {
		if got, err := ParseConditions(terms); err != nil || got != want {
			t.Errorf("%s: %+v, %v", terms, got, err)
		}
	}
	for terms, want := range map[string]string{
		"":           "a term is missing",
		"new,":       "a term is missing",
		"info":       `"info" is not new, high, medium, low or score<N`,
		"New":        `"New" is not`,
		"critical":   `"critical" is not`,
		"score<=80":  `"=80" is not a score`,
		"score<101":  `"101" is not a score`,
		"score<-1":   `"-1" is not a score`,
		"score<":     `"" is not a score`,
		"score< 80":  `" 80" is not a score`,
		"score>80":   `"score>80" is not`,
		"high;low":   `"high;low" is not`,
		"score<80.5": `"80.5" is not a score`,
	} {
		if _, err := ParseConditions(terms); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", terms, err, want)
		}
	}
}

func TestJudge(t *testing.T) {
	good, bad := page(t, "https://example.com/good", "info ai-bots 1", "high ttfb 1"), page(t, "https://example.com/bad", "medium canonical 3")
	good.Score = 95
	run := []Page{good, bad}
	known := Count(run)
	fewer := Counts{Key{"/bad", "canonical"}: 2}
	for _, test := range []struct {
		terms    string
		baseline Counts
		want     string
	}{
		{"new", known, ""},
		{"new", fewer, "1 finding is new: canonical on /bad (3 places, 2 before)"},
		{"new", Counts{}, "1 finding is new: canonical on /bad"},
		{"high", known, ""},
		{"medium", known, "1 of 2 pages have failures of severity medium or worse"},
		{"low", known, "1 of 2 pages have failures of severity low or worse"},
		{"score<70", known, ""},
		{"score<71", known, "1 of 2 scores are under 71"},
		{"score<96,new,low", Counts{}, "1 finding is new: canonical on /bad; 1 of 2 pages have failures of severity low or worse; 2 of 2 scores are under 96"},
	} {
		conditions, err := ParseConditions(test.terms)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(conditions.Judge(Compare(run, test.baseline)), "; "); got != test.want {
			t.Errorf("%s: %s, want %s", test.terms, got, test.want)
		}
	}
	if got := (Conditions{}).Judge(Compare(run, Counts{})); len(got) != 0 {
		t.Errorf("no condition: %s", got)
	}
}

func TestJudgeNamesAFewOfMany(t *testing.T) {
	var many []string
	for i := range 14 {
		many = append(many, fmt.Sprintf("low check-%02d 1", i))
	}
	got := Conditions{New: true}.Judge(Compare([]Page{page(t, "https://example.com/", many...)}, Counts{}))
	if len(got) != 1 || !strings.HasPrefix(got[0], "14 findings are new: check-00 on /, ") || !strings.HasSuffix(got[0], "check-09 on /, and 4 more") {
		t.Errorf("%q", got)
	}
}

func TestFingerprintsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range []Key{{"/", "csp"}, {"/", "hsts"}, {"/a", "csp"}, {"/a?csp", ""}} {
		if f := k.Fingerprint(); len(f) != 32 || seen[f] {
			t.Errorf("%v has %s", k, f)
		} else {
			seen[f] = true
		}
	}
}
