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
		advice: "Redirect http: and the host with or without www. to a single URL.",
		source: "Semrush",
		needs:  needsVariants,
		run:    checkHostVariants,
	},
	{
		id: "soft-404", severity: Medium,
		advice: "Answer URLs of pages that do not exist with status 404 or 410.",
		source: "common SEO checkers",
		needs:  needsNotFound,
		run:    checkSoftNotFound,
	},
	{
		id: "robots-txt", severity: Medium,
		advice: "Fix the lines of robots.txt that crawlers cannot read, and serve it as plain text without errors.",
		source: "Lighthouse robots-txt; RFC 9309; Google Search Central",
		needs:  needsRobotsTxt,
		run:    checkRobotsTxt,
	},
	{
		id: "robots-blocks-assets", severity: Medium,
		advice: "Allow stylesheets and scripts in robots.txt: Google renders the page with them.",
		source: "Google Search Central",
		needs:  needsRobotsTxt,
		run:    checkRobotsBlocksAssets,
	},
	{
		id: "favicon", severity: Low,
		advice: `Add <link rel="icon"> with a URL that works, or put an icon at /favicon.ico.`,
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
		return notApplicable("No other URL of the page was fetched.")
	case elsewhere.count > 0:
		return fail(elsewhere.evidence, "%s.",
			counted(elsewhere.count, "variant of the URL", "variants of the URL", "does not lead to "+shownAddress(f.final)))
	}
	return pass("%s.", every(looked, "variant of the URL", "variants of the URL", "leads to this page or nowhere"))
}

// samePlace reports whether two URLs lead to the same page. Queries are not compared, since redirects often add parameters.
func samePlace(a, b *weburl.URL) bool { return a.SameOrigin(b) && a.Path() == b.Path() }

func checkSoftNotFound(f *facts) finding {
	answer := f.site.notFound
	switch {
	case f.response.Status < 300 && f.saysNotFound():
		return fail([]Evidence{{URL: shownAddress(f.final)}}, "The page says that it was not found, and yet answers with status %d.", f.response.Status)
	case answer == nil:
		return notApplicable("No URL that does not exist was tried.")
	case answer.Failure != nil:
		return notApplicable("The URL that does not exist did not answer.")
	case answer.Status == 404 || answer.Status == 410:
		return pass("A URL that does not exist answers with status %d.", answer.Status)
	}
	return fail([]Evidence{{URL: shownAddress(answer.URL)}}, "A URL that does not exist answers with status %d.", answer.Status)
}

// checkRobotsTxt does not judge what the file forbids; is-crawlable does.
func checkRobotsTxt(f *facts) finding {
	file := f.site.robots
	switch {
	case file == nil:
		return notApplicable("robots.txt was not fetched.")
	case file.Failure != nil:
		return fail(nil, "robots.txt did not answer, and crawlers may stay away until it does.")
	}
	at := shownAddress(file.URL)
	switch {
	case file.Status >= 500:
		return fail([]Evidence{{URL: at}}, "robots.txt answers with status %d, and crawlers may stay away until that is fixed.", file.Status)
	case f.site.rules == nil:
		return pass("There is no robots.txt (status %d), so crawlers may fetch everything.", file.Status)
	case looksLikeHTML(file.Body):
		return fail([]Evidence{{URL: at, Snippet: page.CutSnippet(string(firstLine(file.Body)))}}, "robots.txt is an HTML page.")
	case file.Size > robots.MaxSize:
		return fail([]Evidence{{URL: at}}, "robots.txt is %s; crawlers read only the first %d KiB.", FormatBytes(file.Size), robots.MaxSize>>10)
	}
	return robotsSyntax(f.site.rules.Problems, at)
}

func robotsSyntax(problems []robots.Problem, at string) finding {
	if len(problems) == 0 {
		return pass("Crawlers can read every line of robots.txt.")
	}
	var lines tally
	for _, p := range problems {
		lines.add(Evidence{URL: at, Line: p.Line, Snippet: p.Text})
	}
	count := plural(len(problems), "line", "lines")
	if len(problems) == robots.MaxProblems {
		count = "At least " + count
	}
	return fail(lines.evidence, "%s of robots.txt cannot be read; line %d: %s.", count, problems[0].Line, problems[0].Detail)
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
		return notApplicable("robots.txt was not fetched.")
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
		return notApplicable("The page loads no stylesheet or script from its own host.")
	case len(rules) == 0:
		return notApplicable("robots.txt has no rules for Google.")
	case blocked.count > 0:
		return fail(blocked.evidence, "robots.txt keeps Google away from %s.", plural(blocked.count, "stylesheet or script", "stylesheets and scripts"))
	}
	return pass("robots.txt lets Google fetch the page's stylesheets and scripts.")
}

func checkFavicon(f *facts) finding {
	for _, l := range f.doc.Links {
		if l.URL != nil && l.URL.Scheme() == "data" && slices.Contains(l.Rel, "icon") {
			return pass("The icon is part of the page.")
		}
	}
	icon := f.site.favicon
	switch {
	case icon == nil:
		return notApplicable("No icon was fetched.").without(UnseenSample)
	case icon.Failure != nil:
		return fail(nil, "The icon did not answer.")
	case icon.Status >= 400:
		return fail([]Evidence{{URL: shownAddress(icon.URL)}}, "The icon answers with status %d.", icon.Status)
	case strings.HasPrefix(header.MIMEType(icon.Header), "text/html"):
		return fail([]Evidence{{URL: shownAddress(icon.URL)}}, "The icon is an HTML page.")
	}
	return pass("The icon answers with status %d.", icon.Status)
}
