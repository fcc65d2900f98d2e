package notify

import (
	"net/http"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestNextAttempt(t *testing.T) {
	const failed = http.StatusInternalServerError
	for _, c := range []struct {
		attempt int
		outcome Outcome
		jitter  float64
		want    time.Duration // -1 for no more
	}{
		{1, Outcome{}, 0, 5 * time.Second},
		{1, Outcome{Status: failed}, 0.5, 5500 * time.Millisecond},
		{2, Outcome{Status: failed}, 0, 5 * time.Minute},
		{3, Outcome{Status: failed}, 0, 30 * time.Minute},
		{4, Outcome{Status: failed}, 0, 2 * time.Hour},
		{5, Outcome{Status: failed}, 0, 5 * time.Hour},
		{6, Outcome{Status: failed}, 0, 10 * time.Hour},
		{7, Outcome{Status: failed}, 0, 14 * time.Hour},
		{8, Outcome{Status: failed}, 0, 20 * time.Hour},
		{9, Outcome{Status: failed}, 0, 24 * time.Hour},
		{10, Outcome{Status: failed}, 0, -1},
		{1, Outcome{Status: 200, Delivered: true}, 0, -1},
		{1, Outcome{Status: 410, Gone: true}, 0, -1},
		{1, Outcome{Status: 429}, 0, time.Minute},
		{1, Outcome{Status: 502}, 0, time.Minute},
		{1, Outcome{Status: 504}, 0, time.Minute},
		{2, Outcome{Status: 504}, 0, 5 * time.Minute},
		{1, Outcome{Status: 503, RetryAfter: time.Hour}, 0, time.Hour},
		{3, Outcome{Status: 429, RetryAfter: time.Second}, 0, 30 * time.Minute},
	} {
		want := noon.Add(c.want)
		at, again := NextAttempt(c.attempt, c.outcome, noon, c.jitter)
		if again != (c.want >= 0) || again && !at.Equal(want) {
			t.Errorf("attempt %d, %+v: %v, %v, want %v", c.attempt, c.outcome, at, again, c.want)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"":                              0,
		"120":                           2 * time.Minute,
		"-5":                            0,
		"99999999999":                   24 * time.Hour,
		"99999999999999999999999":       0,
		"soon":                          0,
		"Sat, 21 Nov 2026 12:01:00 GMT": time.Minute,
		"Sat, 21 Nov 2026 11:00:00 GMT": 0,
		"Sat, 21 Nov 2099 12:00:00 GMT": 24 * time.Hour,
	} {
		if got := retryAfter(value, noon); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}
