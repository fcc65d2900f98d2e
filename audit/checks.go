package audit

import (
	"sitegrade/locale"
)

// check is one rule: an entry of the table. Its words are in the catalogues of package locale, under its id.
type check struct {
	id       string
	category string // set by arrange
	severity Severity
	source   string
	ofText   bool                // says nothing of a page whose text is made by script
	needs    func(*facts) Unseen // why something that the check looks at was not there to be looked at; nil when all is in the page
	run      func(*facts) finding
}

// find runs the check, unless it is one of text and the page has none before its scripts ran.
func (c check) find(f *facts) finding {
	if c.ofText && f.isMadeByScript() {
		return notApplicable("common.made-by-script").without(UnseenScript)
	}
	found := c.run(f)
	if found.status == Failed {
		return found.without("")
	}
	if c.needs != nil && found.unseen == "" {
		found.unseen = c.needs(f)
	}
	return found
}

// finding is what a check has found.
type finding struct {
	status   Status
	severity Severity        // "" for the check's own
	said     locale.Sentence // what was found, with numbers
	evidence []Evidence
	ceiling  *ceiling // nil when the finding does not limit the whole score
	unseen   Unseen   // "" when the check has looked at all that it is about
}

// section is a category of the report: its checks in the order in which reports show them. What it is called is in the catalogues.
type section struct {
	id    string
	order []string
}

// table holds every check in the order of the report. A check is written beside its function; its place is given here.
var table = arrange(sections,
	seoIndexing, seoTitle, seoText, seoPlaceholder, seoScript, seoLanguage, seoCanonical, seoLinks, seoFragments, seoURL, seoImages, seoAltText, seoData,
	siteChecks, sitemapChecks, linkedPageChecks,
	performanceChecks, assetChecks, securityChecks, securityPageChecks,
	htmlDocument, htmlAccessibility, aiChecks, aiRobots, aiText, agentChecks,
)

var sections = []section{
	{"seo", []string{
		"http-status", "is-crawlable", "robots-conflict", "nofollow-page", "snippet-limits",
		"document-title", "title-length", "title-width", "title-unique", "title-differs-from-h1", "title-words-in-text",
		"meta-description", "description-length", "description-unique",
		"h1", "h1-single", "h1-length", "heading-order", "heading-empty",
		"needs-script", "word-count", "text-ratio", "readability", "placeholder-text",
		"canonical", "canonical-target", "canonical-self", "redirects", "meta-refresh", "host-variants", "soft-404",
		"robots-txt", "robots-blocks-assets", "sitemap-declared", "sitemap", "sitemap-limits", "sitemap-lists-page",
		"hreflang", "hreflang-self", "hreflang-x-default", "hreflang-return", "html-lang", "html-lang-valid", "lang-matches-text", "favicon",
		"link-text", "link-name", "crawlable-anchors", "link-count", "internal-nofollow", "links-to-http", "links-to-localhost",
		"fragment-targets",
		"broken-links", "links-to-redirect", "tracking-params", "url-length", "url-readable",
		"image-alt", "image-alt-text", "image-alt-length", "image-broken",
		"structured-data", "structured-data-valid", "structured-data-required", "open-graph", "twitter-card",
	}},
	{"performance", []string{
		"ttfb", "load-time", "document-size", "dom-nodes", "dom-depth", "compression", "asset-compression", "http-version",
		"cache-static", "request-count", "page-weight", "css-weight", "js-weight", "render-blocking", "unminified",
		"image-format", "image-weight", "image-dimensions", "image-lazy", "inline-css", "iframes", "third-party-hosts",
		"duplicate-resource", "resource-errors", "empty-src", "font-display", "css-import",
	}},
	{"security", []string{
		"https", "http-to-https", "tls-certificate", "tls-version", "hsts", "csp", "frame-control", "nosniff",
		"referrer-policy", "permissions-policy", "coop", "cors", "cookies", "mixed-content", "form-action", "sri",
		"server-signature", "plaintext-email",
	}},
	{"html", []string{
		"doctype", "charset", "viewport", "viewport-zoom", "deprecated-html", "head-elements", "duplicate-id", "mime-type",
		"form-labels", "button-name", "frame-title", "landmark-main", "tabindex", "list-structure", "video-captions",
	}},
	{"ai", []string{
		"ai-bots", "content-signal", "agent-access", "text-without-script", "token-weight", "markdown",
		"llms-txt", "agents-md", "rsl", "api-catalog", "well-known-cards", "feed", "manifest",
	}},
}

// arrange puts the checks of all files into the order of the sections and names each one's category. A check without a place,
// or with two places, is a mistake in this program.
func arrange(sections []section, groups ...[]check) []check {
	byID := map[string]check{}
	for _, group := range groups {
		for _, c := range group {
			if _, twice := byID[c.id]; twice {
				panic("audit: two checks are named " + c.id)
			}
			byID[c.id] = c
		}
	}
	var ordered []check
	for _, s := range sections {
		for _, id := range s.order {
			if c, ok := byID[id]; ok {
				c.category = s.id
				ordered = append(ordered, c)
				delete(byID, id)
			}
		}
	}
	for id := range byID {
		panic("audit: the check " + id + " has no place in the table")
	}
	return ordered
}

// pass, warn, fail and notApplicable return findings. id is that of the sentence that says what was found: the check's own id, a dot, and what it
// is called among the details of that check. args fill its placeholders.

func pass(id string, args ...locale.Arg) finding {
	return finding{status: Passed, said: locale.Say(id, args...)}
}

func warn(evidence []Evidence, id string, args ...locale.Arg) finding {
	return finding{status: Warning, evidence: evidence, said: locale.Say(id, args...)}
}

func fail(evidence []Evidence, id string, args ...locale.Arg) finding {
	return finding{status: Failed, evidence: evidence, said: locale.Say(id, args...)}
}

func notApplicable(id string, args ...locale.Arg) finding {
	return finding{status: NotApplicable, said: locale.Say(id, args...)}
}

// widespread is how many faults of one kind, where at least half of what was looked at has them, are no slip any more. Then a check that
// weighs medium weighs high.
const widespread = 5

// of returns a failure for some of many, which weighs high where it is widespread.
func (f finding) of(faulty, total int) finding {
	if faulty >= widespread && 2*faulty >= total {
		f.severity = High
	}
	return f
}

// cap returns the finding as a gate: the score of the whole report is at most limit, because the page is as the words of why say, which are
// among those that tell why a page has its score.
func (f finding) cap(limit int, why string, args ...locale.Arg) finding {
	f.ceiling = &ceiling{limit, locale.Phrase(why, args...)}
	return f
}
