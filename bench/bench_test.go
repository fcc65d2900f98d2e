package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// countedReports returns a small data set and its reports.
func countedReports(t *testing.T, n int) (*dataset, []reportLine) {
	t.Helper()
	set, err := makeDataset(t.TempDir(), n)
	if err != nil {
		t.Fatal(err)
	}
	var reports []reportLine
	if err := readLines(set.path, func(line *reportLine) error {
		if line.Kind == "report" {
			reports = append(reports, *line)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return set, reports
}

func TestDatasetIsWhatItSays(t *testing.T) {
	const n = 20_000
	set, reports := countedReports(t, n)
	if len(reports) != n {
		t.Fatalf("%d reports, want %d", len(reports), n)
	}
	shares := map[string]int{}
	for i, r := range reports {
		if len(r.URL) < 20 || len(r.URL) > 150 {
			t.Errorf("%s has %d bytes", r.URL, len(r.URL))
		}
		if i > 0 && r.ID.String() <= reports[i-1].ID.String() {
			t.Errorf("id %s comes after %s", r.ID, reports[i-1].ID)
		}
		if r.Result == nil {
			shares["none"]++
		} else {
			shares[*r.Result]++
		}
		for _, needle := range []string{rareNeedle, missingNeedle, likelyNeedle, commonNeedle, frequentNeedle} {
			if strings.Contains(strings.ToLower(r.URL), needle) {
				shares[needle]++
			}
		}
	}
	for what, want := range map[string]int{
		"good": n / 2, "decent": n * 30 / 100, "bad": n * 15 / 100, "none": n * 5 / 100, commonNeedle: n * 15 / 100, rareNeedle: rareCount, missingNeedle: 0, likelyNeedle: 0,
		frequentNeedle: n * 80 / 100,
	} {
		if got := shares[what]; got < want*9/10 || got > want*11/10 {
			t.Errorf("%s: %d reports, want about %d", what, got, want)
		}
	}
	if top, median := set.top().reports, set.median().reports; top < 10*median || median == 0 {
		t.Errorf("the top project has %d reports and the median one %d: want a steep fall", top, median)
	}
}

func TestDatasetIsTheSameAgain(t *testing.T) {
	var texts [2]string
	for i := range texts {
		set, err := makeDataset(t.TempDir(), smallestSet)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(set.path)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	if texts[0] != texts[1] {
		t.Error("the same size gave different lines")
	}
}

func TestMixHasTheSameKindsForEverySize(t *testing.T) {
	small, _ := countedReports(t, smallestSet)
	large, _ := countedReports(t, 5*smallestSet)
	seen := map[string]bool{}
	for i, k := range mix(small) {
		if other := mix(large)[i]; other.name != k.name {
			t.Errorf("kind %d is %q for one size and %q for another", i, k.name, other.name)
		}
		if seen[k.name] {
			t.Errorf("two kinds are called %q", k.name)
		}
		seen[k.name] = true
	}
}

// openTempDir returns a directory that other users may enter, as the PostgreSQL server must where the test runs as root.
func openTempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEnginesAgree asks all engines that the machine has for all kinds of list.
func TestEnginesAgree(t *testing.T) {
	set, _ := countedReports(t, smallestSet)
	env := &environment{set: set}
	for _, name := range engineNames {
		e := newEngine(name)
		err := openNew(e, filepath.Join(openTempDir(t), name))
		if errors.Is(err, errNoPostgres) {
			t.Logf("%s is left out: %v", name, err)
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		env.engines = append(env.engines, e)
		t.Cleanup(func() {
			if err := e.close(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if err := e.load(set.path); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	r := &results{}
	if err := (&bench{}).agree(r, env, env); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.differences {
		t.Error(d)
	}
	for _, e := range env.engines {
		if err := e.create("https://" + set.top().name + "/created"); err != nil {
			t.Errorf("%s: create: %v", e.name(), err)
		}
		if err := e.show(set.ids[0]); err != nil {
			t.Errorf("%s: show: %v", e.name(), err)
		}
	}
}

func TestDifferencesAreSeen(t *testing.T) {
	set, _ := countedReports(t, smallestSet)
	same := answer{ids: set.ids[:3], total: 3}
	for name, other := range map[string]answer{
		"another total": {ids: set.ids[:3], total: 4},
		"another order": {ids: append(set.ids[1:3:3], set.ids[0]), total: 3},
		"a row less":    {ids: set.ids[:2], total: 3},
	} {
		answers := []namedAnswer{{from: "sqlite", answer: same}, {from: "sitegrade", answer: other}}
		if len(differences(kind{name: "newest"}, answers)) != 1 {
			t.Errorf("%s is not seen", name)
		}
	}
}

func TestOpenLoopWaitsForNobody(t *testing.T) {
	var calls atomic.Int64
	release := make(chan struct{})
	s, err := openLoop(1000, 20*time.Millisecond, func(n int) error {
		if calls.Add(1) == 20 {
			close(release)
		}
		<-release
		return nil
	})
	if err != nil || calls.Load() != 20 || s.p99 <= 0 {
		t.Errorf("%d calls, %v, %v", calls.Load(), s, err)
	}
	failed := errors.New("failed")
	if _, err := openLoop(1000, 5*time.Millisecond, func(n int) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("a call that fails gives %v", err)
	}
}

func TestSample(t *testing.T) {
	r := &recorder{total: 2 * time.Second}
	for i := 200; i > 0; i-- {
		r.took = append(r.took, time.Duration(i)*time.Millisecond)
	}
	if got, want := r.sample(), (sample{101 * time.Millisecond, 199 * time.Millisecond, 100}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}
