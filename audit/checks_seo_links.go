package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/locale"
	"sitegrade/weburl"
)

// seoLinks are the checks of links that need the page alone.
var seoLinks = []check{
	{
		id: "link-text", severity: Medium,
		source: "Lighthouse link-text",
		ofText: true,
		run:    checkLinkText,
	},
	{
		id: "link-name", severity: Medium,
		source: "Lighthouse link-name",
		ofText: true,
		run:    checkLinkName,
	},
	{
		id: "crawlable-anchors", severity: Medium,
		source: "Lighthouse crawlable-anchors",
		ofText: true,
		run:    checkCrawlableAnchors,
	},
	{
		id: "link-count", severity: Low,
		source: "SEOnaut",
		ofText: true,
		run:    checkLinkCount,
	},
	{
		id: "internal-nofollow", severity: Low,
		source: "SEOnaut",
		ofText: true,
		run:    checkInternalNofollow,
	},
	{
		id: "links-to-http", severity: Low,
		source: "SEOnaut",
		ofText: true,
		run:    checkLinksToHTTP,
	},
	{
		id: "links-to-localhost", severity: Medium,
		source: "SEOnaut",
		ofText: true,
		run:    checkLinksToLocalhost,
	},
	{
		id: "tracking-params", severity: Low,
		source: "Screaming Frog",
		ofText: true,
		run:    checkTrackingParams,
	},
}

const maxLinks = 150

func checkLinkText(f *facts) finding {
	var generic tally
	asked := 0
	for _, a := range f.doc.Anchors {
		if !asksForText(a, f.final) {
			continue
		}
		asked++
		if isGenericText(a.Text, a.Lang) {
			generic.addElement(f.doc, a.Element, a.URL)
		}
	}
	switch {
	case asked == 0:
		return notApplicable("link-text.none")
	case generic.count > 0:
		return fail(generic.evidence, "link-text.generic", locale.Count(generic.count)).of(generic.count, asked)
	}
	return pass("link-text.all", locale.Count(asked))
}

// asksForText reports whether link-text looks at a link: one that people see, that search engines follow, to another page.
func asksForText(a page.Anchor, final *weburl.URL) bool {
	if a.URL == nil || a.Hidden || a.Text == "" || slices.Contains(a.Rel, "nofollow") {
		return false
	}
	if a.URL.Scheme() == "javascript" || a.URL.Scheme() == "mailto" {
		return false
	}
	return !a.URL.SamePage(final)
}

func checkLinkName(f *facts) finding {
	nameless := namelessOf(f.doc, f.doc.ExposedLinks)
	switch total := len(f.doc.ExposedLinks); {
	case total == 0:
		return notApplicable("common.no-links")
	case nameless.count > 0:
		return fail(nameless.evidence, "link-name.missing", locale.Count(nameless.count), locale.Count(total)).of(nameless.count, total)
	default:
		return pass("link-name.all", locale.Count(total))
	}
}

func checkCrawlableAnchors(f *facts) finding {
	if len(f.doc.Anchors) == 0 {
		return notApplicable("common.no-links")
	}
	var lost tally
	for _, a := range f.doc.Anchors {
		if !isCrawlable(a) {
			lost.addElement(f.doc, a.Element, nil)
		}
	}
	if lost.count > 0 {
		return fail(lost.evidence, "crawlable-anchors.lost", locale.Count(lost.count)).of(lost.count, len(f.doc.Anchors))
	}
	return pass("crawlable-anchors.all")
}

// isCrawlable reports whether search engines can follow an a element, or need not: it is a button by its role, or a place that links
// lead to. Without an href it is meant as a link if it has a click handler or an attribute that only links have.
func isCrawlable(a page.Anchor) bool {
	switch {
	case a.Role != "" || a.HasName:
		return true
	case !a.HasHref:
		return a.HasID || !a.Clickable && !a.Linkish
	case a.URL == nil:
		return false
	}
	switch a.URL.Scheme() {
	case "mailto":
		return true
	case "file":
		return false
	case "javascript":
		return false
	case "ftp":
		return strings.Trim(a.URL.Opaque(), "/") != ""
	}
	return !isSpacedScript(a.Href)
}

