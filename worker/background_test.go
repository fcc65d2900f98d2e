package worker

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/bolt"
)

// schedule has all reports of a project queued as a schedule does it.
func (b *bench) schedule(project string, want int) {
	b.Helper()
	s, _, err := b.store.CreateSchedule(b.ctx, "default", db.NewSchedule{Project: project, Cron: "@yearly"})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := b.store.UpdateSchedule(b.ctx, "default", s.ID, db.ScheduleChange{Run: true}, nil); err != nil {
		b.Fatal(err)
	}
	if queued, _, err := b.store.RunSchedules(b.ctx, 0, want+1); err != nil || queued != want {
		b.Fatalf("%d reports are queued, %v", queued, err)
	}
}

// A schedule whose pages are all slow takes neither every place, nor those of its own account or of its sites, from people.
func TestPeopleComeBeforeSchedules(t *testing.T) {
	const pages = 24
	b := newBench(t, bolt.Options{})
	gate, arrived := make(chan struct{}), make(chan string, 100)
	sites := make([]*site, 8)
	first, stop := b.start(Options{})
	for i := range pages {
		if i < len(sites) {
			sites[i] = newSite(t, gate)
			sites[i].arrived = arrived
		}
		n := i % len(sites)
		id := b.createIn("all", fmt.Sprintf("%s/%d/%d", sites[n].URL, n, i))
		<-arrived
		gate <- struct{}{}
		b.wait(first, id)
	}
	stop()
	b.schedule("all", pages)
	w, _ := b.start(Options{Audits: 8})
	next := func() string {
		b.Helper()
		select {
		case path := <-arrived:
			return path
		case <-b.ctx.Done():
			b.Fatal("no request comes")
			return ""
		}
	}
	busy := map[string]bool{}
	for range 3 { // what one account has of the six places of schedules
		busy[next()[:2]] = true
	}
	free := newSite(t, nil)
	b.wait(w, b.createIn("other", free.URL+"/"))
	if len(busy) != 3 || len(arrived) > 0 {
		t.Errorf("schedules have audits of %d sites under way and %d more, not 3", len(busy), len(arrived))
	}
	site := sites[slices.Collect(maps.Keys(busy))[0][1]-'0']
	mine := b.createIn("all", site.URL+"/mine") // the schedule has one place of the site, and people the other
	if path := next(); path != "/mine" {
		t.Errorf("it began %s", path)
	}
	close(gate)
	b.wait(w, mine)
	for range pages - 3 {
		next()
	}
	for _, s := range sites {
		if _, peak := s.requests(); peak > 2 {
			t.Errorf("%d requests to a site at once", peak)
		}
	}
}

// createIn makes a report in a project.
func (b *bench) createIn(project, address string) uuid.UUID {
	b.Helper()
	r, err := b.store.CreateReport(b.ctx, "default", db.NewReport{URL: address, Project: project})
	if err != nil {
		b.Fatal(err)
	}
	return r.ID
}
