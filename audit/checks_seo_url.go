package audit

import (
	"strings"

	"sitegrade/locale"
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
		return fail([]Evidence{{URL: shownAddress(f.final)}}, "url-length.long", locale.Count(n), locale.Count(maxURL))
	}
	return pass("url-length.good", locale.Count(n))
}

func checkURLReadable(f *facts) finding {
	if f.final.Path() == "/" && f.final.Query() == "" {
		return notApplicable("url-readable.home")
	}
	if faults := unreadableParts(f.final); len(faults) > 0 {
		return fail([]Evidence{{URL: shownAddress(f.final)}}, "url-readable.faulty", locale.ListOf(faults))
	}
	return pass("url-readable.good")
}

// unreadableParts names what makes a URL hard to read.
func unreadableParts(u *weburl.URL) []locale.Arg {
	path := u.DecodedPath()
	written := u.Path()
	var faults []locale.Arg
	for _, rule := range []struct {
		broken bool
		id     string
	}{
		{strings.Contains(path, "_"), "url-readable.underscore"},
		{path != strings.ToLower(path), "url-readable.upper-case"},
		{strings.ContainsAny(path, " +") || strings.Contains(strings.ToLower(written), "%20"), "url-readable.space"},
		{strings.IndexFunc(path, func(r rune) bool { return r > 0x7f }) >= 0, "url-readable.not-ascii"},
		{strings.Contains(path, "//"), "url-readable.double-slash"},
		{hasRepeatedSegment(path), "url-readable.repeated"},
	} {
		if rule.broken {
			faults = append(faults, locale.Phrase(rule.id))
		}
	}
	if n := countParameters(u.Query()); n > maxParameters {
		faults = append(faults, locale.Phrase("url-readable.parameters", locale.Count(n)))
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
