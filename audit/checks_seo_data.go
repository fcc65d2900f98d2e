package audit

import (
	"fmt"

	"sitegrade/audit/page"
	"sitegrade/locale"
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
		return fail(nil, "structured-data.missing")
	}
	return pass("structured-data.found",
		locale.Phrase("structured-data.blocks", locale.Count(len(d.JSONLD))),
		locale.Phrase("structured-data.items", locale.Count(d.Itemscopes)),
		locale.Phrase("structured-data.elements", locale.Count(d.RDFaElements)))
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
		return fail(nil, "open-graph.missing", locale.List(missing))
	case !declared{href: image}.isAbsolute():
		return fail([]Evidence{{Snippet: page.CutSnippet(fmt.Sprintf("og:image %s", image))}}, "open-graph.relative")
	}
	return pass("open-graph.complete")
}

func checkTwitterCard(f *facts) finding {
	card := f.doc.MetaProperty("twitter:card")
	if card == "" {
		return fail(nil, "twitter-card.missing")
	}
	return pass("twitter-card.found", locale.Quoted(card))
}
