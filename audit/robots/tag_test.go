package robots

import (
	"reflect"
	"testing"
	"time"
)

// now is the time at which the tests read tags.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func TestParseRobotsTagHeader(t *testing.T) {
	tests := []struct {
		name  string
		lines []string
		want  []Tag
	}{
		{"none", nil, nil},
		{"empty", []string{"", " , "}, nil},
		{"several", []string{"NoIndex, nofollow"}, []Tag{{Name: "noindex"}, {Name: "nofollow"}}},
		{"for a crawler to the end of the line", []string{"googlebot: noindex, nofollow", "noarchive"},
			[]Tag{{Agent: "googlebot", Name: "noindex"}, {Agent: "googlebot", Name: "nofollow"}, {Name: "noarchive"}}},
		{"lines joined by a proxy", []string{"GoogleBot: nofollow, otherbot: noindex, noarchive"},
			[]Tag{{Agent: "googlebot", Name: "nofollow"}, {Agent: "otherbot", Name: "noindex"}, {Agent: "otherbot", Name: "noarchive"}}},
		{"values are no crawlers", []string{"max-snippet:-1, max-image-preview: large, max-video-preview:0"},
			[]Tag{{Name: "max-snippet", Value: "-1"}, {Name: "max-image-preview", Value: "large"}, {Name: "max-video-preview", Value: "0"}}},
		{"a comma in a date", []string{"unavailable_after: Wed, 21 Oct 2026 07:28:00 GMT, noarchive"},
			[]Tag{{Name: "unavailable_after", Value: "Wed, 21 Oct 2026 07:28:00 GMT"}, {Name: "noarchive"}}},
		{"a comma in a date for a crawler", []string{"bingbot: unavailable_after: Wed, 21 Oct 2026 07:28:00 GMT"},
			[]Tag{{Agent: "bingbot", Name: "unavailable_after", Value: "Wed, 21 Oct 2026 07:28:00 GMT"}}},
		{"a date that is none", []string{"unavailable_after: some day, noindex"},
			[]Tag{{Name: "unavailable_after", Value: "some day"}, {Name: "noindex"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := ParseTagHeader(test.lines); !reflect.DeepEqual(got, test.want) {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}

func TestParseRobotsDate(t *testing.T) {
	tests := []struct{ date, want string }{
		{"25 Jun 2010 15:00:00 PST", "2010-06-25T23:00:00Z"},
		{"25-Aug-2007 15:00:00 EST", "2007-08-25T20:00:00Z"},
		{"Friday, 25-Jun-10 15:00:00 GMT", "2010-06-25T15:00:00Z"},
		{"Wed, 21 Oct 2026 07:28:00 GMT", "2026-10-21T07:28:00Z"},
		{"Wed, 21 Oct 2026 07:28:00 +0200", "2026-10-21T05:28:00Z"},
		{"2026-10-21T07:28:00+02:00", "2026-10-21T05:28:00Z"},
		{"2026-10-21T07:28:00Z", "2026-10-21T07:28:00Z"},
		{"2026-10-21 07:28", "2026-10-21T07:28:00Z"},
		{"2026-10-21", "2026-10-21T00:00:00Z"},
		{"21 October 2026", "2026-10-21T00:00:00Z"},
		{"Oct 21, 2026", "2026-10-21T00:00:00Z"},
		{"tomorrow", ""},
		{"", ""},
		{"Wed", ""},
		{"Wed, 21 Oct", ""},
	}
	for _, test := range tests {
		got, ok := parseDate(test.date)
		if text := got.Format(time.RFC3339); ok != (test.want != "") || ok && text != test.want {
			t.Errorf("parseDate(%q) = %s, %v, want %s", test.date, text, ok, test.want)
		}
	}
}

func TestBlocksIndexing(t *testing.T) {
	tests := []struct {
		content string
		want    bool
	}{
		{"noindex", true},
		{"NONE", true},
		{"index, follow", false},
		{"nofollow", false},
		{"unavailable_after: 2026-11-19", true},
		{"unavailable_after: Thu, 19 Nov 2026 12:00:00 GMT", true},
		{"unavailable_after: 2026-11-21", false},
		{"unavailable_after: never", false},
	}
	for _, test := range tests {
		blocked := false
		for _, tag := range ParseMeta("", test.content) {
			blocked = blocked || tag.BlocksIndexing(now)
		}
		if blocked != test.want {
			t.Errorf("%q blocks indexing: %v, want %v", test.content, blocked, test.want)
		}
	}
}

// FuzzTag holds that the lines of a header are read apart, whatever stands in them.
func FuzzTag(f *testing.F) {
	f.Add("googlebot: unavailable_after: Wed, 21 Oct 2026 07:28:00 GMT, noindex")
	f.Add(",:,:,unavailable_after,+,-")
	f.Add("0\x99\x99\x99\x99\x99\x99\x99\x99\x99unAvAilABle_After,") // its lower case is longer
	f.Fuzz(func(t *testing.T, line string) {
		before := ParseTagHeader([]string{line})
		got := ParseTagHeader([]string{line, "noindex"})
		if len(got) != len(before)+1 || got[len(got)-1] != (Tag{Name: "noindex"}) {
			t.Errorf("%q: %+v, with another line %+v", line, before, got)
		}
		for _, tag := range got {
			tag.BlocksIndexing(now)
		}
	})
}
