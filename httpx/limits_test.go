package httpx

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestCallsArePaidFor(t *testing.T) {
	key, other, now := uuid.New(), uuid.New(), time.Now()
	l := NewLimits(5, nil)
	for i := range 10 {
		if s := l.Call(key, now); s.Wait != 0 {
			t.Fatalf("call %d must wait %d seconds", i, s.Wait)
		}
	}
	if s := l.Call(key, now); s.Wait != 1 || s.Left != `"key";r=0;t=2` || s.Policy != `"key";q=10;w=2` {
		t.Errorf("a call beyond the burst: %+v", s)
	}
	if wait := l.Calls(other, 100, now); wait != 0 {
		t.Errorf("a call that does a hundred things must wait %d seconds", wait)
	}
	if wait := l.Calls(other, 1, now); wait != 18 {
		t.Errorf("another must wait %d seconds, not 18", wait)
	}
	if s := l.Call(other, now); s.Wait != 19 || s.Left != `"key";r=0;t=20` {
		t.Errorf("a call after one that did a hundred things: %+v", s)
	}
	if s := l.Call(other, now.Add(19*time.Second)); s.Wait != 0 {
		t.Errorf("when all is paid: %+v", s)
	}
}

func TestPagesAreCountedApart(t *testing.T) {
	key, now := uuid.New(), time.Now()
	l := NewLimits(1, nil)
	for i := range 20 {
		if wait := l.Page(key, now); wait != 0 {
			t.Fatalf("page %d must wait %d seconds", i, wait)
		}
	}
	if wait := l.Page(key, now); wait != 1 {
		t.Errorf("one page more must wait %d seconds", wait)
	}
	if s := l.Call(key, now); s.Wait != 0 {
		t.Errorf("pages leave no room for calls: %+v", s)
	}
}

func TestNoLimits(t *testing.T) {
	l := NewLimits(0, nil)
	l.Calls(uuid.Nil, 1_000_000, time.Now())
	if s := l.Call(uuid.Nil, time.Now()); s != (Standing{}) || l.Page(uuid.Nil, time.Now()) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestSharesOfServers has servers come and go: each gives out its share, and a bucket that has more than that loses it.
func TestSharesOfServers(t *testing.T) {
	servers := 1
	l := NewLimits(4, func() int { return servers })
	key, now := uuid.New(), time.Now()
	for _, step := range []struct {
		servers int
		after   time.Duration
		policy  string
		through int // of 20 calls at once
	}{
		{1, 0, `"key";q=8;w=2`, 8},
		{2, 0, `"key";q=4;w=2`, 0},
		{2, time.Second, `"key";q=4;w=2`, 2},
		{2, time.Minute, `"key";q=4;w=2`, 4},
		{3, time.Minute, `"key";q=2;w=2`, 2},
		{20, time.Minute, `"key";q=1;w=5`, 1},
		{1, 0, `"key";q=8;w=2`, 0},
		{1, time.Second, `"key";q=8;w=2`, 4},
		{1, time.Minute, `"key";q=8;w=2`, 8},
	} {
		servers, now = step.servers, now.Add(step.after)
		through := 0
		for range 20 {
			s := l.Call(key, now)
			if s.Wait == 0 {
				through++
			}
			if s.Policy != step.policy {
				t.Fatalf("of %d servers the policy is %s", servers, s.Policy)
			}
		}
		if through != step.through {
			t.Errorf("of %d servers, after %v, one lets %d through, not %d", servers, step.after, through, step.through)
		}
	}
}

// TestBucketsAreBounded holds that many keys neither grow the map without end nor lose what they have used up, while full ones can go.
func TestBucketsAreBounded(t *testing.T) {
	b, now := NewBuckets[int](2, time.Second, nil), time.Now()
	b.Take(-1, 2, now)
	for i := range 3 * maxBuckets {
		b.Tokens(i, now)
	}
	if len(b.used) > maxBuckets {
		t.Errorf("there are %d buckets", len(b.used))
	}
	if b.TryTake(-1, now) {
		t.Error("a bucket that was empty is full")
	}
	for i := range 2 * maxBuckets {
		b.Take(i, 2, now)
	}
	if len(b.used) > maxBuckets {
		t.Errorf("there are %d buckets in use", len(b.used))
	}
}
