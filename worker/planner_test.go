package worker

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/db"
	"sitegrade/db/bolt"
	"sitegrade/sortfilter"
)

var plannedSchedules = flag.Int("planner.schedules", 200, "how many schedules of TestSchedulesOfOneMinute are due at once")

// TestSchedulesOfOneMinute has many schedules of several accounts due at the same moment. Each runs once, and no host gets more than two audits
// at a time. More: go test ./worker -run OneMinute -v -planner.schedules 10000 -timeout 30m
func TestSchedulesOfOneMinute(t *testing.T) {
	const accounts, hosts = 4, 10
	b := &telling{clock: newClock()}
	b.bench = newBench(t, bolt.Options{Now: b.now})
	ctx, cancel := context.WithTimeout(context.Background(), patience+time.Duration(*plannedSchedules)*200*time.Millisecond)
	defer cancel()
	var sites []*site
	for range hosts {
		sites = append(sites, newSite(t, nil))
	}
	for i := range accounts {
		b.importSchedules(fmt.Sprint("account", i), sites, *plannedSchedules/accounts)
	}
	due := b.now().Truncate(24 * time.Hour).Add(24 * time.Hour)
	b.advance(due.Sub(b.now()) + DefaultSpread)
	began := heap()
	p := NewPlanner(b.store, DefaultSpread, slog.New(slog.DiscardHandler))
	p.now = b.now
	w, stop := b.start(Options{})
	planned := make(chan struct{})
	go func() {
		p.Run(ctx)
		close(planned)
	}()
	highest := began
	for done := uint64(0); done < uint64(*plannedSchedules/accounts*accounts); done = w.Stats().Done {
		for _, s := range sites {
			for len(s.arrived) > 0 {
				<-s.arrived
			}
		}
		highest = max(highest, heap())
		select {
		case <-time.After(250 * time.Millisecond): // now and then, since looking at the heap takes a while
		case <-ctx.Done():
			t.Fatalf("%d audits are done", done)
		}
	}
	stop()
	cancel()
	<-planned
	total := 0
	for _, s := range sites {
		all, peak := s.requests()
		if total += all; peak > 2 {
			t.Errorf("%d requests to a host at once", peak)
		}
	}
	if want := *plannedSchedules / accounts * accounts; total != want {
		t.Errorf("%d audits of %d schedules", total, want)
	}
	for i := range accounts {
		b.allRan(fmt.Sprint("account", i), due.Add(24*time.Hour))
	}
	t.Logf("%d schedules; the heap has %d MB before, and at most %d MB meanwhile", total, began>>20, highest>>20)
}

// heap returns how many bytes the heap has that are used.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// importSchedules gives an account so many reports, each with a schedule that is due at the next midnight.
func (b *telling) importSchedules(account string, sites []*site, n int) {
	b.Helper()
	var lines strings.Builder
	for i := range n {
		id := fmt.Sprintf("019b7e5a-3c00-7000-8000-%012d", i)
		fmt.Fprintf(&lines, `{"kind":"report","id":%q,"url":"%s/%s/%d","result":"good"}`+"\n", id, sites[i%len(sites)].URL, account, i)
		fmt.Fprintf(&lines, `{"kind":"schedule","report":%q,"cron":"@daily"}`+"\n", id)
	}
	if _, err := b.store.Import(context.Background(), account, strings.NewReader(lines.String()), nil); err != nil {
		b.Fatal(err)
	}
}

// allRan holds that each schedule of an account has run once, and when it does so next.
func (b *telling) allRan(account string, next time.Time) {
	b.Helper()
	for q := (sortfilter.Query{PerPage: 100, Page: 1}); ; q.Page++ {
		page, err := b.store.Schedules(context.Background(), account, q)
		if err != nil {
			b.Fatal(err)
		}
		for _, s := range page.Rows {
			if s.LastRun == nil || s.LastRun.Status != db.RunDone || s.LastRun.Queued != 1 || !s.NextRun.Equal(next) {
				b.Fatalf("%+v has run as %+v, and the next run is not at %s", s, s.LastRun, next)
			}
		}
		if len(page.Rows) == 0 {
			return
		}
	}
}

// TestPlannerStartsWithinTheSpread runs a planner by a clock: schedules start after their moment, one after the other, and all within the spread.
func TestPlannerStartsWithinTheSpread(t *testing.T) {
	b := &telling{clock: newClock()}
	b.bench = newBench(t, bolt.Options{Now: b.now})
	b.importSchedules("default", []*site{newSite(t, nil)}, 20)
	p := NewPlanner(b.store, DefaultSpread, slog.New(slog.DiscardHandler))
	due := b.now().Truncate(24 * time.Hour).Add(24 * time.Hour)
	queued := func() int {
		stats, err := b.store.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return stats.Queued
	}
	b.advance(due.Sub(b.now()) - time.Millisecond)
	p.runDue(b.ctx)
	if n := queued(); n != 0 {
		t.Errorf("before their moment %d have started", n)
	}
	var seen []int
	for range 4 {
		b.advance(DefaultSpread / 4)
		p.runDue(b.ctx)
		seen = append(seen, queued())
	}
	if !slices.IsSorted(seen) || seen[0] == 0 || seen[0] == 20 || seen[3] != 20 {
		t.Errorf("of 20, the quarters of the spread see %v start", seen)
	}
}
