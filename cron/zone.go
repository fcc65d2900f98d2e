package cron

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // for machines that have no time zones; it makes the program 414 kB larger
)

// zones has the zones that were loaded, by name: schedules by the thousand share a few. There are about 600 names, so it stays small.
var zones sync.Map

// zoneName is how the IANA list writes names: "UTC", "Europe/Berlin", "America/Port-au-Prince", "Etc/GMT+1".
var zoneName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*)*$`)

// LoadZone returns the time zone of a name in the list of IANA, from the machine if it has time zones, else from the program itself. Names that
// mean another zone on another machine ("Local") and paths are errors, which say what would be right.
func LoadZone(name string) (*time.Location, error) {
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	if !zoneName.MatchString(name) || name == "Local" {
		return nil, unknownZone(name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, unknownZone(name)
	}
	kept, _ := zones.LoadOrStore(name, zone)
	return kept.(*time.Location), nil
}

func unknownZone(name string) error {
	const longest = 64
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "") + "..."
	}
	return fmt.Errorf("the time zone %q is not known; use a name of the IANA list, such as UTC or Europe/Berlin", name)
}

// maxChange is by how many seconds clocks may change for it to be daylight saving.
const maxChange = 3 * hour

// period is a time in which a zone keeps its offset. The next one may have the same.
type period struct {
	offset int64 // seconds east of UTC
	end    int64 // the Unix time at which the next period begins
}

// periodAt returns the period that a Unix time is in.
func periodAt(t int64, zone *time.Location) period {
	at := time.Unix(t, 0).In(zone)
	_, offset := at.Zone()
	p := period{offset: int64(offset), end: math.MaxInt64}
	if _, end := at.ZoneBounds(); !end.IsZero() {
		p.end = end.Unix()
	}
	if p.end <= t {
		// On the last day of a leap year, ZoneBounds may say that the day's beginning is the end (https://go.dev/issue/81583).
		p.end = t - t%day + day
	}
	return p
}
