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
		source: "Screaming Frog; Google structured data",
		run:    checkStructuredData,
	},
	{
		id: "structured-data-valid", severity: Medium,
		source: "Lighthouse structured-data; schema.org; JSON-LD 1.1; HTML, microdata; RDFa 1.1 Lite",
		run:    checkStructuredDataValid,
	},
	{
		id: "structured-data-required", severity: Low,
		source: "Google structured data: required properties",
		run:    checkStructuredDataRequired,
	},
	{
		id: "open-graph", severity: Low,
		source: "ogp.me",
		run:    checkOpenGraph,
	},
	{
		id: "twitter-card", severity: Info,
		source: "X developer documentation, cards",
		run:    checkTwitterCard,
	},
}

func checkStructuredData(f *facts) finding {
	d := f.doc
	if len(d.JSONLD) == 0 && d.Itemscopes == 0 && d.RDFaElements == 0 {
		return failText(nil, "The page has no JSON-LD, microdata or RDFa.")
	}
	return passText("The page has %s, %s and %s.",
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
		return failText(nil, "The card has no %s.", strings.Join(missing, ", "))
	case !declared{href: image}.isAbsolute():
		return failText([]Evidence{{Snippet: page.CutSnippet(fmt.Sprintf("og:image %s", image))}}, "The URL of og:image is not absolute.")
	}
	return passText("The card has a title, a type, an image and a URL.")
}

func checkTwitterCard(f *facts) finding {
	card := f.doc.MetaProperty("twitter:card")
	if card == "" {
		return failText(nil, "The page has no twitter:card.")
	}
	return passText("The card is %s.", quote(card))
}
