package audit

import (
	"slices"
	"testing"
)

func TestProblems(t *testing.T) {
	r := &Report{Checks: []Outcome{
		{ID: "low", Severity: Low, Status: Failed},
		{ID: "passed", Severity: High, Status: Passed},
		{ID: "info", Severity: Info, Status: Failed},
		{ID: "high warning", Severity: High, Status: Warning},
		{ID: "medium", Severity: Medium, Status: Failed},
		{ID: "high", Severity: High, Status: Failed},
		{ID: "high too", Severity: High, Status: Failed},
		{ID: "not applicable", Severity: High, Status: NotApplicable},
	}}
	var got []string
	for _, o := range r.Problems() {
		got = append(got, o.ID)
	}
	if want := []string{"high", "high too", "high warning", "medium", "low", "info"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
