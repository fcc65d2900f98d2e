package cron_test

import (
	"testing"
	"time"

	"sitegrade/cron"
)

// TestNext has the cases that others got wrong, each with the times that follow one another.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		name, rule, zone, after string
		want                    []string
	}{
		{"a day in spring that lacks the hour (robfig/cron 541)", "0 2 * * *", "US/Pacific", "2025-03-08T12:00:00-08:00",
			[]string{"2025-03-09T03:00:00-07:00", "2025-03-10T02:00:00-07:00"}},
		{"the same in the middle of the gap (gocron 911)", "30 2 * * *", "America/New_York", "2026-03-08T01:58:00-05:00",
			[]string{"2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"}},
		{"asked in the second before", "30 2 * * *", "America/New_York", "2026-03-08T01:59:59-05:00",
			[]string{"2026-03-08T03:00:00-04:00", "2026-03-09T02:30:00-04:00"}},
		{"asked at the moment of the change", "30 2 * * *", "America/New_York", "2026-03-08T03:00:00-04:00",
			[]string{"2026-03-09T02:30:00-04:00"}},
		{"a day in autumn that has the hour twice (gocron 911)", "30 1 * * *", "America/New_York", "2026-10-31T12:00:00-04:00",
			[]string{"2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"}},
		{"asked within the second hour", "30 1 * * *", "America/New_York", "2026-11-01T01:10:00-05:00",
			[]string{"2026-11-02T01:30:00-05:00"}},
		{"several times in one gap", "0,20,40 2,3 * * *", "Europe/Berlin", "2026-03-29T00:00:00+01:00",
			[]string{"2026-03-29T03:00:00+02:00", "2026-03-29T03:20:00+02:00"}},
		{"a wildcard is not made up for", "*/30 2 * * *", "Europe/Berlin", "2026-03-28T02:30:00+01:00",
			[]string{"2026-03-30T02:00:00+02:00"}},
		{"a wildcard comes twice", "*/30 2 * * *", "Europe/Berlin", "2026-10-25T00:00:00+02:00",
			[]string{"2026-10-25T02:00:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T02:00:00+01:00", "2026-10-25T02:30:00+01:00", "2026-10-26T02:00:00+01:00"}},
		{"each hour through the gap", "15 * * * *", "Europe/Berlin", "2026-03-29T00:15:00+01:00",
			[]string{"2026-03-29T01:15:00+01:00", "2026-03-29T03:15:00+02:00"}},
		{"a date without midnight (nats-server 8543)", "0 1 4 11 *", "America/Sao_Paulo", "2018-11-03T23:00:00-03:00",
			[]string{"2018-11-04T01:00:00-02:00", "2019-11-04T01:00:00-03:00"}},
		{"midnight that does not exist (nats-server 8543)", "0 0 * * 0", "America/Sao_Paulo", "2018-11-03T23:00:00-03:00",
			[]string{"2018-11-04T01:00:00-02:00", "2018-11-11T00:00:00-02:00"}},
		{"every two hours over a missing midnight", "0 */2 * * *", "Africa/Cairo", "2025-04-24T21:10:20+02:00",
			[]string{"2025-04-24T22:00:00+02:00", "2025-04-25T02:00:00+03:00"}},
		{"midnight in Beirut", "0 0 * * *", "Asia/Beirut", "2026-03-28T12:00:00+02:00",
			[]string{"2026-03-29T01:00:00+03:00", "2026-03-30T00:00:00+03:00"}},
		{"Saturday in Gaza", "30 2 * * sat", "Asia/Gaza", "2022-03-26T12:00:00+02:00",
			[]string{"2022-04-02T02:30:00+03:00"}},
		{"half an hour on Lord Howe", "10 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00:00+10:30",
			[]string{"2026-10-04T02:30:00+11:00", "2026-10-05T02:10:00+11:00"}},
		{"half an hour back on Lord Howe", "45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00+11:00",
			[]string{"2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30"}},
		{"two hours in Antarctica", "30 1,2 * * *", "Antarctica/Troll", "2026-03-28T12:00:00Z",
			[]string{"2026-03-29T03:00:00+02:00", "2026-03-30T01:30:00+02:00"}},
		{"three hours in Antarctica", "30 2 * * *", "Antarctica/Casey", "2018-10-06T12:00:00+08:00",
			[]string{"2018-10-07T02:30:00+08:00", "2018-10-08T02:30:00+11:00"}},
		{"three hours in Antarctica, in the gap", "30 5 * * *", "Antarctica/Casey", "2018-10-06T12:00:00+08:00",
			[]string{"2018-10-07T07:00:00+11:00", "2018-10-08T05:30:00+11:00"}},
		{"a day that Samoa left out", "0 9 * * *", "Pacific/Apia", "2011-12-29T08:00:00-10:00",
			[]string{"2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00"}},
		{"a leap day", "0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", []string{"2104-02-29T00:00:00Z"}},
		{"a leap day on a Sunday", "0 0 29 2 */7", "UTC", "2088-03-01T00:00:00Z", []string{"2128-02-29T00:00:00Z"}},
		{"either day", "0 9 1 * mon", "UTC", "2026-08-29T00:00:00Z",
			[]string{"2026-08-31T09:00:00Z", "2026-09-01T09:00:00Z", "2026-09-07T09:00:00Z"}},
		{"both days, since one is a step of all", "0 9 */2 * mon", "UTC", "2026-08-29T00:00:00Z",
			[]string{"2026-08-31T09:00:00Z", "2026-09-07T09:00:00Z", "2026-09-21T09:00:00Z"}},
		{"seven is Sunday", "0 0 * * 5-7", "UTC", "2026-08-28T12:00:00Z",
			[]string{"2026-08-29T00:00:00Z", "2026-08-30T00:00:00Z", "2026-09-04T00:00:00Z"}},
		{"names and steps", "0-30/15 8-18/5 * JAN,mar-apr Mon", "UTC", "2027-01-25T18:20:00Z",
			[]string{"2027-01-25T18:30:00Z", "2027-03-01T08:00:00Z"}},
		{"part of a second", "* * * * *", "UTC", "2026-01-01T00:00:59.999Z", []string{"2026-01-01T00:01:00Z"}},
		{"exactly then", "* * * * *", "UTC", "2026-01-01T00:01:00Z", []string{"2026-01-01T00:02:00Z"}},
		{"before 1970", "59 23 31 12 *", "UTC", "1960-06-01T00:00:00Z", []string{"1960-12-31T23:59:00Z"}},
		{"a name", "@hourly", "Asia/Kathmandu", "2026-01-01T00:00:00Z", []string{"2026-01-01T00:15:00Z"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			schedule, zone, at := parse(t, c.rule), load(t, c.zone), moment(t, c.after)
			for _, want := range c.want {
				next, due := schedule.Next(at, zone)
				if !due || !next.Equal(moment(t, want)) {
					t.Fatalf("%q after %s is %s, %v; want %s", c.rule, at.In(zone), next, due, want)
				}
				at = next
			}
		})
	}
}

