package live

import (
	"testing"
	"time"
)

func TestPaceFollowsTheTimeOfTransactions(t *testing.T) {
	for _, c := range []struct {
		reports int
		took    time.Duration
		want    int
	}{
		{100, removalTime, 100},
		{100, removalTime * 3 / 2, 66},
		{100, time.Minute, 50}, // a single slow commit
		{100, removalTime * 2 / 3, 150},
		{100, 0, 200},
		{minRemoval, time.Minute, minRemoval},
		{maxRemoval, 0, maxRemoval},
	} {
		p := &Pace{Reports: c.reports}
		if p.adapt(c.took); p.Reports != c.want {
			t.Errorf("%d reports in %v are followed by %d, not %d", c.reports, c.took, p.Reports, c.want)
		}
	}
}
