package httpx

import (
	"fmt"
	"math"
	"net/http"
	"time"

	"github.com/google/uuid"
)

// pagesPerCall is how many pages people may look at in the time in which a program may make one call.
const pagesPerCall = 10

// Limits are how much may be done with each API key, over all interfaces together. nil limits nothing.
type Limits struct {
	calls *Buckets[uuid.UUID]
	pages *Buckets[uuid.UUID]
}

// NewLimits allows perSecond calls with each key, in bursts of twice as many, at least one; and ten times as many pages. 0 is no limit. Of
// several servers each allows its share: servers returns how many there are now; nil: one.
func NewLimits(perSecond float64, servers func() int) *Limits {
	if perSecond <= 0 {
		return nil
	}
	burst := max(1, int(math.Ceil(2*perSecond)))
	interval := time.Duration(float64(time.Second) / perSecond)
	return &Limits{
		calls: NewBuckets[uuid.UUID](burst, interval, servers),
		pages: NewBuckets[uuid.UUID](pagesPerCall*burst, interval/pagesPerCall, servers),
	}
}

// Standing is how a key stands after a call.
type Standing struct {
	// Wait is how many seconds the call must wait, at least 1, when there were too many; 0 when it is allowed.
	Wait int
	// Policy and Left are the values of the headers RateLimit-Policy and RateLimit, as draft-ietf-httpapi-ratelimit-headers-10 has them: q
	// calls fit in w seconds, r are left, and all are back in t seconds. "" when there is no limit.
	Policy, Left string
}

// Tell sets the headers that say how the key stands; not one without a limit.
func (s Standing) Tell(h http.Header) {
	if s.Policy != "" {
		h.Set("RateLimit-Policy", s.Policy)
		h.Set("RateLimit", s.Left)
	}
}

// Call counts a call, which reads or changes something.
func (l *Limits) Call(key uuid.UUID, now time.Time) Standing {
	if l == nil {
		return Standing{}
	}
	burst, interval := l.calls.share()
	s := Standing{Policy: fmt.Sprintf(`"key";q=%d;w=%d`, burst, wholeSeconds(time.Duration(burst)*interval))}
	if !l.calls.TryTake(key, now) {
		s.Wait = max(1, wholeSeconds(l.calls.Wait(key, 1, now)))
	}
	left := max(0, l.calls.Tokens(key, now))
	s.Left = fmt.Sprintf(`"key";r=%d;t=%d`, int(left), wholeSeconds(l.calls.Wait(key, burst, now)))
	return s
}

// Calls counts a call that does as much as several, such as one that makes many reports. That may be more than is left, and whoever has used
// up more than that waits the longer for the next call; but while something is owed already, nothing is allowed, and Calls returns how many
// seconds the call must wait.
func (l *Limits) Calls(key uuid.UUID, n int, now time.Time) (wait int) {
	if l == nil || l.calls.Take(key, n, now) {
		return 0
	}
	return max(1, wholeSeconds(l.calls.Wait(key, 0, now)))
}

// Page counts a page that somebody looks at, apart from calls. It returns how many seconds the visitor must wait; 0 when there is no need.
func (l *Limits) Page(key uuid.UUID, now time.Time) (wait int) {
	if l == nil || l.pages.TryTake(key, now) {
		return 0
	}
	return max(1, wholeSeconds(l.pages.Wait(key, 1, now)))
}

func wholeSeconds(d time.Duration) int { return int(math.Ceil(max(0, d.Seconds()))) }
