package header

import (
	"net/http"
	"testing"
	"time"
)

func TestFreshness(t *testing.T) {
	tests := []struct {
		name   string
		header http.Header
		want   time.Duration
		ok     bool
	}{
		{"nothing", http.Header{}, 0, false},
		{"max-age", http.Header{"Cache-Control": {"public, Max-Age=60"}}, time.Minute, true},
		{"quoted", http.Header{"Cache-Control": {`max-age="60"`}}, time.Minute, true},
		{"space after the equals sign", http.Header{"Cache-Control": {"max-age= 60"}}, time.Minute, true},
		{"space before the equals sign", http.Header{"Cache-Control": {"max-age =60"}}, 0, false},
		{"within a quoted string", http.Header{"Cache-Control": {`x="max-age=60, max-age=60", max-age=0`}}, 0, true},
		{"the first of two", http.Header{"Cache-Control": {"max-age=60", "max-age=0"}}, time.Minute, true},
		{"no number", http.Header{"Cache-Control": {"max-age=60s"}}, 0, true},
		{"negative", http.Header{"Cache-Control": {"max-age=-60"}}, 0, true},
		{"a fraction", http.Header{"Cache-Control": {"max-age=60.5"}}, 0, true},
		{"without a value", http.Header{"Cache-Control": {"max-age"}}, 0, true},
		{"more than fits", http.Header{"Cache-Control": {"max-age=99999999999999999999"}}, 9223372036 * time.Second, true},
		{"no-store", http.Header{"Cache-Control": {"max-age=60, NO-STORE"}}, 0, true},
		{"no-cache", http.Header{"Cache-Control": {"no-cache, max-age=60"}}, 0, true},
		{"no-cache for a field", http.Header{"Cache-Control": {`no-cache="Set-Cookie", max-age=60`}}, time.Minute, true},
		{"s-maxage", http.Header{"Cache-Control": {"s-maxage=60"}}, 0, false},
		{"Expires", http.Header{"Expires": {"Fri, 20 Nov 2026 13:00:00 GMT"}, "Date": {"Fri, 20 Nov 2026 11:00:00 GMT"}}, 2 * time.Hour, true},
		{"Expires without a Date", http.Header{"Expires": {"Fri, 20 Nov 2026 13:00:00 GMT"}}, time.Hour, true},
		{"Expires beside max-age", http.Header{"Expires": {"0"}, "Cache-Control": {"max-age=60"}}, time.Minute, true},
		{"Expires that is no date", http.Header{"Expires": {"-1"}}, 0, true},
	}
	for _, test := range tests {
		if got, ok := Freshness(test.header, testTime); got != test.want || ok != test.ok {
			t.Errorf("%s: %v, %v", test.name, got, ok)
		}
	}
}

// FuzzFreshness holds that no-store beats anything.
func FuzzFreshness(f *testing.F) {
	f.Add("max-age=60", "Fri, 20 Nov 2026 13:00:00 GMT")
	f.Fuzz(func(t *testing.T, control, expires string) {
		h := http.Header{"Cache-Control": {"no-store", control}, "Expires": {expires}}
		if got, ok := Freshness(h, testTime); got != 0 || !ok {
			t.Errorf("%q, %q: %v, %v", control, expires, got, ok)
		}
		h.Set("Cache-Control", control)
		Freshness(h, testTime)
	})
}
