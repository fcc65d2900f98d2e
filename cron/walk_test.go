package cron_test

import (
	"archive/zip"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/cron"
)

var years = flag.Bool("years", false, "walk through each minute of 2010 to 2030 in every zone, which takes minutes")

// The years that are walked through, in minutes since 1970.
var (
	firstMinute = int(time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Unix() / 60)
	lastMinute  = int(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC).Unix() / 60)
)

const dayMinutes = 1440

// named and byWall are rules of both kinds, many of them at the hours when clocks change.
var (
	named = []string{
		"0 0 * * *", "30 0 * * *", "0 1 * * *", "30 1 * * *", "59 1 * * *", "0 2 * * *", "1 2 * * *", "10 2 * * *", "30 2 * * *", "45 2 * * *",
		"59 2 * * *", "0 3 * * *", "30 3 * * *", "30 4 * * *", "30 5 * * *", "0 12 * * *", "30 23 * * *", "0,20,40 2,3 * * *", "15,45 0-3 * * *",
		"0-59/7 1-3 * * *", "5 0-23 * * *", "30 2 * * 0", "30 23 * * 6", "0 0 1 * 0", "0 0 */2 * 0", "0 0 * * 5-7", "15 2 8-14 3 *", "30 0 30 12 *",
		"0 0 29 2 *", "0 5 29-31 3,10 */2",
	}
	byWall = []string{
		"*/20 * * * *", "*/30 2 * * *", "*/15 0,1 * * 0", "0 * * * *", "30 * * * *", "0 */2 * * *", "30 */3 * * *", "10-50/20 */1 * 3,10 *",
		"*/10 23 * * *", "* 3 * * 0", "0 */5 */2 * 6,0",
	}
	ofYears = []string{
		"0 0 * * *", "30 1 * * *", "30 2 * * *", "0,20,40 2,3 * * 0,6", "30 23 * * 5-7", "0 0 1 * 1", "0 0 29 2 *", "15 5 */2 * 3",
		"30 * * * 0", "*/30 0-3 * * 6", "0 */6 * * *", "*/30 2 8-31 3,10 *",
	}
)

// TestWalk compares Next with a daemon that wakes up each minute, for two days before and after each change of each zone of the IANA list, and
// in days drawn by lot and at the ends of years. Of changes that are alike in every way, as in most of Europe, one is looked at.
func TestWalk(t *testing.T) {
	var daemons []*daemon
	for _, rule := range append(slices.Clone(named), byWall...) {
		daemons = append(daemons, newDaemon(rule))
	}
	draw := rand.New(rand.NewPCG(2010, 2030))
	seen := map[string]bool{}
	for name, zone := range zonesOfList(t) {
		ahead, changes := offsets(zone)
		middles := []int{firstMinute + draw.IntN(lastMinute-firstMinute), int(time.Date(2028, 12, 31, 0, 0, 0, 0, time.UTC).Unix() / 60)}
		for _, middle := range append(middles, changes...) {
			alike := fmt.Sprint(middle, ahead(middle-1), ahead(middle))
			if seen[alike] {
				continue
			}
			seen[alike] = true
			compare(t, name, zone, ahead, daemons, middle-2*dayMinutes, middle+2*dayMinutes)
		}
	}
	t.Logf("%d windows of 4 days, each with %d rules", len(seen), len(daemons))
}

// TestYears walks through all the years in every zone. Zones that kept the same time in them count as one.
func TestYears(t *testing.T) {
	if !*years {
		t.Skip("takes minutes; run it with -years")
	}
	var daemons []*daemon
	for _, rule := range ofYears {
		daemons = append(daemons, newDaemon(rule))
	}
	alike := map[string]bool{}
	for name, zone := range zonesOfList(t) {
		ahead, changes := offsets(zone)
		same := fmt.Sprint(ahead(firstMinute))
		for _, change := range changes {
			same += fmt.Sprint(" ", change, ahead(change))
		}
		if alike[same] {
			continue
		}
		alike[same] = true
		compare(t, name, zone, ahead, daemons, firstMinute, lastMinute)
	}
	t.Logf("%d zones that differ, each with %d rules", len(alike), len(daemons))
}

// compare has Next and the daemons say when their rules are due in a stretch of minutes since 1970. The daemons begin three hours and a bit
// earlier, to know of changes just before.
func compare(t *testing.T, name string, zone *time.Location, ahead func(int) int, daemons []*daemon, from, end int) {
	t.Helper()
	const earlier = 200
	var walls []int32
	for m := from - earlier - 1; m < end; m++ {
		walls = append(walls, int32(m+ahead(m)))
	}
	for _, d := range daemons {
		schedule, at := parse(t, d.rule), time.Unix(int64(from)*60-1, 0)
		for _, start := range d.run(from-earlier, walls) {
			if start < from {
				continue
			}
			want := time.Unix(int64(start)*60, 0).In(zone)
			next, due := schedule.Next(at, zone)
			if !due || !next.Equal(want) {
				t.Fatalf("%s: %q after %s is %s, %v; want %s", name, d.rule, at.In(zone), next, due, want)
			}
			at = next
		}
		if next, due := schedule.Next(at, zone); !due || next.Unix() < int64(end)*60 {
			t.Fatalf("%s: %q after %s is %s, %v, which the daemon does not start", name, d.rule, at.In(zone), next, due)
		}
	}
}

// offsets returns how many minutes a zone is ahead of UTC in a minute, and the minutes of the walk with which that changed, found by bisecting.
func offsets(zone *time.Location) (ahead func(minute int) int, changes []int) {
	look := func(minute int) int {
		_, offset := time.Unix(int64(minute)*60, 0).In(zone).Zone()
		return offset / 60
	}
	const step = dayMinutes / 2
	begin := firstMinute - 30*dayMinutes
	steps := []int{look(begin)}
	for m := begin; m < lastMinute+30*dayMinutes; m += step {
		if look(m) == look(m+step) {
			continue
		}
		low, high := m, m+step
		for high-low > 1 {
			if middle := (low + high) / 2; look(middle) == look(low) {
				low = middle
			} else {
				high = middle
			}
		}
		changes = append(changes, high)
		steps = append(steps, look(high))
	}
	return func(minute int) int {
		i, found := slices.BinarySearch(changes, minute)
		if found {
			i++
		}
		return steps[i]
	}, changes
}

// zonesOfList returns the time zones that come with Go, which are those that the program carries in itself, by name.
func zonesOfList(t *testing.T) map[string]*time.Location {
	t.Helper()
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.OpenReader(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "zoneinfo.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = archive.Close() }()
	zones := map[string]*time.Location{}
	for _, file := range archive.File {
		if strings.HasSuffix(file.Name, "/") {
			continue
		}
		r, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if zones[file.Name], err = time.LoadLocationFromTZData(file.Name, data); err != nil {
			t.Fatal(err)
		}
		if zone, err := cron.LoadZone(file.Name); err != nil || zone.String() != file.Name {
			t.Errorf("LoadZone(%q): %v, %v", file.Name, zone, err)
		}
	}
	if len(zones) < 500 {
		t.Fatalf("only %d zones", len(zones))
	}
	return zones
}
