package audit

import (
	"fmt"
	"strings"

	"sitegrade/weburl"
)

// seoURL are the checks of the URL of the page.
var seoURL = []check{
	{
		id: "url-length", severity: Low,
		source: "Screaming Frog",
		run:    checkURLLength,
	},
	{
		id: "url-readable", severity: Low,
		source: "SEOnaut; Screaming Frog; Google URL structure",
		run:    checkURLReadable,
	},
}

const (
	maxURL        = 115 // characters
	maxParameters = 3
)

func checkURLLength(f *facts) finding {
	n := len(f.final.String())
	if n > maxURL {
		return failText([]Evidence{{URL: shownAddress(f.final)}}, "The URL has %d characters; at most %d are recommended.", n, maxURL)
	}
	return passText("The URL has %d characters.", n)
}

func checkURLReadable(f *facts) finding {
	if f.final.Path() == "/" && f.final.Query() == "" {
		return notApplicableText("This is the home page of its site.")
	}
	if faults := unreadableParts(f.final); len(faults) > 0 {
		return failText([]Evidence{{URL: shownAddress(f.final)}}, "The URL has %s.", strings.Join(faults, ", "))
	}
	return passText("The URL is easy to read.")
}

// unreadableParts names what makes a URL hard to read.
func unreadableParts(u *weburl.URL) []string {
	path := u.DecodedPath()
	written := u.Path()
	var faults []string
	for _, rule := range []struct {
		broken bool
		name   string
	}{
		{strings.Contains(path, "_"), "an underscore"},
		{path != strings.ToLower(path), "upper case"},
		{strings.ContainsAny(path, " +") || strings.Contains(strings.ToLower(written), "%20"), "a space"},
		{strings.IndexFunc(path, func(r rune) bool { return r > 0x7f }) >= 0, "characters outside ASCII"},
		{strings.Contains(path, "//"), "a double slash"},
		{hasRepeatedSegment(path), "a segment twice in a row"},
	} {
		if rule.broken {
			faults = append(faults, rule.name)
		}
	}
	if n := countParameters(u.Query()); n > maxParameters {
		faults = append(faults, fmt.Sprintf("%d query parameters", n))
	}
	return faults
}

// hasRepeatedSegment reports whether a segment of a path follows itself, as broken relative links make them.
func hasRepeatedSegment(path string) bool {
	last := ""
	for segment := range strings.SplitSeq(path, "/") {
		if segment != "" && segment == last {
			return true
		}
		last = segment
	}
	return false
}

func countParameters(query string) int {
	n := 0
	for parameter := range strings.SplitSeq(query, "&") {
		if parameter != "" {
			n++
		}
	}
	return n
}
