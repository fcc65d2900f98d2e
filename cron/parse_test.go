package cron_test

import (
	"strings"
	"testing"

	"sitegrade/cron"
)

func TestParseErrors(t *testing.T) {
	for rule, want := range map[string]string{
		"":                             "a rule has 5 fields (minute, hour, day of month, month, day of week), not 0",
		"* * * *":                      "a rule has 5 fields (minute, hour, day of month, month, day of week), not 4",
		"0 0 * * * *":                  "a rule has 5 fields (minute, hour, day of month, month, day of week), not 6",
		"@reboot":                      `"@reboot" is not @yearly, @annually, @monthly, @weekly, @daily, @midnight or @hourly`,
		"@every 6h":                    `"@every 6h" is not @yearly, @annually, @monthly, @weekly, @daily, @midnight or @hourly`,
		"60 * * * *":                   "minute: 60 is not 0 to 59",
		"-1 * * * *":                   `minute: "" is not 0 to 59`,
		"+1 * * * *":                   `minute: "+1" is not 0 to 59`,
		"* 25 * * *":                   "hour: 25 is not 0 to 23",
		"* * 0 * *":                    "day of month: 0 is not 1 to 31",
		"* * L * *":                    `day of month: "L" is not 1 to 31`,
		"* * * 13 *":                   "month: 13 is not 1 to 12 or jan to dec",
		"* * * sept *":                 `month: "sept" is not 1 to 12 or jan to dec`,
		"* * * * 8":                    "day of week: 8 is not 0 to 7 or sun to sat",
		"* * * * ?":                    `day of week: "?" is not 0 to 7 or sun to sat`,
		"* * * * 5#2":                  `day of week: "5#2" is not 0 to 7 or sun to sat`,
		"1,,2 * * * *":                 `minute: "" is not 0 to 59`,
		"* 18-8 * * *":                 "hour: 18-8 goes backwards; write the smaller value first, or a list",
		"* * * * fri-sun":              "day of week: fri-sun goes backwards; write the smaller value first, or a list",
		"5/15 * * * *":                 "minute: 5/15 has a step without a range; write 5-59/15",
		"*/0 * * * *":                  "minute: the step 0 is not 1 to 59",
		"*/90 * * * *":                 "minute: the step 90 is not 1 to 59",
		"*/ * * * *":                   `minute: the step "" is not 1 to 59`,
		"*/+5 * * * *":                 `minute: the step "+5" is not 1 to 59`,
		"**/5 * * * *":                 `minute: "**" is not 0 to 59`,
		"0 0 30 2 *":                   "day of month: 30 never comes in month 2",
		"0 0 31 4,6 */2":               "day of month: 31 never comes in month 4,6",
		"99999999999999999999 * * * *": "minute: 99999999999999999999 is not 0 to 59",
		strings.Repeat("1,", 200):      "a rule has at most 256 bytes, not 400",
	} {
		if _, err := cron.Parse(rule); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", rule, err, want)
		}
	}
}

// TestParseSame has rules that mean the same.
func TestParseSame(t *testing.T) {
	after := moment(t, "2026-02-27T00:00:00Z")
	for _, c := range [][2]string{
		{"@daily", "0 0 * * *"}, {"@midnight", "0 0 * * *"}, {"@hourly", "0 * * * *"}, {"@weekly", "0 0 * * sun"},
		{"@monthly", "0 0 1 * *"}, {"@yearly", "0 0 1 jan *"}, {"@annually", "0 0 1 1 *"},
		{"0 0 * * 7", "0 0 * * 0"}, {"0 0 * * 5-7", "0 0 * * 0,5,6"}, {"  05  00\t* * * ", "5 0 * * *"},
		{"0 0 31 2 1", "0 0 * 2 1"}, // never the 31st, but the Mondays
	} {
		a, b := parse(t, c[0]), parse(t, c[1])
		for at, n := after, 0; n < 20; n++ {
			next, _ := a.Next(at, after.Location())
			if want, _ := b.Next(at, after.Location()); next != want {
				t.Fatalf("%q is due at %s, %q at %s", c[0], next, c[1], want)
			}
			at = next
		}
	}
}

// FuzzParse holds that nothing written makes Parse panic, and that what it accepts comes back the same and is due some time.
func FuzzParse(f *testing.F) {
	for _, rule := range []string{"@daily", "*/5 8-18/2 1,15 jan-Mar 0,7", "0 0 29 2 */7", "0 0 30 2 *", "5/15 * * * *", "\x00 ，"} {
		f.Add(rule)
	}
	after := moment(f, "2026-03-28T00:00:00Z")
	f.Fuzz(func(t *testing.T, rule string) {
		schedule, err := cron.Parse(rule)
		if err != nil {
			return
		}
		if again, err := cron.Parse(schedule.String()); err != nil || again != schedule {
			t.Errorf("%q became %q: %v", rule, schedule, err)
		}
		if next, due := schedule.Next(after, after.Location()); !due || !next.After(after) {
			t.Errorf("%q is due at %s, %v", rule, next, due)
		}
	})
}
