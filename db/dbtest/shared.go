package dbtest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"sitegrade/db"
)

// testAllowances uses allowances one after the other and at once. Their clock goes on meanwhile.
func (s suite) testAllowances(t *testing.T) {
	d := s.open(t, Options{})
	use := func(of []db.Allowance, use func(back []time.Duration)) {
		t.Helper()
		if err := d.UseAllowances(t.Context(), of, use); err != nil {
			t.Error(err)
		}
	}
	first, second := db.Allowance{Kind: "b", Of: "x"}, db.Allowance{Kind: "a", Of: "x"}
	use([]db.Allowance{first, second}, func(back []time.Duration) {
		if back[0] != 0 || back[1] != 0 {
			t.Errorf("what was never used is back after %v", back)
		}
		back[0], back[1] = time.Hour, -time.Hour
	})
	use([]db.Allowance{second, first, {Kind: "b", Of: "y"}}, func(back []time.Duration) {
		if back[0] != 0 || back[1] > time.Hour || back[1] < 59*time.Minute || back[2] != 0 {
			t.Errorf("back after %v", back)
		}
		back[1] = time.Microsecond
	})
	for back := time.Hour; back > 0; {
		use([]db.Allowance{first}, func(b []time.Duration) { back = b[0] })
	}

	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			of := []db.Allowance{first, second}
			if i%2 == 0 {
				of[0], of[1] = of[1], of[0]
			}
			use(of, func(back []time.Duration) { back[0], back[1] = back[0]+time.Hour, back[1]+time.Hour })
		})
	}
	all.Wait()
	use([]db.Allowance{first, second}, func(back []time.Duration) {
		if back[0].Round(time.Hour) != 40*time.Hour || back[1].Round(time.Hour) != 40*time.Hour {
			t.Errorf("40 uses of an hour are back after %v", back)
		}
	})
}

func (s suite) testCreatesAreServedOnce(t *testing.T) {
	d := s.open(t, Options{})
	n := db.NewReport{URL: "https://example.com/", IdempotencyKey: "k"}
	serve := func(account string, n db.NewReport, want error) (end func()) {
		t.Helper()
		end, err := d.Serve(t.Context(), account, n)
		if !errors.Is(err, want) {
			t.Fatalf("%v, not %v", err, want)
		}
		return end
	}
	end := serve("a", n, nil)
	serve("a", n, db.ErrBeingServed)
	other := n
	other.Privacy = db.Private
	serve("a", other, db.ErrIdempotencyMismatch)
	serve("b", other, nil)()
	other.IdempotencyKey = "k2"
	serve("a", other, nil)()
	end()
	other.IdempotencyKey = "k"
	serve("a", other, nil)()
	if n := d.Servers(); n != 1 {
		t.Errorf("%d servers", n)
	}
}
