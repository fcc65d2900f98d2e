package cron_test

import (
	"strings"
	"testing"

	"sitegrade/cron"
)

func TestLoadZone(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Berlin", "America/Port-au-Prince", "America/Argentina/Buenos_Aires", "Etc/GMT+1", "CST6CDT"} {
		if zone, err := cron.LoadZone(name); err != nil || zone.String() != name {
			t.Errorf("%q: %v, %v", name, zone, err)
		}
	}
	for _, name := range []string{"", "Local", "localtime", "posixrules", "posix/UTC", "right/Europe/Berlin", "/etc/localtime", "../UTC", "Europe/../UTC",
		"Europe", "Europe/", "Europe/Atlantis", "europe/berlin", "+01:00", "Europe/Berlin\x00", `Europe\Berlin`, strings.Repeat("A", 1000)} {
		_, err := cron.LoadZone(name)
		if err == nil || !strings.Contains(err.Error(), "use a name of the IANA list, such as UTC or Europe/Berlin") || len(err.Error()) > 200 {
			t.Errorf("%q: %v", name, err)
		}
	}
}
