package notify

import (
	"net/http"
	"strconv"
	"time"
)

// MaxAttempts is how often delivery is tried. When the last attempt fails, the webhook is to be disabled.
const MaxAttempts = 10

// delays are how long after a failed attempt the next one comes: after the first, after the second and so on.
var delays = [MaxAttempts - 1]time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
	10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
}

const (
	// slowDown is the least delay after a response that says that the receiver is overloaded.
	slowDown = time.Minute
	// maxRetryAfter bounds what a receiver may ask for.
	maxRetryAfter = 24 * time.Hour
	// spread is by how much of itself jitter makes a delay longer at most, so that what failed together does not come back together.
	spread = 0.2
)

// NextAttempt returns when to try again after attempt (1 is the first) had an outcome at now; jitter is a random number of [0, 1). It
// returns false when there is nothing to try again: the message was delivered, the receiver is gone, or it was the last attempt.
func NextAttempt(attempt int, o Outcome, now time.Time, jitter float64) (time.Time, bool) {
	if o.Delivered || o.Gone || attempt >= MaxAttempts {
		return time.Time{}, false
	}
	delay := max(delays[max(attempt, 1)-1], o.RetryAfter)
	if isOverloaded(o.Status) {
		delay = max(delay, slowDown)
	}
	return now.Add(delay + time.Duration(float64(delay)*spread*jitter)), true
}

// isOverloaded reports whether a status asks for patience.
func isOverloaded(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway || status == http.StatusGatewayTimeout
}

// retryAfter reads the header of that name: seconds, or a date. It returns 0 for what is neither, or past.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), maxRetryAfter)
}
