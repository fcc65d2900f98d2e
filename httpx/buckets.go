package httpx

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxBuckets is how many keys have a bucket at once. Beyond it, full buckets go first: a new one is full too.
const maxBuckets = 10_000

// Buckets gives each key a token bucket. They are safe for concurrent use, and bounded however many keys there are.
type Buckets[K comparable] struct {
	interval time.Duration // until another token comes
	burst    int
	servers  func() int
	mu       sync.Mutex
	used     map[K]*rate.Limiter
}

// NewBuckets returns buckets that hold burst tokens and get another each interval. A key that nobody has used has a full one. Each of several
// servers gives out its share of that: servers returns how many there are now; nil: one.
func NewBuckets[K comparable](burst int, interval time.Duration, servers func() int) *Buckets[K] {
	return &Buckets[K]{interval: interval, burst: burst, servers: servers, used: map[K]*rate.Limiter{}}
}

// share returns how many tokens the buckets of this server hold now, at least 1, and how long it takes until another comes.
func (b *Buckets[K]) share() (burst int, interval time.Duration) {
	n := count(b.servers)
	return max(1, b.burst/n), b.interval * time.Duration(n)
}

// count returns how many servers share a limit.
func count(servers func() int) int {
	if servers == nil {
		return 1
	}
	return servers()
}

// TryTake takes a token, and reports whether there was one.
func (b *Buckets[K]) TryTake(key K, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bucket(key, now).AllowN(now, 1)
}

// Take takes tokens whether they are there or not, and reports whether it did: what is missing the bucket owes, and while it owes some,
// nothing is taken.
func (b *Buckets[K]) Take(key K, tokens int, now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	bucket := b.bucket(key, now)
	if bucket.TokensAt(now) < 0 {
		return false
	}
	for tokens > 0 {
		part := min(tokens, bucket.Burst()) // more is refused
		bucket.ReserveN(now, part)
		tokens -= part
	}
	return true
}

// Tokens returns how many tokens are there, with the part of the next that has come already; below 0 when the bucket owes some.
func (b *Buckets[K]) Tokens(key K, now time.Time) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bucket(key, now).TokensAt(now)
}

// Wait returns how long it takes until that many tokens are there; 0 when they are.
func (b *Buckets[K]) Wait(key K, tokens int, now time.Time) time.Duration {
	missing := float64(tokens) - b.Tokens(key, now)
	_, interval := b.share()
	return time.Duration(max(0, missing) * float64(interval))
}

// bucket returns the bucket of a key. The lock is held.
func (b *Buckets[K]) bucket(key K, now time.Time) *rate.Limiter {
	burst, interval := b.share()
	if bucket, ok := b.used[key]; ok {
		if bucket.Burst() != burst || bucket.Limit() != rate.Every(interval) {
			bucket.SetBurstAt(now, burst)
			bucket.SetLimitAt(now, rate.Every(interval))
		}
		return bucket
	}
	if len(b.used) >= maxBuckets {
		b.makeRoom(now)
	}
	bucket := rate.NewLimiter(rate.Every(interval), burst)
	b.used[key] = bucket
	return bucket
}

// makeRoom drops the full buckets, and where that is not enough any, until a tenth is free: a scan for each new key would cost more than
// what it protects.
func (b *Buckets[K]) makeRoom(now time.Time) {
	for key, bucket := range b.used {
		if bucket.TokensAt(now) >= float64(bucket.Burst()) {
			delete(b.used, key)
		}
	}
	for key := range b.used {
		if len(b.used) <= maxBuckets*9/10 {
			return
		}
		delete(b.used, key)
	}
}
