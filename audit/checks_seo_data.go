package audit

import (
	"cmp"
	"fmt"
	"strings"

	"sitegrade/audit/page"
)

// seoData are the checks of what the page tells machines about itself: structured data and social cards.
var seoData = []check{
	{
		id: "structured-data", severity: Low,
		title:  "Structured data",
		advice: "Describe the page with schema.org in JSON-LD.",
		source: "Screaming Frog; Google structured data",
		run:    checkStructuredData,
	},
	{
		id: "structured-data-valid", severity: Medium,
		title:  "Structured data can be read",
		advice: "Make each JSON-LD block valid JSON with @context and @type.",
		source: "Lighthouse structured-data; JSON-LD 1.1",
		run:    checkStructuredDataValid,
	},
	{
		id: "structured-data-required", severity: Low,
		title:  "Structured data is complete",
		advice: "Add the properties that Google requires for a rich result of this type.",
		source: "Google structured data: required properties",
		run:    checkStructuredDataRequired,
	},
	{
		id: "open-graph", severity: Low,
		title:  "Open Graph card",
		advice: "Add og:title, og:type, og:image and og:url, with an absolute URL for the image.",
		source: "ogp.me",
		run:    checkOpenGraph,
	},
	{
		id: "twitter-card", severity: Info,
		title:  "Twitter card",
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

func checkStructuredDataValid(f *facts) finding {
	if len(f.doc.JSONLD) == 0 {
		return notApplicable("The page has no JSON-LD.")
	}
	var bad tally
	fault := ""
	for _, block := range f.doc.JSONLD {
		if problem := problemOf(block); problem != "" {
			bad.addElement(f.doc, block.Element, nil)
			fault = cmp.Or(fault, problem)
		}
	}
	if bad.count > 0 {
		return fail(bad.evidence, "%s; %s %s.",
			share(bad.count, len(f.doc.JSONLD), "JSON-LD block", "JSON-LD blocks", "cannot be used"), firstOf(bad.count), fault)
	}
	return pass("%s.", every(len(f.doc.JSONLD), "JSON-LD block", "JSON-LD blocks", "can be read"))
}

// problemOf says why a block cannot be used, "" when it can.
func problemOf(b page.JSONLD) string {
	if b.Err != nil {
		return "is not JSON (" + page.CutSnippet(b.Err.Error()) + ")"
	}
	items := topItems(b.Value)
	if len(items) == 0 {
		return "has no object in it"
	}
	for _, item := range items {
		if item["@context"] == nil {
			return "has no @context"
		}
		if item["@type"] == nil && item["@graph"] == nil {
			return "has no @type"
		}
	}
	return ""
}

// topItems returns the objects of a block: itself, or those of its list.
func topItems(value any) []map[string]any {
	switch v := value.(type) {
	case map[string]any:
		return []map[string]any{v}
	case []any:
		var items []map[string]any
		for _, one := range v {
			if item, ok := one.(map[string]any); ok {
				items = append(items, item)
			}
		}
		return items
	}
	return nil
}

// requirements are the properties that Google requires of a type before it shows a rich result. Properties separated by "|" are
// alternatives. Types without required properties, such as Article, are listed so that they count as known.
var requirements = map[string][]string{
	"Article": {}, "NewsArticle": {}, "BlogPosting": {}, "Organization": {}, "OnlineStore": {},
	"Product":        {"name", "review|aggregateRating|offers"},
	"BreadcrumbList": {"itemListElement"},
	"FAQPage":        {"mainEntity"},
	"LocalBusiness":  {"name", "address"}, "Restaurant": {"name", "address"}, "Store": {"name", "address"},
	"Event": {"name", "startDate", "location"}, "MusicEvent": {"name", "startDate", "location"},
	"Recipe":      {"name", "image"},
	"VideoObject": {"name", "thumbnailUrl", "uploadDate"},
}

func checkStructuredDataRequired(f *facts) finding {
	var incomplete tally
	known, missing := 0, ""
	for _, block := range f.doc.JSONLD {
		for _, item := range describedItems(block.Value) {
			for _, kind := range typesOf(item) {
				required, ok := requirements[kind]
				if !ok {
					continue
				}
				known++
				if lacks := missingProperties(item, required); lacks != "" {
					missing = kind + " without " + lacks
					incomplete.addElement(f.doc, block.Element, nil)
				}
			}
		}
	}
	switch {
	case known == 0:
		return notApplicable("The page has no JSON-LD of a type that Google shows rich results for.")
	case incomplete.count > 0:
		return fail(incomplete.evidence, "%s: %s.", share(incomplete.count, known, "item", "items", "is incomplete"), missing)
	}
	return pass("%s.", every(known, "item", "items", "has all properties that Google requires"))
}

// describedItems returns the objects that a block is about: those at its top and in their @graph.
func describedItems(value any) []map[string]any {
	var items []map[string]any
	for _, top := range topItems(value) {
		items = append(items, top)
		items = append(items, topItems(top["@graph"])...)
	}
	return items
}

// typesOf returns the types of an item without the URL of the vocabulary.
func typesOf(item map[string]any) []string {
	var types []string
	for _, t := range asList(item["@type"]) {
		if name, ok := t.(string); ok {
			types = append(types, name[strings.LastIndexAny(name, "/:")+1:])
		}
	}
	return types
}

func asList(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

// missingProperties names the required properties that are missing or empty in an item, "" when all are there.
func missingProperties(item map[string]any, required []string) string {
	var missing []string
	for _, alternatives := range required {
		present := false
		for name := range strings.SplitSeq(alternatives, "|") {
			present = present || !isEmptyValue(item[name])
		}
		if !present {
			missing = append(missing, strings.ReplaceAll(alternatives, "|", " or "))
		}
	}
	return strings.Join(missing, ", ")
}

func isEmptyValue(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
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
