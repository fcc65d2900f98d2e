package audit

import (
	"fmt"
	"strings"

	"sitegrade/audit/page"
)

// seoData are the checks of what the page tells machines about itself: structured data and social cards.
var seoData = []check{
	{
		id: "structured-data", severity: Low,
		advice: "Describe the page with schema.org in JSON-LD.",
		source: "Screaming Frog; Google structured data",
		run:    checkStructuredData,
	},
	{
		id: "structured-data-valid", severity: Medium,
		advice: "Give each item its vocabulary, https://schema.org, and a type, and write the names as schema.org has them. JSON-LD must be valid JSON.",
		source: "Lighthouse structured-data; schema.org; JSON-LD 1.1; HTML, microdata; RDFa 1.1 Lite",
		run:    checkStructuredDataValid,
	},
	{
		id: "structured-data-required", severity: Low,
		advice: "Add the properties that Google requires for a rich result of this type.",
		source: "Google structured data: required properties",
		run:    checkStructuredDataRequired,
	},
	{
		id: "open-graph", severity: Low,
		advice: "Add og:title, og:type, og:image and og:url, with an absolute URL for the image.",
		source: "ogp.me",
		run:    checkOpenGraph,
	},
	{
		id: "twitter-card", severity: Info,
		advice: "Add a twitter:card meta element, such as summary_large_image.",
		source: "X developer documentation, cards",
		run:    checkTwitterCard,
	},
}

func checkStructuredData(f *facts) finding {
	d := f.doc
	if len(d.JSONLD) == 0 && d.Itemscopes == 0 && d.RDFaElements == 0 {
		return fail(nil, "The page has no JSON-LD, microdata or RDFa.")
	}
	return pass("The page has %s, %s and %s.",
		plural(len(d.JSONLD), "block of JSON-LD", "blocks of JSON-LD"),
		plural(d.Itemscopes, "microdata item", "microdata items"),
		plural(d.RDFaElements, "element with RDFa", "elements with RDFa"))
}

func checkOpenGraph(f *facts) finding {
	var missing []string
	for _, property := range []string{"og:title", "og:type", "og:image", "og:url"} {
		if f.doc.MetaProperty(property) == "" {
			missing = append(missing, property)
		}
	}
	image := f.doc.MetaProperty("og:image")
	switch {
	case len(missing) > 0:
		return fail(nil, "The card has no %s.", strings.Join(missing, ", "))
	case !declared{href: image}.isAbsolute():
		return fail([]Evidence{{Snippet: page.CutSnippet(fmt.Sprintf("og:image %s", image))}}, "The URL of og:image is not absolute.")
	}
	return pass("The card has a title, a type, an image and a URL.")
}

func checkTwitterCard(f *facts) finding {
	card := f.doc.MetaProperty("twitter:card")
	if card == "" {
		return fail(nil, "The page has no twitter:card.")
	}
	return pass("The card is %s.", quote(card))
}
