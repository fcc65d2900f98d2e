package api

import (
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"
	"golang.org/x/time/rate"
)

// maxBuckets is how many keys have a bucket at once. Beyond it, full buckets go first: a new one is full too.
const maxBuckets = 10_000

// limits gives each key a token bucket.
type limits struct {
	rate    rate.Limit
	burst   int
	policy  string // of RateLimit-Policy
	mu      sync.Mutex
	buckets map[uuid.UUID]*rate.Limiter
}

// newLimits allows perSecond requests and bursts of twice as many, at least one; 0 is no limit.
func newLimits(perSecond float64) *limits {
	if perSecond <= 0 {
		return &limits{}
	}
	burst := max(1, int(math.Ceil(2*perSecond)))
	return &limits{
		rate: rate.Limit(perSecond), burst: burst,
		policy:  fmt.Sprintf(`"key";q=%d;w=%d`, burst, wholeSeconds(float64(burst)/perSecond)),
		buckets: map[uuid.UUID]*rate.Limiter{},
	}
}

// take counts a request against its key and sets the headers that tell the client how much is left, as
// draft-ietf-httpapi-ratelimit-headers-10 has them: q requests fit in w seconds, r are left, and all are back in t seconds.
func (l *limits) take(x *request, now time.Time) error {
	if l.burst == 0 {
		return nil
	}
	bucket := l.bucket(x.key.ID, now)
	allowed := bucket.AllowN(now, 1)
	left := bucket.TokensAt(now)
	h := x.Header()
	h.Set("RateLimit-Policy", l.policy)
	h.Set("RateLimit", fmt.Sprintf(`"key";r=%d;t=%d`, int(max(0, left)), l.seconds(float64(l.burst)-left)))
	if allowed {
		return nil
	}
	p := *tooManyRequests
	p.header = http.Header{"Retry-After": {fmt.Sprint(max(1, l.seconds(1-left)))}}
	return &p
}

// seconds returns how long it takes until that many tokens have come.
func (l *limits) seconds(tokens float64) int { return wholeSeconds(tokens / float64(l.rate)) }

func wholeSeconds(s float64) int { return int(math.Ceil(max(0, s))) }

func (l *limits) bucket(key uuid.UUID, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b, ok := l.buckets[key]; ok {
		return b
	}
	if len(l.buckets) >= maxBuckets {
		l.makeRoom(now)
	}
	b := rate.NewLimiter(l.rate, l.burst)
	l.buckets[key] = b
	return b
}

// makeRoom drops the full buckets, and where they are few some others, so that there is room for more than one.
func (l *limits) makeRoom(now time.Time) {
	for key, b := range l.buckets {
		if b.TokensAt(now) >= float64(l.burst) {
			delete(l.buckets, key)
		}
	}
	for key := range l.buckets {
		if len(l.buckets) <= maxBuckets*3/4 {
			return
		}
		delete(l.buckets, key)
	}
}
