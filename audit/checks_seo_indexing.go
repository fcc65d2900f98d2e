package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/audit/robots"
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
		return failText([]Evidence{{URL: f.final.String()}}, "The page answers with status %d.", status).capText(errorPageLimit, "answers with status %d", status)
	}
	return passText("The page answers with status %d.", status)
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
		return passText("All %d crawlers that were checked may index the page.", len(crawlers))
	case len(blocked) == len(crawlers):
		return failText(shown, "No search engine may index the page.").capText(notIndexableLimit, "is closed to search engines")
	}
	found := warnText(shown, "%d of %d crawlers may not index the page: %s.", len(blocked), len(crawlers), strings.Join(blocked, ", "))
	if slices.Contains(blocked, "Googlebot") {
		return found.capText(googleBlockedLimit, "is closed to Google")
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
		return notApplicableText("The page has no robots directive about indexing.")
	}
	for _, no := range forbidding {
		if yes, ok := allowing[no.Agent]; ok {
			return failText([]Evidence{yes.show(f.doc), no.show(f.doc)}, "One directive says %s and another says %s.", yes.Name, no.Name)
		}
	}
	if target := f.canonicalElsewhere(); target != nil && len(forbidding) > 0 {
		shown := []Evidence{forbidding[0].show(f.doc), {URL: shownAddress(target)}}
		return failText(shown, "The page says %s and names another page as its canonical.", forbidding[0].Name)
	}
	return passText("The robots directives do not contradict each other.")
}

func checkNofollowPage(f *facts) finding {
	directives := f.directives()
	for _, t := range directives {
		if (t.Name == "nofollow" || t.Name == "none") && t.isFor("Googlebot") {
			return failText([]Evidence{t.show(f.doc)}, "The robots directive %s keeps search engines from following the links.", t.Name)
		}
	}
	switch {
	case f.doc.Total.Links == 0:
		return notApplicableText("The page has no links.")
	case len(directives) == 0:
		return notApplicableText("The page has no robots directives.")
	}
	return passText("No robots directive keeps search engines from following the links.")
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
		return notApplicableText("The page has no robots directives.")
	case len(limiting) > 0:
		return failText(f.showDirectives(limiting), "The robots directives limit what search results show: %s.", strings.Join(names, ", "))
	}
	return passText("The robots directives do not limit what search results show.")
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
		return notApplicableText("There is no redirect on the way to the page.")
	case 1:
		return passText("One redirect leads to the page.")
	default:
		return failText(shown, "%d redirects lead to the page; each costs a round trip.", n)
	}
}

// quote returns a piece of the page in quotes for a detail, shortened if it is long.
func quote(s string) string {
	const most = 80
	if len([]rune(s)) > most {
		s = string([]rune(s)[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
