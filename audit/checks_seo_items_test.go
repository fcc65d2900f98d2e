package audit

import (
	"fmt"
	"strings"
	"testing"
)

// writtenItem is an item that is written in each syntax of structured data.
type writtenItem struct {
	vocabulary, kind, id string
	properties           []property
}

// property is a property with a text, or with an item if that is not nil.
type property struct {
	name, text string
	item       *writtenItem
}

func (d writtenItem) jsonLD(top bool) string {
	var members []string
	if top && d.vocabulary != "" {
		members = append(members, fmt.Sprintf(`"@context": %q`, d.vocabulary))
	}
	if d.kind != "" {
		members = append(members, fmt.Sprintf(`"@type": %q`, d.kind))
	}
	if d.id != "" {
		members = append(members, fmt.Sprintf(`"@id": %q`, d.id))
	}
	for _, p := range d.properties {
		value := fmt.Sprintf("%q", p.text)
		if p.item != nil {
			value = p.item.jsonLD(false)
		}
		members = append(members, fmt.Sprintf("%q: %s", p.name, value))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

func (d writtenItem) microdata(itemprop string) string {
	kind := d.kind
	if d.vocabulary != "" && kind != "" {
		kind = strings.TrimSuffix(d.vocabulary, "/") + "/" + kind
	}
	return "<div itemscope" + given("itemprop", itemprop) + given("itemtype", kind) + given("itemid", d.id) + ">" +
		d.content("itemprop", writtenItem.microdata) + "</div>"
}

func (d writtenItem) rdfa(name string) string {
	return "<div" + given("property", name) + given("typeof", d.kind) + given("resource", d.id) + ">" +
		d.content("property", writtenItem.rdfa) + "</div>"
}

// content returns the elements of the properties. part returns that of an item.
func (d writtenItem) content(key string, part func(writtenItem, string) string) string {
	var b strings.Builder
	for i, p := range d.properties {
		switch {
		case p.item != nil:
			inner := *p.item
			inner.vocabulary = d.vocabulary
			b.WriteString(part(inner, p.name))
		case i%2 == 0:
			fmt.Fprintf(&b, "<p><span%s><b>%s</b></span></p>", given(key, p.name), p.text)
		default:
			fmt.Fprintf(&b, "<meta%s content=%q>", given(key, p.name), p.text)
		}
	}
	return b.String()
}

// given returns an attribute, "" without a value.
func given(key, value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(" %s=%q", key, value)
}

// pages returns the pages with some items, one page for each syntax.
func pages(items []writtenItem) map[string]string {
	var json, microdata, rdfa strings.Builder
	for _, d := range items {
		json.WriteString(`<script type="application/ld+json">` + d.jsonLD(true) + `</script>`)
		microdata.WriteString(d.microdata(""))
		rdfa.WriteString("<div" + given("vocab", d.vocabulary) + ">" + d.rdfa("") + "</div>")
	}
	return map[string]string{"JSON-LD": inBody(json.String()), "microdata": inBody(microdata.String()), "RDFa": inBody(rdfa.String())}
}

// schema is the vocabulary of most items.
const schema = "https://schema.org/"

// text returns properties with a text.
func text(names ...string) (properties []property) {
	for _, name := range names {
		properties = append(properties, property{name: name, text: "some text"})
	}
	return properties
}

// part returns a property with an item.
func part(name, kind string, names ...string) property {
	return property{name: name, item: &writtenItem{kind: kind, properties: text(names...)}}
}

func one(vocabulary, kind string, properties ...property) []writtenItem {
	return []writtenItem{{vocabulary: vocabulary, kind: kind, properties: properties}}
}

var itemCases = []struct {
	name            string
	items           []writtenItem
	valid, required Status
	detail          string // of the check that fails, in all syntaxes
}{
	{"whole product", one(schema, "Product", append(text("name"), part("offers", "Offer", "price"))...), Passed, Passed, ""},
	{"other forms of the vocabulary", one("http://www.schema.org", "Product", text("name", "review")...), Passed, Passed, ""},
	{"incomplete product", one(schema, "Product", text("name")...), Passed, Failed, "Product without review / aggregateRating / offers"},
	{"empty name", one(schema, "Product", append(text("offers"), property{name: "name", text: " "})...), Passed, Failed, "Product without name"},
	{"kind of business", one(schema, "Bakery", text("name")...), Passed, Failed, "Bakery without address"},
	{"kind of event", one(schema, "MusicEvent", text("name", "startDate", "location")...), Passed, Passed, ""},
	{"kind of event without result", one(schema, "CourseInstance", text("name")...), Passed, NotApplicable, ""},
	{"kind of article", one(schema, "NewsArticle", text("headline")...), Passed, Passed, ""},
	{"part with a part", one(schema, "Person", property{name: "worksFor", item: &writtenItem{kind: "Organization", properties: []property{
		part("address", "PostalAddress", "addressLocality"),
	}}}), Passed, NotApplicable, ""},
	{"part without type", one(schema, "Person", part("address", "", "addressLocality")), Passed, NotApplicable, ""},
	{"thing told in two places", []writtenItem{
		{vocabulary: schema, kind: "Product", id: "#train", properties: text("name")},
		{vocabulary: schema, kind: "Product", id: "#train", properties: text("offers")},
	}, Passed, Passed, ""},

	{"misspelt type", one(schema, "Prodct", text("name")...), Failed, NotApplicable, `the type "Prodct", which schema.org does not know (is "Product" meant?)`},
	{"type in lower case", one(schema, "person", text("name")...), Failed, NotApplicable, `is "Person" meant?`},
	{"unknown type", one(schema, "Zzyzx", text("name")...), Failed, NotApplicable, `"Zzyzx"`},
	{"misspelt property", one(schema, "Person", text("nmae")...), Failed, NotApplicable, `the property "nmae", which schema.org does not know (is "name" meant?)`},
	{"misspelt in a part", one(schema, "Person", part("address", "PostalAdress", "addressLocality")), Failed, NotApplicable, `"PostalAddress"`},
	{"misspelt in a part without type", one(schema, "Person", part("address", "", "adressLocality")), Failed, NotApplicable, `"addressLocality"`},
	{"misspelt vocabulary", one("https://schema.og/", "Person", text("name")...), Failed, NotApplicable, "which is not https://schema.org"},
	{"vocabulary without scheme", one("schema.org", "Person", text("name")...), Failed, NotApplicable, "which is not https://schema.org"},
	{"no vocabulary", one("", "Person", text("name")...), Failed, NotApplicable, "the only item"},
	{"no type", one(schema, "", text("name")...), Failed, NotApplicable, "has no "},
	{"another vocabulary", one("http://purl.org/goodrelations/v1/", "Offering", text("nonsense")...), Passed, NotApplicable, ""},
	{"names of other vocabularies", one(schema, "Person", text("name", "foaf:nick", "http://purl.org/dc/terms/x")...), Passed, NotApplicable, ""},
}

// TestItemsInEachSyntax holds that an item gets the same verdicts in whatever syntax it is written.
func TestItemsInEachSyntax(t *testing.T) {
	for _, c := range itemCases {
		for syntax, html := range pages(c.items) {
			f := exampleFacts(t, html)
			valid, required := checkStructuredDataValid(f), checkStructuredDataRequired(f)
			if valid.status != c.valid || required.status != c.required {
				t.Errorf("%s in %s: %s %q, %s %q", c.name, syntax, valid.status, valid.detail(), required.status, required.detail())
			}
			if !strings.Contains(strings.ToLower(valid.detail()+required.detail()), strings.ToLower(c.detail)) {
				t.Errorf("%s in %s: %q, %q", c.name, syntax, valid.detail(), required.detail())
			}
			for _, e := range append(valid.evidence, required.evidence...) {
				if e.Line == 0 || e.Snippet == "" {
					t.Errorf("%s in %s: evidence %+v", c.name, syntax, e)
				}
			}
		}
	}
}

func TestSyntaxesOfItems(t *testing.T) {
	for _, c := range []struct {
		name, html      string
		valid, required Status
	}{
		{"itemref", inBody(`<div itemscope itemtype="https://schema.org/Product" itemref="n o"></div><p id="n" itemprop="name">Train</p><p id="o"><span itemprop="offers">1</span></p>`), Passed, Passed},
		{"itemref in a circle", inBody(`<div id="a" itemscope itemtype="https://schema.org/Person" itemref="b"></div><div id="b" itemprop="knows" itemscope itemref="a b"></div>`), Passed, NotApplicable},
		{"several types", inBody(`<div itemscope itemtype="https://schema.org/Place https://schema.org/Bakery"><p itemprop="name address">x</p></div>`), Passed, Passed},
		{"attributes with values", inBody(`<div itemscope itemtype="https://schema.org/VideoObject"><img itemprop="thumbnailUrl" src="/a.png"><time itemprop="uploadDate" datetime="2026-11-20"></time><data itemprop="name" value="x"></data></div>`), Passed, Passed},
		{"image without URL", inBody(`<div itemscope itemtype="https://schema.org/Recipe"><img itemprop="image" src=""><p itemprop="name">x</p></div>`), Passed, Failed},
		{"URN", inBody(`<div itemscope itemtype="urn:isbn:1"><p itemprop="nonsense">x</p></div>`), Passed, NotApplicable},
		{"in a template", inBody(`<template><div itemscope itemtype="https://schema.org/Prodct"></div></template>`), NotApplicable, NotApplicable},

		{"prefix", inBody(`<div prefix="s: https://schema.org/ og: http://ogp.me/ns#"><div typeof="s:Product"><p property="s:name og:nonsense">x</p><a property="s:offers" href="/x">x</a></div></div>`), Passed, Passed},
		{"known prefix", inBody(`<div typeof="schema:Product"><p property="schema:nmae">x</p></div>`), Failed, Failed},
		{"inherited vocabulary", `<!DOCTYPE html><html vocab="https://schema.org/"><title>x</title><body typeof="Recipe"><main><p property="name">x</p><img property="image" src="/a.png"></main>`, Passed, Passed},
		{"Open Graph", `<!DOCTYPE html><html vocab="https://schema.org/" typeof="WebPage"><meta property="og:titel" content="x"><title>x</title>`, Passed, NotApplicable},
		{"prefix of others", inBody(`<figure typeof="mw:File"><a href="/x">x</a></figure>`), Passed, NotApplicable},
		{"reference", inBody(`<div vocab="https://schema.org/" typeof="Person"><a property="knows" href="/x">x</a><p resource="/y">x</p></div>`), Passed, NotApplicable},
		{"said of the page", inBody(`<div vocab="https://schema.org/"><p property="name">x</p></div>`), Failed, NotApplicable},

		{"short keywords", jsonBlock(`{"@context":"https://schema.org","type":"Person","id":"#a","name":"x"}`), Passed, NotApplicable},
		{"search action", jsonBlock(`{"@context":"https://schema.org","@type":"SearchAction","query-input":"required"}`), Passed, NotApplicable},
		{"vocab", jsonBlock(`{"@context":{"@vocab":"https://schema.org/","dc":"http://purl.org/dc/terms/","titel":"dc:title"},"@type":"Person","titel":"x","dc:x":"y"}`), Passed, NotApplicable},
		{"terms of its own", jsonBlock(`{"@context":{"Toy":"https://schema.org/Product","label":{"@id":"https://schema.org/name","@container":"@language"}},"@type":"Toy","label":{"en":"x"},"https://schema.org/offers":"y"}`), Passed, Passed},
		{"two contexts", jsonBlock(`{"@context":["https://schema.org","https://w3id.org/x"],"@type":"Person","nonsense":"x"}`), Passed, NotApplicable},
		{"context of others", jsonBlock(`{"@context":"https://www.w3.org/ns/activitystreams","name":"x"}`), Passed, NotApplicable},
		{"values", jsonBlock(`{"@context":"https://schema.org","@type":"Recipe","name":{"@value":"x","@language":"en"},"image":{"@list":["/a.png"]}}`), Passed, Passed},
		{"null", jsonBlock(`{"@context":"https://schema.org","@type":"Recipe","name":null,"image":"/a.png"}`), Passed, Failed},
		{"numbers and truth", jsonBlock(`{"@context":"https://schema.org","@type":"Recipe","name":1e999,"image":false}`), Passed, Passed},
		{"graph", jsonBlock(`{"@context":"https://schema.org","@graph":[{"@id":"#a","@type":"Recipe","name":"x"},{"@id":"#a","image":"/a.png"},{"@id":"#b"}]}`), Passed, Passed},
		{"no type in a graph", jsonBlock(`{"@context":"https://schema.org","@graph":[{"name":"x"}]}`), Failed, NotApplicable},
		{"graph without context", jsonBlock(`{"@graph":[]}`), Failed, NotApplicable},
		{"type as context", jsonBlock(`{"@context":"https://schema.org/Product","@type":"Product"}`), Failed, NotApplicable},
		{"reverse", jsonBlock(`{"@context":"https://schema.org","@type":"Person","@reverse":{"autor":{"@type":"Book"}}}`), Failed, NotApplicable},
	} {
		f := exampleFacts(t, c.html)
		if got := checkStructuredDataValid(f); got.status != c.valid {
			t.Errorf("%s: %s %q", c.name, got.status, got.detail())
		}
		if got := checkStructuredDataRequired(f); got.status != c.required {
			t.Errorf("%s: %s %q", c.name, got.status, got.detail())
		}
	}
}

// TestItemEvidence holds that evidence leads to the object in a block, not to the block.
func TestItemEvidence(t *testing.T) {
	f := exampleFacts(t, "<title>x</title>\n<script type=\"application/ld+json\">\n{\"@context\": \"https://schema.org\", \"@graph\": [\n  {\"@type\": \"Person\"},\n  {\"@type\": \"Prson\",\n   \"name\": \"x\"}]}\n</script>")
	got := checkStructuredDataValid(f)
	if len(got.evidence) != 1 || got.evidence[0].Line != 5 || !strings.HasPrefix(got.evidence[0].Snippet, `{"@type": "Prson", "name"`) {
		t.Errorf("%s: %+v", got.detail(), got.evidence)
	}
}