// isSpacedScript reports whether an href is meant as a script but has white space before the colon: "javascript : void(0)".
func isSpacedScript(href string) bool {
	scheme, _, found := strings.Cut(href, ":")
	return found && strings.EqualFold(strings.TrimSpace(scheme), "javascript")
}

func checkLinkCount(f *facts) finding {
	switch n := f.doc.Total.Links; {
	case n == 0:
		return fail(nil, "link-count.none")
	case n > maxLinks:
		return fail(nil, "link-count.many", locale.Count(n), locale.Count(maxLinks))
	default:
		return pass("link-count.good", locale.Count(n))
	}
}

// linksWhere returns the links to http and https URLs that are faulty among those that are asked about, and how many those are.
func (f *facts) linksWhere(asked, faulty func(*weburl.URL, page.Anchor) bool) (found tally, total int) {
	for _, a := range f.doc.Anchors {
		if !a.URL.IsWeb() || !asked(a.URL, a) {
			continue
		}
		total++
		if faulty(a.URL, a) {
			found.addElement(f.doc, a.Element, a.URL)
		}
	}
	return found, total
}

// isInternal reports whether a link leads to the host of the page.
func (f *facts) isInternal(u *weburl.URL, _ page.Anchor) bool { return u.Host() == f.final.Host() }

func isAnyLink(*weburl.URL, page.Anchor) bool { return true }

func checkInternalNofollow(f *facts) finding {
	found, total := f.linksWhere(f.isInternal, func(_ *weburl.URL, a page.Anchor) bool { return slices.Contains(a.Rel, "nofollow") })
	switch {
	case total == 0:
		return notApplicable("common.no-own-links")
	case found.count > 0:
		return fail(found.evidence, "internal-nofollow.nofollow", locale.Count(found.count), locale.Count(total))
	}
	return pass("internal-nofollow.none")
}

func checkLinksToHTTP(f *facts) finding {
	if f.final.Scheme() != "https" {
		return notApplicable("links-to-http.plain-page")
	}
	found, total := f.linksWhere(isAnyLink, func(u *weburl.URL, _ page.Anchor) bool { return u.Scheme() == "http" })
	switch {
	case total == 0:
		return notApplicable("common.no-links")
	case found.count > 0:
		return fail(found.evidence, "links-to-http.http", locale.Count(found.count), locale.Count(total))
	}
	return pass("links-to-http.all", locale.Count(total))
}

func checkLinksToLocalhost(f *facts) finding {
	if isOwnMachine(f.final) {
		return notApplicable("links-to-localhost.own-machine")
	}
	found, total := f.linksWhere(isAnyLink, func(u *weburl.URL, _ page.Anchor) bool { return isOwnMachine(u) })
	switch {
	case total == 0:
		return notApplicable("common.no-links")
	case found.count > 0:
		return fail(found.evidence, "links-to-localhost.local", locale.Count(found.count), locale.Count(total))
	}
	return pass("links-to-localhost.none")
}

// isOwnMachine reports whether a URL leads to the machine of whoever opens it.
func isOwnMachine(u *weburl.URL) bool {
	if u.IsLoopback() {
		return true
	}
	ip, is := u.IP()
	return is && ip.Unmap().IsUnspecified()
}

func checkTrackingParams(f *facts) finding {
	isAsked := func(u *weburl.URL, a page.Anchor) bool { return u.Query() != "" && f.isInternal(u, a) }
	found, total := f.linksWhere(isAsked, func(u *weburl.URL, _ page.Anchor) bool { return hasTrackingParameter(u.Query()) })
	switch {
	case total == 0:
		return notApplicable("tracking-params.none")
	case found.count > 0:
		return fail(found.evidence, "tracking-params.tracked", locale.Count(found.count), locale.Count(total))
	}
	return pass("tracking-params.clean")
}

func hasTrackingParameter(query string) bool {
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(strings.ToLower(parameter), "=")
		if strings.HasPrefix(name, "utm_") || name == "_ga" || name == "_gl" {
			return true
		}
	}
	return false
}
