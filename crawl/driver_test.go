package crawl

import (
	"context"
	"errors"
	"testing"
	"time"

	"sitegrade/weburl"
)

// driver returns a driver of a fake site that waits for nothing.
func (s fakeSite) driver() *Driver {
	now := time.Unix(1e9, 0)
	return &Driver{
		Frontier: New(Options{}, weburl.Restore(fakeBase+"/")),
		Ask: func(_ context.Context, a Address) (*Visit, error) {
			v := s.visit(a, time.Unix(1e9, 0))
			return &v, nil
		},
		Keep: func(*Visit) error { return nil },
		Now:  func() time.Time { return now },
		After: func(wait time.Duration) <-chan time.Time {
			now = now.Add(wait)
			over := make(chan time.Time, 1)
			over <- now
			return over
		},
	}
}

func TestDriver(t *testing.T) {
	s := fakeSite{}
	s.page("/", "/a", "/busy")
	s.page("/a")
	s["/busy"] = Visit{Status: 429}
	d := s.driver()
	counted := 0
	d.Counted = func() { counted++ }
	if err := d.Run(t.Context()); err != nil || !d.Frontier.Finished() || d.Frontier.Progress().Done != 3 {
		t.Errorf("%v: %+v", err, d.Frontier.Progress())
	}
	if want := 2 + 2 + mostTries; counted != want { // robots.txt, the sitemap, two pages
		t.Errorf("%d visits counted, want %d", counted, want)
	}
}

func TestDriverStops(t *testing.T) {
	s := fakeSite{}
	s.page("/", "/busy")
	s["/busy"] = Visit{Status: 429}
	full := errors.New("disk full")
	d := s.driver()
	d.Keep = func(v *Visit) error {
		if v.Status == 429 {
			return full
		}
		return nil
	}
	if err := d.Run(t.Context()); !errors.Is(err, full) || d.Frontier.Finished() {
		t.Errorf("what cannot be kept ends the crawl with %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	d.Keep = func(*Visit) error { return nil }
	d.After = func(time.Duration) <-chan time.Time {
		cancel()
		return nil
	}
	if err := d.Run(ctx); !errors.Is(err, context.Canceled) || d.Frontier.Progress().UnderWay != 0 {
		t.Errorf("a crawl that rests ends with %v: %+v", err, d.Frontier.Progress())
	}
}