// TestNextOfNothing holds that the zero Schedule ends.
func TestNextOfNothing(t *testing.T) {
	if next, due := (cron.Schedule{}).Next(time.Now(), load(t, "Europe/Berlin")); due {
		t.Errorf("the zero schedule is due at %s", next)
	}
}

func TestNextDoesNotAllocate(t *testing.T) {
	schedule, zone, at := parse(t, "30 4 * * mon-fri"), load(t, "Europe/Berlin"), moment(t, "2026-03-28T00:00:00Z")
	if n := testing.AllocsPerRun(100, func() { at, _ = schedule.Next(at, zone) }); n != 0 {
		t.Errorf("Next allocates %v times", n)
	}
}

func BenchmarkNext(b *testing.B) {
	for _, rule := range []string{"* * * * *", "30 4 * * *", "0 0 1 1 *", "0 0 29 2 *", "0 0 29 2 */7"} {
		b.Run(rule, func(b *testing.B) {
			schedule, zone, at := parse(b, rule), load(b, "Europe/Berlin"), moment(b, "2026-03-28T00:00:00Z")
			b.ReportAllocs()
			for b.Loop() {
				schedule.Next(at, zone)
			}
		})
	}
}

func parse(t testing.TB, rule string) cron.Schedule {
	t.Helper()
	schedule, err := cron.Parse(rule)
	if err != nil {
		t.Fatalf("%q: %v", rule, err)
	}
	return schedule
}

func load(t testing.TB, name string) *time.Location {
	t.Helper()
	zone, err := cron.LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func moment(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
