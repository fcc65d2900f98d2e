package db

import (
	"testing"

	"sitegrade/audit"
)

func atMost(n int) *int { return &n }

func TestJudge(t *testing.T) {
	standing := Standing{Score: 80, Drop: 5, High: []string{"a"}, Medium: []string{"b", "c"}}
	accepted := func(check string) bool { return check == "a" || check == "c" }
	for name, test := range map[string]struct {
		budget      Budget
		plain, with bool // without and with what is accepted
	}{
		"nothing":           {Budget{}, true, true},
		"the score":         {Budget{MinScore: atMost(80)}, true, true},
		"a higher score":    {Budget{MinScore: atMost(81)}, false, false},
		"the drop":          {Budget{MaxDrop: atMost(5)}, true, true},
		"a smaller drop":    {Budget{MaxDrop: atMost(4)}, false, false},
		"one of high":       {Budget{MaxHigh: atMost(1)}, true, true},
		"not one of high":   {Budget{MaxHigh: atMost(0)}, false, true},
		"one of medium":     {Budget{MaxMedium: atMost(1)}, false, true},
		"not one of medium": {Budget{MaxMedium: atMost(0)}, false, false},
		"one term of two":   {Budget{MinScore: atMost(10), MaxDrop: atMost(0)}, false, false},
	} {
		if got := test.budget.Judge(standing, nil); got != test.plain {
			t.Errorf("%s: %v", name, got)
		}
		if got := test.budget.Judge(standing, accepted); got != test.with {
			t.Errorf("%s, with what is accepted: %v", name, got)
		}
	}
	if !(Budget{MinScore: atMost(100)}).Judge(Standing{Score: NoScore}, nil) {
		t.Error("a report without a score breaks a promise about it")
	}
}

func TestStandingOf(t *testing.T) {
	g := Generation{Score: 70, Outcomes: []KeptOutcome{
		{ID: "a", Severity: audit.High, Status: audit.Failed}, {ID: "b", Severity: audit.High, Status: audit.Warning},
		{ID: "c", Severity: audit.Medium, Status: audit.Failed}, {ID: "d", Severity: audit.Low, Status: audit.Failed},
	}}
	for before, drop := range map[int]int{90: 20, 60: 0, NoScore: 0} {
		s := StandingOf(&g, before)
		if s.Score != 70 || s.Drop != drop || len(s.High) != 1 || s.High[0] != "a" || len(s.Medium) != 1 || s.Medium[0] != "c" {
			t.Errorf("after %d: %+v", before, s)
		}
	}
}

func TestRegressed(t *testing.T) {
	high, low := Entry{ID: "h", Severity: audit.High}, Entry{ID: "l", Severity: audit.Low}
	accepted, acceptedLow := Entry{ID: "accepted", Severity: audit.High}, Entry{ID: "accepted low", Severity: audit.Low}
	isAccepted := func(check string) bool { return check == accepted.ID || check == acceptedLow.ID }
	for name, test := range map[string]struct {
		budget      Budget
		diff        *Diff
		before, now audit.Result
		want        bool
	}{
		"the first":                            {Budget{}, nil, audit.Unrated, audit.Bad, false},
		"worse, and nothing known of it":       {Budget{}, nil, audit.Good, audit.Decent, true},
		"as before":                            {Budget{}, &Diff{}, audit.Good, audit.Good, false},
		"a failure of low severity":            {Budget{}, &Diff{Regressed: []Entry{low}}, audit.Good, audit.Good, false},
		"one of high severity":                 {Budget{}, &Diff{Regressed: []Entry{high}}, audit.Good, audit.Good, true},
		"one of high severity again":           {Budget{}, &Diff{Returned: []Entry{high}}, audit.Good, audit.Good, true},
		"one that was there":                   {Budget{}, &Diff{Still: []Entry{high}}, audit.Good, audit.Good, false},
		"one that is accepted":                 {Budget{}, &Diff{Regressed: []Entry{accepted}}, audit.Good, audit.Good, false},
		"worse by what is accepted":            {Budget{}, &Diff{Regressed: []Entry{accepted, acceptedLow}}, audit.Good, audit.Bad, false},
		"worse by that and another":            {Budget{}, &Diff{Regressed: []Entry{accepted, low}}, audit.Good, audit.Bad, true},
		"worse without a failure":              {Budget{}, &Diff{}, audit.Good, audit.Decent, true},
		"a drop that the budget allows":        {Budget{MaxDrop: atMost(5)}, &Diff{Delta: atMost(-5)}, audit.Good, audit.Good, false},
		"a drop that it does not allow":        {Budget{MaxDrop: atMost(5)}, &Diff{Delta: atMost(-6)}, audit.Good, audit.Good, true},
		"a rise, where no drop at all is good": {Budget{MaxDrop: atMost(0)}, &Diff{Delta: atMost(6)}, audit.Good, audit.Good, false},
	} {
		if got := test.budget.Regressed(test.diff, test.before, test.now, isAccepted); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
