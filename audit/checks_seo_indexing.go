package audit

import (
	"slices"
	"strconv"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/audit/robots"
	"sitegrade/locale"
)

// seoIndexing are the checks of whether search engines may index the page, and what they may show of it.
var seoIndexing = []check{
	{
		id: "http-status", severity: High,
		source: "Lighthouse http-status-code",
		run:    checkHTTPStatus,
	},
	{
		id: "is-crawlable", severity: High,
		source: "Lighthouse is-crawlable; RFC 9309; Google robots meta tag specifications",
		needs:  needsRobotsTxt,
		run:    checkCrawlable,
	},
	{
		id: "robots-conflict", severity: Medium,
		source: "Google robots meta tag specifications: the most restrictive directive wins",
		run:    checkRobotsConflict,
	},
	{
		id: "nofollow-page", severity: Low,
		source: "SEOnaut; Screaming Frog",
		run:    checkNofollowPage,
	},
	{
		id: "snippet-limits", severity: Info,
		source: "SEOnaut; Google robots meta tag specifications",
		run:    checkSnippetLimits,
	},
	{
		id: "redirects", severity: Medium,
		source: "SEOnaut; Lighthouse redirects",
		run:    checkRedirects,
	},
	{
		id: "meta-refresh", severity: Medium,
		source: "Lighthouse meta-refresh; WCAG 2.2.1",
		run:    checkMetaRefresh,
	},
}

// The highest scores that the gates allow: 0 for an error page; less than decent for a page that no search engine may index, that has
// no title, or that has practically no content; less than good for one that Google may not index.
const (
	errorPageLimit     = 0
	notIndexableLimit  = DecentScore - 1
	untitledLimit      = DecentScore - 1
	contentlessLimit   = DecentScore - 1
	googleBlockedLimit = GoodScore - 1
)

func checkHTTPStatus(f *facts) finding {
	status := f.response.Status
	if status >= 400 {
		return fail([]Evidence{{URL: f.final.String()}}, "http-status.answers", locale.Code(status)).cap(errorPageLimit, "why.error-status", locale.Code(status))
	}
	return pass("http-status.answers", locale.Code(status))
}

// crawlers are the crawlers that is-crawlable looks at; "*" is any other.
var crawlers = []string{"*", "Googlebot", "bingbot", "DuckDuckBot", "archive.org_bot"}

// directive is a robots directive, and where it is declared.
type directive struct {
	robots.Tag
	meta page.Element // without a node when it comes from the header
}

// directives returns the robots directives of the page: those of metas in the head that are named "robots" or after a crawler,
// then those of X-Robots-Tag headers.
func (f *facts) directives() []directive {
	var found []directive
	for _, m := range f.doc.Metas {
		if m.InBody || m.Content == "" {
			continue
		}
		agent, ok := robotsMetaAgent(m.Name)
		if !ok {
			continue
		}
		for _, tag := range robots.ParseMeta(agent, m.Content) {
			found = append(found, directive{tag, m.Element})
		}
	}
	for _, tag := range robots.ParseTagHeader(f.response.Header.Values("X-Robots-Tag")) {
		if tag.Agent == "*" {
			tag.Agent = ""
		}
		found = append(found, directive{tag, page.Element{}})
	}
	return found
}

// robotsMetaAgent returns the crawler that a meta of this name is for, and whether it is a robots meta.
func robotsMetaAgent(name string) (string, bool) {
	if name == "robots" {
		return "", true
	}
	for _, c := range crawlers[1:] {
		if strings.EqualFold(name, c) {
			return name, true
		}
	}
	return "", false
}

// isFor reports whether a crawler obeys the directive.
func (t directive) isFor(crawler string) bool {
	return t.Agent == "" || strings.EqualFold(t.Agent, crawler)
}

// show points at the directive.
func (t directive) show(d *page.Document) Evidence {
	if t.meta.Exists() {
		return evidenceOf(d, t.meta)
	}
	text := t.Name
	if t.Value != "" {
		text += ": " + t.Value
	}
	if t.Agent != "" {
		text = t.Agent + ": " + text
	}
	return Evidence{Snippet: page.CutSnippet("X-Robots-Tag: " + text)}
}

func checkCrawlable(f *facts) finding {
	forbidding := f.forbiddingDirectives()
	blocked, byRobotsTxt := f.blockedCrawlers(forbidding)
	shown := f.showDirectives(forbidding)
	if byRobotsTxt {
		shown = append([]Evidence{{URL: f.final.WithPath("/robots.txt").String(), Snippet: page.CutSnippet("Disallow for " + f.final.Target())}}, shown...)
	}
	switch {
	case len(blocked) == 0:
		return pass("is-crawlable.all", locale.Count(len(crawlers)))
	case len(blocked) == len(crawlers):
		return fail(shown, "is-crawlable.none").cap(notIndexableLimit, "why.closed")
	}
	found := warn(shown, "is-crawlable.some", locale.Count(len(blocked)), locale.Count(len(crawlers)), locale.List(blocked))
	if slices.Contains(blocked, "Googlebot") {
		return found.cap(googleBlockedLimit, "why.closed-to-google")
	}
	return found
}

