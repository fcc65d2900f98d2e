package db

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"sitegrade/audit"
)

// planted is a report with its generations, and the class that each check must stand in.
type planted struct {
	generations []Generation
	want        map[string]string // by check; "" for no class
}

// pick returns one of some values.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// plant makes the generations of a report whose last two are to be compared, with changes of every kind.
func plant(r *rand.Rand) planted {
	p := planted{want: map[string]string{}}
	history := make([]Generation, 2+r.IntN(4))
	for i := range history {
		history[i] = Generation{Number: i + 1, Grader: 2, HTTPStatus: 200, Score: r.IntN(101)}
	}
	from, to := &history[len(history)-2], &history[len(history)-1]
	whole := pick(r, "", "", "", string(OtherGrader), string(AfterError), string(AuditFailed))
	for i := range 40 {
		id := fmt.Sprintf("check-%d", i)
		class := p.plantCheck(r, history, id)
		if whole != "" {
			class = whole
		}
		p.want[id] = class
	}
	switch Reason(whole) {
	case OtherGrader:
		from.Grader = 1
	case AfterError:
		pick(r, from, to).HTTPStatus = pick(r, 400, 404, 503)
	case AuditFailed:
		one := pick(r, from, to)
		one.Failure, one.Outcomes, one.Score = &audit.Failure{}, nil, NoScore
		for id := range p.want {
			if before, now := outcomesByID(from), outcomesByID(to); before[id] == nil && now[id] == nil {
				p.want[id] = ""
			}
		}
	}
	p.generations = history
	return p
}

var passing = []audit.Status{audit.Passed, audit.Warning, audit.NotApplicable}

// plantCheck adds a check to all generations and returns its class, or the reason why it has none.
func (p *planted) plantCheck(r *rand.Rand, history []Generation, id string) string {
	n := len(history)
	row := make([]KeptOutcome, n)
	for i := range row {
		row[i] = KeptOutcome{ID: id, Category: "seo", Severity: audit.High, Status: pick(r, passing...)}
	}
	from, to := &row[n-2], &row[n-1]
	class := pick(r, "", "still", "fixed", "regressed", "returned", string(NotChecked), "unseen", "unseen")
	switch class {
	case "still":
		from.Status, to.Status = audit.Failed, audit.Failed
	case "fixed":
		from.Status = audit.Failed
	case "regressed":
		to.Status = audit.Failed
	case "returned":
		if n < 3 {
			class = "regressed"
		} else {
			row[r.IntN(n-2)].Status = audit.Failed
		}
		to.Status = audit.Failed
	case string(NotChecked):
		from.Status = pick(r, audit.Failed, audit.Passed)
		row = row[:n-1]
	case "unseen":
		unseen := pick(r, audit.UnseenSample, audit.UnseenTimeout, audit.UnseenHost, audit.UnseenSize, audit.UnseenScript)
		class = string(unseen)
		one, other := from, to
		if r.IntN(2) == 0 {
			one, other = to, from
		}
		one.Unseen, other.Status = unseen, pick(r, audit.Failed, audit.Passed, audit.NotApplicable)
	}
	for i := range row {
		history[i].Outcomes = append(history[i].Outcomes, row[i])
	}
	return class
}

// TestDiffOfPlantedChanges compares 500 pairs of which is known what differs.
func TestDiffOfPlantedChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for i := range 500 {
		p := plant(r)
		n := len(p.generations)
		from, to := &p.generations[n-2], &p.generations[n-1]
		d := Compare(from, to)
		recall := d.Recall(to)
		for j := n - 2; j >= 0 && recall.Look(&p.generations[j]); j-- {
		}
		got := classesOf(t, d)
		for id, class := range p.want {
			if got[id] != class {
				t.Errorf("pair %d: %s is %q, not %q", i, id, got[id], class)
			}
			seen[class]++
		}
		if wantDelta := from.Score != NoScore && to.Score != NoScore; wantDelta != (d.Delta != nil) || wantDelta && *d.Delta != to.Score-from.Score {
			t.Errorf("pair %d: %d to %d gives %v", i, from.Score, to.Score, d.Delta)
		}
	}
	if len(seen) != 5+9 {
		t.Errorf("the pairs had the classes %v", seen)
	}
}

// classesOf returns the class of each check, or why it cannot be compared, and fails when one stands in two.
func classesOf(t *testing.T, d Diff) map[string]string {
	t.Helper()
	classes := map[string]string{}
	for class, entries := range map[string][]Entry{"regressed": d.Regressed, "fixed": d.Fixed, "returned": d.Returned, "still": d.Still, "": d.NotComparable} {
		for _, e := range entries {
			if classes[e.ID] != "" {
				t.Errorf("%s stands in two classes", e.ID)
			}
			if classes[e.ID] = class; class == "" {
				classes[e.ID] = string(e.Reason)
			}
			if (class == "") != (e.Reason != "") || e.Title == "" || e.Category == "" {
				t.Errorf("%s: %+v", class, e)
			}
		}
	}
	return classes
}

