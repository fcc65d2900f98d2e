package audit

import (
	"bytes"
	"slices"
	"strings"

	"sitegrade/audit/header"
	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/fetch"
	"sitegrade/locale"
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
		return notApplicable("host-variants.unfetched")
	case elsewhere.count > 0:
		return fail(elsewhere.evidence, "host-variants.elsewhere", locale.Count(elsewhere.count), locale.Text(shownAddress(f.final)))
	}
	return pass("host-variants.all", locale.Count(looked))
}

// samePlace reports whether two URLs lead to the same page. Queries are not compared, since redirects often add parameters.
func samePlace(a, b *weburl.URL) bool { return a.SameOrigin(b) && a.Path() == b.Path() }

func checkSoftNotFound(f *facts) finding {
	answer := f.site.notFound
	switch {
	case f.response.Status < 300 && f.saysNotFound():
		return fail([]Evidence{{URL: shownAddress(f.final)}}, "soft-404.says-not-found", locale.Code(f.response.Status))
	case answer == nil:
		return notApplicable("soft-404.untried")
	case answer.Failure != nil:
		return notApplicable("soft-404.unanswered")
	case answer.Status == 404 || answer.Status == 410:
		return pass("soft-404.answers", locale.Code(answer.Status))
	}
	return fail([]Evidence{{URL: shownAddress(answer.URL)}}, "soft-404.answers", locale.Code(answer.Status))
}

// checkRobotsTxt does not judge what the file forbids; is-crawlable does.
func checkRobotsTxt(f *facts) finding {
	file := f.site.robots
	switch {
	case file == nil:
		return notApplicable("common.robots-not-fetched")
	case file.Failure != nil:
		return fail(nil, "robots-txt.unanswered")
	}
	at := shownAddress(file.URL)
	switch {
	case file.Status >= 500:
		return fail([]Evidence{{URL: at}}, "robots-txt.error", locale.Code(file.Status))
	case f.site.rules == nil:
		return pass("robots-txt.missing", locale.Code(file.Status))
	case looksLikeHTML(file.Body):
		return fail([]Evidence{{URL: at, Snippet: page.CutSnippet(string(firstLine(file.Body)))}}, "robots-txt.html")
	case file.Size > robots.MaxSize:
		return fail([]Evidence{{URL: at}}, "robots-txt.large", locale.Bytes(file.Size), locale.KiB(robots.MaxSize>>10))
	}
	return robotsSyntax(f.site.rules.Problems, at)
}

func robotsSyntax(problems []robots.Problem, at string) finding {
	if len(problems) == 0 {
		return pass("robots-txt.readable")
	}
	var lines tally
	for _, p := range problems {
		lines.add(Evidence{URL: at, Line: p.Line, Snippet: p.Text})
	}
	id := "robots-txt.unreadable"
	if len(problems) == robots.MaxProblems {
		id = "robots-txt.unreadable-at-least"
	}
	return fail(lines.evidence, id, locale.Count(len(problems)), locale.Code(problems[0].Line), locale.Worded(problems[0].Detail))
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
		return notApplicable("common.robots-not-fetched")
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
		return notApplicable("robots-blocks-assets.nothing")
	case len(rules) == 0:
		return notApplicable("robots-blocks-assets.no-rules")
	case blocked.count > 0:
		return fail(blocked.evidence, "robots-blocks-assets.blocked", locale.Count(blocked.count))
	}
	return pass("robots-blocks-assets.allowed")
}

func checkFavicon(f *facts) finding {
	for _, l := range f.doc.Links {
		if l.URL != nil && l.URL.Scheme() == "data" && slices.Contains(l.Rel, "icon") {
			return pass("favicon.inline")
		}
	}
	icon := f.site.favicon
	switch {
	case icon == nil:
		return notApplicable("favicon.unfetched").without(UnseenSample)
	case icon.Failure != nil:
		return fail(nil, "favicon.unanswered")
	case icon.Status >= 400:
		return fail([]Evidence{{URL: shownAddress(icon.URL)}}, "favicon.answers", locale.Code(icon.Status))
	case strings.HasPrefix(header.MIMEType(icon.Header), "text/html"):
		return fail([]Evidence{{URL: shownAddress(icon.URL)}}, "favicon.html")
	}
	return pass("favicon.answers", locale.Code(icon.Status))
}