// blockedCrawlers returns the crawlers that robots.txt or the forbidding directives of the page keep from indexing it, and reports
// whether robots.txt is among the reasons.
func (f *facts) blockedCrawlers(forbidding []directive) (blocked []string, byRobotsTxt bool) {
	for _, crawler := range crawlers {
		disallowed := !f.site.rules.Allowed(crawler, f.final)
		byRobotsTxt = byRobotsTxt || disallowed
		if disallowed || slices.ContainsFunc(forbidding, func(t directive) bool { return t.isFor(crawler) }) {
			blocked = append(blocked, crawler)
		}
	}
	return blocked, byRobotsTxt
}

// isIndexable reports whether at least one crawler may index the page.
func (f *facts) isIndexable() bool {
	blocked, _ := f.blockedCrawlers(f.forbiddingDirectives())
	return len(blocked) < len(crawlers)
}

// forbiddingDirectives returns the directives that keep one of the crawlers from indexing the page.
func (f *facts) forbiddingDirectives() []directive {
	var forbidding []directive
	for _, t := range f.directives() {
		if t.BlocksIndexing(f.now) && slices.ContainsFunc(crawlers, t.isFor) {
			forbidding = append(forbidding, t)
		}
	}
	return forbidding
}

// showDirectives points at the first MaxEvidence directives.
func (f *facts) showDirectives(directives []directive) []Evidence {
	var shown tally
	for _, t := range directives {
		if shown.isFull() {
			shown.addUnseen()
			continue
		}
		shown.add(t.show(f.doc))
	}
	return shown.evidence
}

func checkRobotsConflict(f *facts) finding {
	allowing := map[string]directive{} // by agent
	for _, t := range f.directives() {
		if t.Name == "index" || t.Name == "all" {
			allowing[t.Agent] = t
		}
	}
	forbidding := f.forbiddingDirectives()
	if len(allowing) == 0 && len(forbidding) == 0 {
		return notApplicable("robots-conflict.none")
	}
	for _, no := range forbidding {
		if yes, ok := allowing[no.Agent]; ok {
			return fail([]Evidence{yes.show(f.doc), no.show(f.doc)}, "robots-conflict.contradiction", locale.Text(yes.Name), locale.Text(no.Name))
		}
	}
	if target := f.canonicalElsewhere(); target != nil && len(forbidding) > 0 {
		shown := []Evidence{forbidding[0].show(f.doc), {URL: shownAddress(target)}}
		return fail(shown, "robots-conflict.canonical", locale.Text(forbidding[0].Name))
	}
	return pass("robots-conflict.agree")
}

func checkNofollowPage(f *facts) finding {
	directives := f.directives()
	for _, t := range directives {
		if (t.Name == "nofollow" || t.Name == "none") && t.isFor("Googlebot") {
			return fail([]Evidence{t.show(f.doc)}, "nofollow-page.nofollow", locale.Text(t.Name))
		}
	}
	switch {
	case f.doc.Total.Links == 0:
		return notApplicable("common.no-links")
	case len(directives) == 0:
		return notApplicable("common.no-directives")
	}
	return pass("nofollow-page.follow")
}

func checkSnippetLimits(f *facts) finding {
	directives := f.directives()
	var limiting []directive
	var names []string
	for _, t := range directives {
		if !limitsSnippet(t.Tag) {
			continue
		}
		limiting = append(limiting, t)
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	switch {
	case len(directives) == 0:
		return notApplicable("common.no-directives")
	case len(limiting) > 0:
		return fail(f.showDirectives(limiting), "snippet-limits.limited", locale.List(names))
	}
	return pass("snippet-limits.free")
}

func limitsSnippet(t robots.Tag) bool {
	switch t.Name {
	case "nosnippet", "noimageindex":
		return true
	case "max-snippet":
		n, err := strconv.Atoi(t.Value)
		return err == nil && n == 0
	}
	return false
}

func checkRedirects(f *facts) finding {
	var shown []Evidence
	for _, address := range f.redirects {
		shown = append(shown, Evidence{URL: address})
	}
	switch n := len(f.redirects); n {
	case 0:
		return notApplicable("redirects.none")
	case 1:
		return pass("redirects.one")
	default:
		return fail(shown, "redirects.several", locale.Count(n))
	}
}
