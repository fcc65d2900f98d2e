package audit

import (
	"bytes"
	"slices"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/fetch"
	"sitegrade/weburl"
)

// siteChecks are the checks of the section seo that look at the site beside the page: its robots.txt, its other URLs, its
// error page and its icon.
var siteChecks = []check{
	{
		id: "host-variants", severity: Low,
		source: "Semrush",
		needs:  needsVariants,
		run:    checkHostVariants,
	},
	{
		id: "soft-404", severity: Medium,
		source: "common SEO checkers",
		needs:  needsNotFound,
		run:    checkSoftNotFound,
	},
	{
		id: "robots-txt", severity: Medium,
		source: "Lighthouse robots-txt; RFC 9309; Google Search Central",
		needs:  needsRobotsTxt,
		run:    checkRobotsTxt,
	},
	{
		id: "robots-blocks-assets", severity: Medium,
		source: "Google Search Central",
		needs:  needsRobotsTxt,
		run:    checkRobotsBlocksAssets,
	},
	{
		id: "favicon", severity: Low,
		source: "common SEO checkers",
		run:    checkFavicon,
	},
}

func checkHostVariants(f *facts) finding {
	var elsewhere tally
	looked := 0
	for _, variant := range []*fetch.Result{f.site.insecure, f.site.otherHost} {
		if variant == nil {
			continue
		}
		looked++
		if variant.Failure == nil && variant.Status < 400 && !samePlace(variant.URL, f.final) {
			elsewhere.add(Evidence{URL: shownAddress(variant.URL)})
		}
	}
	switch {
	case looked == 0:
		return notApplicableText("No other URL of the page was fetched.")
	case elsewhere.count > 0:
		return failText(elsewhere.evidence, "%s.",
			counted(elsewhere.count, "variant of the URL", "variants of the URL", "does not lead to "+shownAddress(f.final)))
	}
	return passText("%s.", every(looked, "variant of the URL", "variants of the URL", "leads to this page or nowhere"))
}

// samePlace reports whether two URLs lead to the same page. Queries are not compared, since redirects often add parameters.
func samePlace(a, b *weburl.URL) bool { return a.SameOrigin(b) && a.Path() == b.Path() }

func checkSoftNotFound(f *facts) finding {
	answer := f.site.notFound
	switch {
	case f.response.Status < 300 && f.saysNotFound():
		return failText([]Evidence{{URL: shownAddress(f.final)}}, "The page says that it was not found, and yet answers with status %d.", f.response.Status)
	case answer == nil:
		return notApplicableText("No URL that does not exist was tried.")
	case answer.Failure != nil:
		return notApplicableText("The URL that does not exist did not answer.")
	case answer.Status == 404 || answer.Status == 410:
		return passText("A URL that does not exist answers with status %d.", answer.Status)
	}
	return failText([]Evidence{{URL: shownAddress(answer.URL)}}, "A URL that does not exist answers with status %d.", answer.Status)
}

// checkRobotsTxt does not judge what the file forbids; is-crawlable does.
func checkRobotsTxt(f *facts) finding {
	file := f.site.robots
	switch {
	case file == nil:
		return notApplicableText("robots.txt was not fetched.")
	case file.Failure != nil:
		return failText(nil, "robots.txt did not answer, and crawlers may stay away until it does.")
	}
	at := shownAddress(file.URL)
	switch {
	case file.Status >= 500:
		return failText([]Evidence{{URL: at}}, "robots.txt answers with status %d, and crawlers may stay away until that is fixed.", file.Status)
	case f.site.rules == nil:
		return passText("There is no robots.txt (status %d), so crawlers may fetch everything.", file.Status)
	case looksLikeHTML(file.Body):
		return failText([]Evidence{{URL: at, Snippet: page.CutSnippet(string(firstLine(file.Body)))}}, "robots.txt is an HTML page.")
	case file.Size > robots.MaxSize:
		return failText([]Evidence{{URL: at}}, "robots.txt is %s; crawlers read only the first %d KiB.", FormatBytes(file.Size), robots.MaxSize>>10)
	}
	return robotsSyntax(f.site.rules.Problems, at)
}

func robotsSyntax(problems []robots.Problem, at string) finding {
	if len(problems) == 0 {
		return passText("Crawlers can read every line of robots.txt.")
	}
	var lines tally
	for _, p := range problems {
		lines.add(Evidence{URL: at, Line: p.Line, Snippet: p.Text})
	}
	count := plural(len(problems), "line", "lines")
	if len(problems) == robots.MaxProblems {
		count = "At least " + count
	}
	return failText(lines.evidence, "%s of robots.txt cannot be read; line %d: %s.", count, problems[0].Line, problems[0].Detail)
}

// looksLikeHTML reports whether content begins as a page does.
func looksLikeHTML(body []byte) bool {
	body = bytes.TrimLeft(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), " \t\r\n")
	start := bytes.ToLower(body[:min(len(body), 20)])
	for _, sign := range []string{"<!doctype html", "<html", "<head", "<body", "<script", "<!--"} {
		if bytes.HasPrefix(start, []byte(sign)) {
			return true
		}
	}
	return false
}

func firstLine(body []byte) []byte {
	if end := bytes.IndexAny(body, "\r\n"); end >= 0 {
		return body[:end]
	}
	return body
}

// maxAssetsMatched is how many URLs are matched against robots.txt, which may have a hundred thousand rules.
const maxAssetsMatched = 60

// checkRobotsBlocksAssets looks at resources of the page's own origin: the robots.txt of other hosts was not fetched.
func checkRobotsBlocksAssets(f *facts) finding {
	if f.site.robots == nil || f.site.robots.Failure != nil {
		return notApplicableText("robots.txt was not fetched.")
	}
	var blocked tally
	looked := 0
	rules := f.site.rules.RulesFor("Googlebot")
	for _, l := range f.linked() {
		if l.kind != linkedStylesheet && l.kind != linkedScript || l.url == nil || !l.url.SameOrigin(f.final) {
			continue
		}
		if looked++; looked > maxAssetsMatched {
			break
		}
		if !rules.Allow(l.url) {
			blocked.addElement(f.doc, l.Element, l.url)
		}
	}
	switch {
	case looked == 0:
		return notApplicableText("The page loads no stylesheet or script from its own host.")
	case len(rules) == 0:
		return notApplicableText("robots.txt has no rules for Google.")
	case blocked.count > 0:
		return failText(blocked.evidence, "robots.txt keeps Google away from %s.", plural(blocked.count, "stylesheet or script", "stylesheets and scripts"))
	}
	return passText("robots.txt lets Google fetch the page's stylesheets and scripts.")
}

func checkFavicon(f *facts) finding {
	for _, l := range f.doc.Links {
		if l.URL != nil && l.URL.Scheme() == "data" && slices.Contains(l.Rel, "icon") {
			return passText("The icon is part of the page.")
		}
	}
	icon := f.site.favicon
	switch {
	case icon == nil:
		return notApplicableText("No icon was fetched.").without(UnseenSample)
	case icon.Failure != nil:
		return failText(nil, "The icon did not answer.")
	case icon.Status >= 400:
		return failText([]Evidence{{URL: shownAddress(icon.URL)}}, "The icon answers with status %d.", icon.Status)
	case strings.HasPrefix(header.MIMEType(icon.Header), "text/html"):
		return failText([]Evidence{{URL: shownAddress(icon.URL)}}, "The icon is an HTML page.")
	}
	return passText("The icon answers with status %d.", icon.Status)
}
