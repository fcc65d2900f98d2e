package cron_test

import (
	"testing"
	"time"

	"sitegrade/cron"
)

func TestParseEvery(t *testing.T) {
	for text, want := range map[string]string{
		"6h": "6h", "90m": "1h30m", "1.5h": "1h30m", "300s": "5m", "7d": "7d", "1d12h": "1d12h", "24h": "1d", "365d": "365d", " 5m30s ": "5m30s",
	} {
		every, err := cron.ParseEvery(text)
		if err != nil || every.String() != want {
			t.Errorf("%q is %q, %v; want %q", text, every, err, want)
		}
		if again, err := cron.ParseEvery(every.String()); err != nil || again != every {
			t.Errorf("%q became %q: %v", text, every, err)
		}
	}
	const right = " is not an interval; write for example 30m, 6h, 7d or 1d12h"
	for text, want := range map[string]string{
		"":                                   `""` + right,
		"6":                                  `"6"` + right,
		"1w":                                 `"1w"` + right,
		"1.5d":                               `"1.5d"` + right,
		"-1d12h":                             `"-1d12h"` + right,
		"0d":                                 `"0d"` + right,
		"299s":                               `"299s" is less than 5m`,
		"-6h":                                `"-6h" is less than 5m`,
		"1d-6h":                              `"1d-6h" is less than 5m`,
		"366d":                               `"366d" is more than 365d`,
		"8761h":                              `"8761h" is more than 365d`,
		"99999999999d":                       `"99999999999d" is more than 365d`,
		"5m0.5s":                             `"5m0.5s" is not in whole seconds`,
		"999999999999999999999999999999999h": "this is not an interval; write for example 30m, 6h, 7d or 1d12h",
	} {
		if every, err := cron.ParseEvery(text); err == nil || err.Error() != want {
			t.Errorf("%q is %q, %v; want %s", text, every, err, want)
		}
	}
}

func TestEveryNext(t *testing.T) {
	made := moment(t, "2026-03-28T10:00:00Z").Add(500 * time.Millisecond)
	every := cron.Every(6 * time.Hour)
	for _, c := range []struct {
		name  string
		after time.Time
		want  int // intervals after made
	}{
		{"as it is made", made, 1},
		{"before it is made", made.Add(-24 * time.Hour), 1},
		{"before the first", made.Add(6*time.Hour - 1), 1},
		{"at the first", made.Add(6 * time.Hour), 2},
		{"a run that began late", made.Add(6*time.Hour + 17*time.Minute), 2},
		{"after a stop", made.Add(1000*time.Hour + 1), 167},
		{"400 years later", made.AddDate(400, 0, 0), 400*365*4 + 97*4 + 1},
	} {
		want := time.Unix(made.Unix()+int64(c.want)*6*3600, int64(made.Nanosecond()))
		if next := every.Next(made, c.after); !next.Equal(want) {
			t.Errorf("%s: %s; want %s", c.name, next, want)
		}
	}
}
