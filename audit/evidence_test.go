package audit

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEvidenceIsBounded(t *testing.T) {
	f := exampleFacts(t, strings.Repeat("<img src=a>\n", 30))
	got := checkImageAlt(f)
	if len(got.evidence) != MaxEvidence || got.evidence[9].Line != 10 || !strings.Contains(got.detail(), "30 of 30") {
		t.Errorf("%s %+v", got.detail(), got.evidence)
	}
}

func TestOccurrencesCountWhatIsNotShown(t *testing.T) {
	many := make([]Evidence, 25)
	for _, test := range []struct {
		name string
		got  finding
		want int
	}{
		{"no place", fail(nil, "common.no-title"), 1},
		{"two places", fail(many[:2], "common.no-title"), 2},
		{"elements", checkImageAlt(exampleFacts(t, strings.Repeat("<img src=a>\n", 30))), 30},
		{"items", checkStructuredDataValid(exampleFacts(t, strings.Repeat("<script type=application/ld+json>{</script>\n", 14))), 14},
		{"directives", checkCrawlable(exampleFacts(t, strings.Repeat("<meta name=robots content=noindex>\n", 13))), 13},
		{"evidence that is cut", fail(many, "common.no-title"), 25},
		{"two kinds", fail(append(slices.Clone(many[:9]), Evidence{}, Evidence{more: 4}), "wrong"), 15},
	} {
		o := check{id: "image-alt"}.outcome(test.got)
		if o.Occurrences() != test.want || len(o.Evidence) > MaxEvidence {
			t.Errorf("%s: %d with %d shown, want %d", test.name, o.Occurrences(), len(o.Evidence), test.want)
		}
	}
}

func TestMayFailBuild(t *testing.T) {
	for _, test := range []struct {
		outcome Outcome
		want    bool
	}{
		{Outcome{ID: "image-alt", Severity: High, Status: Failed}, true},
		{Outcome{ID: "title-length", Severity: Low, Status: Failed}, true},
		{Outcome{ID: "image-alt", Severity: High, Status: Warning}, false},
		{Outcome{ID: "image-alt", Severity: High, Status: Passed}, false},
		{Outcome{ID: "ai-bots", Severity: Info, Status: Failed}, false},
		{Outcome{ID: "ttfb", Severity: High, Status: Failed}, false},
		{Outcome{ID: "load-time", Severity: Medium, Status: Failed}, false},
	} {
		if test.outcome.MayFailBuild() != test.want {
			t.Errorf("%+v", test.outcome)
		}
	}
	for _, id := range timings {
		if _, ok := Explain(id); !ok {
			t.Errorf("there is no check %s", id)
		}
	}
}

// TestEvidenceHasSelectors holds that failed checks say where to look, each place once.
func TestEvidenceHasSelectors(t *testing.T) {
	f := exampleFacts(t, `<main><img src=a><p><img src=b></p><img src=c id=c></main>`)
	got := fmt.Sprintf("%q", selectorsOf(checkImageAlt(f).evidence))
	if want := `["body > main > img:nth-of-type(1)" "body > main > p > img" "#c"]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func selectorsOf(evidence []Evidence) []string {
	var all []string
	for _, e := range evidence {
		all = append(all, e.Selector)
	}
	return all
}
