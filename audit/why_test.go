package audit

import (
	"strings"
	"testing"

	"sitegrade/locale"
)

func TestWhy(t *testing.T) {
	outcome := func(id string, severity Severity, status Status) Outcome {
		return Outcome{ID: id, Severity: severity, Status: status, Detail: "Its " + id + " is wrong."}
	}
	all := []Outcome{
		outcome("a", Low, Failed), outcome("b", Medium, Failed), outcome("c", High, Warning), outcome("d", High, Failed),
		outcome("e", Info, Failed), outcome("f", High, Passed), outcome("g", High, NotApplicable),
	}
	tests := []struct {
		name      string
		earned    int
		strictest *ceiling
		outcomes  []Outcome
		want      string
	}{
		{"losses", 50, nil, all, "Most points are lost by: Its d is wrong (d); Its b is wrong (b); Its c is wrong (c)."},
		{"one loss", 90, nil, all[:1], "Most points are lost by: Its a is wrong (a)."},
		{"nothing", 100, nil, all[4:], "Nothing that counts is wrong."},
		{"error page", 71, &ceiling{0, locale.Worded("answers with status 500")}, all, "The score is 0 because the page answers with status 500."},
		{"limited", 71, &ceiling{49, locale.Worded("has no title")}, all, "The score cannot be higher than 49 because the page has no title; without that it would be 71."},
		{"lower than the limit", 30, &ceiling{49, locale.Worded("has no title")}, all[:1], "Most points are lost by: Its a is wrong (a)."},
	}
	for _, test := range tests {
		if got := locale.For(locale.English).Say(explain(test.earned, test.strictest, test.outcomes)); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestReportsSayWhy(t *testing.T) {
	f := exampleFacts(t, "<title>Toys</title><p>Toys")
	f.response.Status = 503
	if r := grade(f); r.Score != 0 || !strings.Contains(r.Why, "503") {
		t.Errorf("score %d: %s", r.Score, r.Why)
	}
}
