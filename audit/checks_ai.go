package audit

import (
	"bytes"
	"slices"
	"strings"

	"sitegrade/audit/page"
)

// aiChecks are the checks of the section AI and discovery.
var aiChecks = []check{
	{
		id: "llms-txt", severity: Info,
		title:  "llms.txt",
		advice: "Start llms.txt with a heading (# Name) and list links to your most useful pages.",
		source: "Lighthouse llms-txt",
		run:    checkLLMsTxt,
	},
	{
		id: "ai-bots", severity: Info,
		title:  "AI crawlers in robots.txt",
		advice: "Decide which AI crawlers may read the page, and say so in robots.txt.",
		source: "the crawlers' documentation",
		run:    checkAIBots,
	},
	{
		id: "feed", severity: Info,
		title:  "News feed",
		advice: `If the site publishes news, add <link rel="alternate" type="application/rss+xml"> (or Atom) to the head.`,
		source: "RSS Advisory Board; RFC 4287",
		run:    checkFeed,
	},
	{
		id: "manifest", severity: Info,
		title:  "Web app manifest, icon and theme colour",
		advice: "Link a web app manifest and an apple-touch-icon, and declare a theme-color.",
		source: "webhint",
		run:    checkManifest,
	},
}

// aiCrawlers are the names that robots.txt has for crawlers that read for language models.
var aiCrawlers = []string{"GPTBot", "OAI-SearchBot", "ChatGPT-User", "ClaudeBot", "PerplexityBot", "Google-Extended",
	"Applebot-Extended", "CCBot", "Bytespider"}

func checkLLMsTxt(f *facts) finding {
	file := f.site.llms
	if file == nil || file.Failure != nil || file.Status >= 400 {
		return notApplicable("The site has no llms.txt.")
	}
	at := []Evidence{{URL: shownAddress(file.URL)}}
	heading, link := markdownParts(file.Body)
	switch {
	case looksLikeHTML(file.Body):
		return fail(at, "llms.txt is an HTML page.")
	case !heading && !link:
		return fail(at, "llms.txt has neither a heading (# Name) nor links.")
	case !heading:
		return fail(at, "llms.txt has no heading (# Name).")
	case !link:
		return fail(at, "llms.txt has no links.")
	}
	return pass("llms.txt has a heading and links.")
}

// markdownParts reports whether a Markdown text has a heading of the first level, and an inline link.
func markdownParts(body []byte) (heading, link bool) {
	for line := range bytes.SplitSeq(bytes.TrimPrefix(body, []byte("\xef\xbb\xbf")), []byte("\n")) {
		if rest, ok := bytes.CutPrefix(line, []byte("# ")); ok && len(bytes.TrimSpace(rest)) > 0 {
			heading = true
		}
		if i := bytes.Index(line, []byte("](")); i > 0 && bytes.IndexByte(line[:i], '[') >= 0 && bytes.IndexByte(line[i:], ')') > 2 {
			link = true
		}
	}
	return heading, link
}

// checkAIBots reports and never fails: whom to let in is the owner's choice.
func checkAIBots(f *facts) finding {
	if f.site.robots == nil || f.site.robots.Failure != nil {
		return notApplicable("robots.txt was not fetched.")
	}
	var blocked []string
	for _, bot := range aiCrawlers {
		if !f.site.rules.Allowed(bot, f.final) {
			blocked = append(blocked, bot)
		}
	}
	switch len(blocked) {
	case 0:
		return pass("robots.txt lets all %d AI crawlers read the page.", len(aiCrawlers))
	case len(aiCrawlers):
		return pass("robots.txt keeps all %d AI crawlers away from the page.", len(aiCrawlers))
	}
	return pass("robots.txt keeps %d of %d AI crawlers away from the page: %s.", len(blocked), len(aiCrawlers), strings.Join(blocked, ", "))
}

// feedTypes are the types of RSS, Atom and JSON Feed.
var feedTypes = []string{"application/rss+xml", "application/atom+xml", "application/feed+json"}

func checkFeed(f *facts) finding {
	var feeds tally
	for _, l := range f.doc.Links {
		mime, _, _ := strings.Cut(l.MIME, ";")
		if slices.Contains(l.Rel, "alternate") && slices.Contains(feedTypes, strings.TrimSpace(mime)) {
			feeds.addElement(f.doc, l.Element, l.URL)
		}
	}
	if feeds.count == 0 {
		return fail(nil, "The page does not link to a feed.")
	}
	found := pass("The page links to %s.", plural(feeds.count, "feed", "feeds"))
	found.evidence = feeds.evidence
	return found
}

func checkManifest(f *facts) finding {
	var has []string
	if f.doc.HasLink("manifest") {
		has = append(has, "manifest")
	}
	if f.doc.HasLink("apple-touch-icon") || f.doc.HasLink("apple-touch-icon-precomposed") {
		has = append(has, "apple-touch-icon")
	}
	if slices.ContainsFunc(f.doc.Metas, func(m page.Meta) bool { return m.Name == "theme-color" && m.Content != "" }) {
		has = append(has, "theme-color")
	}
	if len(has) == 0 {
		return fail(nil, "The page has no manifest, apple-touch-icon or theme-color.")
	}
	return pass("The page has %s.", strings.Join(has, ", "))
}
