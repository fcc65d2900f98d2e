package audit

import (
	"slices"
	"strings"

	"sitegrade/audit/page"
	"sitegrade/locale"
)

// aiChecks are the checks of the section AI and discovery that look at the head of the page.
var aiChecks = []check{
	{
		id: "feed", severity: Info,
		source: "RSS Advisory Board; RFC 4287",
		run:    checkFeed,
	},
	{
		id: "manifest", severity: Info,
		source: "webhint",
		run:    checkManifest,
	},
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
		return fail(nil, "feed.missing")
	}
	found := pass("feed.found", locale.Count(feeds.count))
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
		return fail(nil, "manifest.missing")
	}
	return pass("manifest.found", locale.List(has))
}
