package postgres

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/dbtest"
	"sitegrade/db/postgres/pgtest"
)

// servers opens a database several times, as the servers of a fleet do.
func servers(t *testing.T, n int) []*DB {
	t.Helper()
	address := pgtest.New(t)
	all := make([]*DB, n)
	for i := range all {
		var err error
		if all[i], err = Open(t.Context(), address, Options{}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := all[i].Close(); err != nil {
				t.Error(err)
			}
		})
	}
	return all
}

// TestOneServerAsksAHost claims jobs of one host on three servers: that which has the first gets the others too, until it has let go of all.
func TestOneServerAsksAHost(t *testing.T) {
	fleet := servers(t, 3)
	var jobs []db.Job
	for i := range 3 {
		jobs = append(jobs, dbtest.JobOf(t, fleet[0], dbtest.Create(t, fleet[0], fmt.Sprintf("https://www.example.com/%d", i))))
	}
	other := dbtest.JobOf(t, fleet[0], dbtest.Create(t, fleet[0], "https://example.org/"))
	for i, step := range []struct {
		server int
		job    db.Job
		want   bool
	}{{0, jobs[0], true}, {1, jobs[0], false}, {1, jobs[1], false}, {0, jobs[1], true}, {2, jobs[2], false}, {2, other, true}} {
		if got, err := fleet[step.server].Claim(t.Context(), step.job); err != nil || got != step.want {
			t.Errorf("claim %d gives %t, %v", i, got, err)
		}
	}
	for _, j := range jobs[:2] {
		if err := fleet[0].Release(t.Context(), j); err != nil {
			t.Fatal(err)
		}
	}
	for range time.Tick(lookEvery) { // server 2 believes for so long that another has it
		if got, err := fleet[2].Claim(t.Context(), jobs[2]); err != nil || got {
			break
		}
	}
}

// TestDeadServer has a server claim jobs and prove its life no longer: another gets them, and what the first one still brings is dropped.
func TestDeadServer(t *testing.T) {
	fleet := servers(t, 2)
	r := dbtest.Create(t, fleet[0], "https://example.com/")
	job := dbtest.JobOf(t, fleet[0], r)
	if got, err := fleet[0].Claim(t.Context(), job); err != nil || !got {
		t.Fatal(got, err)
	}
	if jobs, err := fleet[1].Waiting(t.Context(), "a", db.Job{}, 10); err != nil || len(jobs) != 0 {
		t.Errorf("what another audits is offered: %v, %v", jobs, err)
	}
	heard := make(chan db.News, 100)
	defer fleet[1].Subscribe(func(n db.News) { heard <- n })()
	fleet[0].close() // its beats
	if err := fleet[1].pool.Direct(t.Context()).Write("UPDATE servers SET until = now() WHERE id = $1", fleet[0].me()); err != nil {
		t.Fatal(err)
	}
	for range heard { // it also hears of other things
		if jobs, err := fleet[1].Waiting(t.Context(), "a", db.Job{}, 10); err != nil || len(jobs) > 0 {
			break
		}
	}
	if got, err := fleet[1].Claim(t.Context(), job); err != nil || !got {
		t.Fatalf("the job of a dead server is refused: %t, %v", got, err)
	}
	if err := fleet[0].FinishReport(t.Context(), job, dbtest.Findings(r.URL, audit.Bad, 10, time.Now()), nil); err != nil {
		t.Error(err)
	}
	if err := fleet[1].FinishReport(t.Context(), job, dbtest.Findings(r.URL, audit.Good, 90, time.Now()), nil); err != nil {
		t.Error(err)
	}
	if shown, _, err := fleet[0].Report(t.Context(), "a", r.ID); err != nil || shown.Result != audit.Good || shown.Status != db.Done {
		t.Errorf("it is %+v, %v", shown, err)
	}
	if page, err := fleet[0].Generations(t.Context(), "a", r.ID, dbtest.Query(nil)); err != nil || page.Total != 1 {
		t.Errorf("%d generations, %v", page.Total, err)
	}
}

// TestServerThatWasTakenForDead goes on under another id.
func TestServerThatWasTakenForDead(t *testing.T) {
	d := servers(t, 1)[0]
	before := d.me()
	if err := d.pool.Direct(t.Context()).Write("DELETE FROM servers"); err != nil {
		t.Fatal(err)
	}
	if err := d.beat(context.Background()); err != nil || d.me() == before || d.Servers() != 1 {
		t.Errorf("it is still %s, %d servers, %v", d.me(), d.Servers(), err)
	}
}

// TestServersShare has what one server notes hold on another: uses of allowances, and which creates are being served, until that server is gone.
func TestServersShare(t *testing.T) {
	fleet := servers(t, 2)
	of := []db.Allowance{{Kind: "a", Of: "x"}}
	for i, d := range fleet {
		if err := d.UseAllowances(t.Context(), of, func(back []time.Duration) {
			if got := back[0].Round(time.Hour); got != time.Duration(i)*time.Hour {
				t.Errorf("server %d sees %v", i, got)
			}
			back[0] += time.Hour
		}); err != nil {
			t.Fatal(err)
		}
		if err := d.beat(t.Context()); err != nil || d.Servers() != 2 {
			t.Errorf("server %d counts %d, %v", i, d.Servers(), err)
		}
	}
	n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
	end, err := fleet[0].Serve(t.Context(), "a", n)
	if err != nil {
		t.Fatal(err)
	}
	other := n
	other.URL = "https://example.com/other"
	for _, step := range []struct {
		n    db.NewReport
		want error
	}{{n, db.ErrBeingServed}, {other, db.ErrIdempotencyMismatch}} {
		if _, err := fleet[1].Serve(t.Context(), "a", step.n); !errors.Is(err, step.want) {
			t.Errorf("another server gets %v, not %v", err, step.want)
		}
	}
	end()
	if end, err = fleet[1].Serve(t.Context(), "a", n); err != nil {
		t.Fatalf("once it has ended: %v", err)
	}
	end()
	if _, err := fleet[0].Serve(t.Context(), "a", n); err != nil {
		t.Fatal(err)
	}
	fleet[0].close() // its beats
	fleet[0].background.Wait()
	for _, step := range []struct {
		proved time.Duration // how long ago
		want   error
	}{{defaultLease / 2, db.ErrBeingServed}, {defaultLease + time.Second, nil}} {
		if err := fleet[1].pool.Direct(t.Context()).Write("UPDATE servers SET until = now() + $1 WHERE id = $2", defaultLease-step.proved, fleet[0].me()); err != nil {
			t.Fatal(err)
		}
		if err := fleet[1].beat(t.Context()); err != nil || fleet[1].Servers() != 1 {
			t.Errorf("beside a server that is silent for %v there are %d, %v", step.proved, fleet[1].Servers(), err)
		}
		if _, err := fleet[1].Serve(t.Context(), "a", n); !errors.Is(err, step.want) {
			t.Errorf("what a server served that is silent for %v: %v, not %v", step.proved, err, step.want)
		}
	}
}