// TestDiffEdges has what the planted pairs do not vary.
func TestDiffEdges(t *testing.T) {
	made := func(id string, status audit.Status, unseen audit.Unseen) Generation {
		return Generation{Grader: 2, HTTPStatus: 200, Sample: "0a1b2c3d", Outcomes: []KeptOutcome{{id, "seo", audit.High, status, unseen}}}
	}
	withStatus := func(g Generation, status int) Generation { g.HTTPStatus = status; return g }
	withSample := func(g Generation, sample string) Generation { g.Sample = sample; return g }
	const id = "broken-links"
	for _, c := range []struct {
		name     string
		from, to Generation
		want     string
	}{
		{"the same sample", made(id, audit.Failed, ""), made(id, audit.Passed, audit.UnseenSample), "fixed"},
		{"another sample", made(id, audit.Failed, ""), withSample(made(id, audit.Passed, audit.UnseenSample), "ffffffff"), "sample_not_taken"},
		{"no samples", withSample(made(id, audit.Failed, ""), ""), withSample(made(id, audit.Passed, audit.UnseenSample), ""), "sample_not_taken"},
		{"the same sample, not in time", made(id, audit.Failed, ""), made(id, audit.Passed, audit.UnseenTimeout), "timeout"},
		{"http-status of an error page", withStatus(made("http-status", audit.Failed, ""), 404), made("http-status", audit.Passed, ""), "fixed"},
		{"http-status becomes an error", made("http-status", audit.Passed, ""), withStatus(made("http-status", audit.Failed, ""), 500), "regressed"},
		{"failed, then not applicable", made(id, audit.Failed, ""), made(id, audit.NotApplicable, ""), "fixed"},
		{"failed, then a warning", made(id, audit.Failed, ""), made(id, audit.Warning, ""), "fixed"},
	} {
		if got := classesOf(t, Compare(&c.from, &c.to))[id]; got != c.want && classesOf(t, Compare(&c.from, &c.to))["http-status"] != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

// TestRecall has histories of one check that fails now and did not in the generation before.
func TestRecall(t *testing.T) {
	const id = "h1"
	for history, want := range map[string]string{ // f failed, p passed, e error page, g another grader, x failed audit, u not seen; the oldest first
		"pf": "regressed", "fpf": "returned", "ppf": "regressed", "fppf": "returned", "epf": "regressed", "gpf": "regressed", "xpf": "regressed",
		"fxpf": "returned", "upf": "regressed", "fupf": "returned",
	} {
		var all []Generation
		for i, kind := range history {
			g := Generation{Number: i + 1, Grader: 2, HTTPStatus: 200, Outcomes: []KeptOutcome{{id, "seo", audit.High, audit.Failed, ""}}}
			switch kind {
			case 'p':
				g.Outcomes[0].Status = audit.Passed
			case 'e':
				g.HTTPStatus = 500
			case 'g':
				g.Grader = 1
			case 'x':
				g = Generation{Number: i + 1, Failure: &audit.Failure{}, Score: NoScore}
			case 'u':
				g.Outcomes[0].Status, g.Outcomes[0].Unseen = audit.Passed, audit.UnseenHost
			}
			all = append(all, g)
		}
		last := len(all) - 1
		d := Compare(&all[last-1], &all[last])
		recall := d.Recall(&all[last])
		for i := last - 1; i >= 0 && recall.Look(&all[i]); i-- {
		}
		if got := classesOf(t, d)[id]; got != want {
			t.Errorf("%s: %s, not %s", history, got, want)
		}
	}
}

func TestShortenedKeepsWhatBroke(t *testing.T) {
	entries := slices.Repeat([]Entry{{ID: "title-length", Category: "seo", Severity: audit.Low, Title: "The title is too short or too long"}}, 60)
	d := Diff{From: 1, To: 2, Regressed: entries[:3], Still: entries, NotComparable: entries}
	short := d.Shortened(4000)
	if n := len(short.AppendJSON(nil)); n > 4000 || len(short.Regressed) != 3 || len(short.NotComparable) != 0 || short.Omitted != 120-len(short.Still) {
		t.Errorf("%d bytes: %d regressed, %d still, %d not comparable, %d omitted", n, len(short.Regressed), len(short.Still), len(short.NotComparable), short.Omitted)
	}
	if same := d.Shortened(1 << 20); same.Omitted != 0 || len(same.Still) != 60 {
		t.Errorf("%d are omitted where all have room", same.Omitted)
	}
}
