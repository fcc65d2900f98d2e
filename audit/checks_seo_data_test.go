package audit

import "testing"

// jsonBlock returns a page with a block of JSON-LD.
func jsonBlock(text string) string {
	return pageOf(`<script type="application/ld+json">`+text+`</script>`, "")
}

// item returns a page with an item of schema.org: its type and what follows in the object.
func item(kind, rest string) string {
	return jsonBlock(`{"@context": "https://schema.org", "@type": "` + kind + `"` + rest + `}`)
}

// card gives a page with an Open Graph card without an image.
const card = `<meta property="og:title" content="a"><meta property="og:type" content="website"><meta property="og:url" content="https://example.com/">`

func TestDataChecks(t *testing.T) {
	runCheckCases(t, seoData, []checkCase{
		{id: "structured-data", name: "JSON-LD", html: item("Article", ""), want: Passed},
		{id: "structured-data", name: "microdata", html: inBody(`<div itemscope itemtype="https://schema.org/Product">`), want: Passed, detail: "1 microdata item"},
		{id: "structured-data", name: "RDFa", html: inBody(`<div vocab="https://schema.org/" typeof="Product">`), want: Passed},
		{id: "structured-data", name: "none", html: inBody(`<script type="application/json">{}</script>`), want: Failed},

		{id: "structured-data-valid", name: "object", html: item("Article", ""), want: Passed},
		{id: "structured-data-valid", name: "list", html: jsonBlock(`[{"@context":"https://schema.org","@type":"Thing"}]`), want: Passed},
		{id: "structured-data-valid", name: "graph", html: jsonBlock(`{"@context":"https://schema.org","@graph":[]}`), want: Passed},
		{id: "structured-data-valid", name: "broken", html: jsonBlock(`{"@context":}`), want: Failed, detail: "not JSON"},
		{id: "structured-data-valid", name: "no context", html: jsonBlock(`{"@type":"A"}`), want: Failed, detail: "@context"},
		{id: "structured-data-valid", name: "no type", html: jsonBlock(`{"@context":"https://schema.org"}`), want: Failed, detail: "@type"},
		{id: "structured-data-valid", name: "no object", html: jsonBlock(`"x"`), want: Failed, detail: "no object"},
		{id: "structured-data-valid", name: "none", want: NotApplicable},

		{id: "structured-data-required", name: "product", html: item("Product", `, "name": "Toy", "offers": {"price": 1}`), want: Passed},
		{id: "structured-data-required", name: "no offers", html: item("https://schema.org/Product", `, "name": "Toy", "offers": []`), want: Failed, detail: "Product without review / aggregateRating / offers"},
		{id: "structured-data-required", name: "in graph", html: jsonBlock(`{"@context":"https://schema.org","@graph":[{"@type":["Thing","Event"],"name":" "}]}`), want: Failed, detail: "Event without name, startDate, location"},
		{id: "structured-data-required", name: "article", html: item("Article", ""), want: Passed},
		{id: "structured-data-required", name: "unknown type", html: item("Thing", ""), want: NotApplicable},

		{id: "open-graph", name: "whole", html: pageOf(card+`<meta property="og:image" content="https://example.com/a.png">`, ""), want: Passed},
		{id: "open-graph", name: "no image", html: pageOf(card, ""), want: Failed, detail: "no og:image"},
		{id: "open-graph", name: "relative image", html: pageOf(card+`<meta property="og:image" content="/a.png">`, ""), want: Failed, detail: "not absolute"},

		{id: "twitter-card", name: "card", html: pageOf(`<meta name="twitter:card" content="summary">`, ""), want: Passed},
		{id: "twitter-card", name: "none", want: Failed},
	}, []string{"structured-data", "open-graph", "twitter-card"}, nil)
}

// TestRequiredProperties holds every type that CHECKS.md names.
func TestRequiredProperties(t *testing.T) {
	for kind, complete := range map[string]string{
		"Article": ``, "Organization": ``,
		"BreadcrumbList": `, "itemListElement": [{"@type": "ListItem"}]`,
		"FAQPage":        `, "mainEntity": [{"@type": "Question"}]`,
		"LocalBusiness":  `, "name": "a", "address": "b"`,
		"Event":          `, "name": "a", "startDate": "2026-11-20", "location": {"name": "b"}`,
		"Recipe":         `, "name": "a", "image": "b"`,
		"VideoObject":    `, "name": "a", "thumbnailUrl": "b", "uploadDate": "2026-11-20"`,
		"Product":        `, "name": "a", "review": {"author": "b"}`,
	} {
		if got := checkStructuredDataRequired(exampleFacts(t, item(kind, complete))); got.status != Passed {
			t.Errorf("whole %s: %s", kind, got.detail())
		}
		if got := checkStructuredDataRequired(exampleFacts(t, item(kind, ""))); complete != "" && got.status != Failed {
			t.Errorf("empty %s: %s", kind, got.detail())
		}
	}
}
