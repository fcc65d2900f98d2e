package audit

import (
	"strings"

	"sitegrade/audit/page"
	"sitegrade/audit/schemaorg"
	"sitegrade/locale"
)

func checkStructuredDataValid(f *facts) finding {
	d := f.doc
	if len(d.JSONLD)+len(d.Items) == 0 {
		return notApplicable("structured-data-valid.none")
	}
	var bad tally
	var faults []locale.Sentence
	total := len(d.Items)
	for _, block := range d.JSONLD {
		if fault := faultOfBlock(block); !fault.IsZero() {
			total++ // a block that cannot be read has no item
			bad.addElement(d, block.Element, nil)
			faults = append(faults, fault)
		}
	}
	things := thingsOf(d.Items)
	for _, item := range d.Items {
		if fault := faultOfItem(item, things, len(faults) == 0); !fault.IsZero() {
			bad.addItem(d, item)
			faults = append(faults, fault)
		}
	}
	if bad.count > 0 {
		return fail(bad.evidence, "structured-data-valid.unusable",
			locale.Count(bad.count), locale.Count(total), locale.PhraseOf(faults[0]))
	}
	return pass("structured-data-valid.all", locale.Count(total))
}

// addItem counts an item of structured data.
func (t *tally) addItem(d *page.Document, i *page.Item) {
	if t.isFull() {
		t.addUnseen()
		return
	}
	t.add(evidenceAt(d.ItemPlace(i)))
}

// faultOfBlock says why a block of JSON-LD cannot be read, nothing when it can.
func faultOfBlock(b page.JSONLD) (none locale.Sentence) {
	switch {
	case b.Err != nil:
		return locale.Say("structured-data-valid.not-json", locale.Text(page.CutSnippet(b.Err.Error())))
	case b.IsEmpty():
		return locale.Say("structured-data-valid.no-object")
	}
	return none
}

// thing is what all items of a page with the same id say together.
type thing struct {
	typed      bool
	properties map[string]bool // of schema.org that are not empty
}

// thingsOf returns the things that items of a page have an id for.
func thingsOf(items []*page.Item) map[string]thing {
	things := map[string]thing{}
	for _, item := range items {
		if item.ID == "" {
			continue
		}
		t, ok := things[item.ID]
		if !ok {
			t.properties = map[string]bool{}
		}
		t.typed = t.typed || len(item.Types) > 0
		addProperties(t.properties, item)
		things[item.ID] = t
	}
	return things
}

func addProperties(to map[string]bool, item *page.Item) {
	for _, p := range item.Properties {
		if isOfSchema(p.Name) && !p.Value.IsEmpty() {
			to[p.Local] = true
		}
	}
}

// isOfSchema reports whether a name is one of schema.org's vocabulary, or was meant to be.
func isOfSchema(n page.Name) bool { return n.Vocabulary != "" && schemaorg.Is(n.Vocabulary) }

// faultOfItem says why an item cannot be used as it is, nothing when it can. A name that schema.org does not have comes with the one that
// is likely meant where suggest is set, since that takes long to find.
func faultOfItem(item *page.Item, things map[string]thing, suggest bool) (none locale.Sentence) {
	if !item.HasContext {
		return locale.Say([...]string{"structured-data-valid.no-context", "structured-data-valid.itemtype", "structured-data-valid.no-vocab"}[item.Syntax])
	}
	if fault := faultOfVocabulary(item); !fault.IsZero() {
		return fault
	}
	if lacksType(item, things) {
		return locale.Say("structured-data-valid.no-type", locale.Text([...]string{"@type", "itemtype", "typeof"}[item.Syntax]))
	}
	for _, t := range item.Types {
		if isOfSchema(t) && !schemaorg.IsType(t.Local) {
			return unknownName("structured-data-valid.unknown-type", t.Local, suggest, schemaorg.NearestType)
		}
	}
	for _, p := range item.Properties {
		if isOfSchema(p.Name) && !schemaorg.IsProperty(p.Local) {
			return unknownName("structured-data-valid.unknown-property", p.Local, suggest, schemaorg.NearestProperty)
		}
	}
	return none
}

func faultOfVocabulary(item *page.Item) (none locale.Sentence) {
	if schemaorg.IsMisspelt(item.Vocabulary) {
		return locale.Say("structured-data-valid.vocabulary", locale.Quoted(item.Vocabulary))
	}
	for _, t := range item.Types {
		if schemaorg.IsMisspelt(t.Vocabulary) {
			return locale.Say("structured-data-valid.type-vocabulary", locale.Quoted(t.Vocabulary))
		}
	}
	return none
}

// lacksType reports whether an item should have a type and has not. Parts of others, what holds a graph, and what says more of a thing
// that has a type elsewhere need not have one. Of another vocabulary than schema.org nothing is demanded.
func lacksType(item *page.Item, things map[string]thing) bool {
	if len(item.Types) > 0 || item.Nested || item.Graph || !item.SaysMore() {
		return false
	}
	if item.Vocabulary != "" && !schemaorg.Is(item.Vocabulary) || item.Vocabulary == "" && item.Syntax != page.MicrodataSyntax {
		return false
	}
	return item.ID == "" || !things[item.ID].typed
}

// unknownName says with the sentence of that id that schema.org does not know a name, and which one is likely meant.
func unknownName(id, name string, suggest bool, nearest func(string) string) locale.Sentence {
	if suggest {
		if meant := nearest(name); meant != "" {
			return locale.Say(id+"-meant", locale.Quoted(name), locale.Quoted(meant))
		}
	}
	return locale.Say(id, locale.Quoted(name))
}

// requirements are the properties that Google requires of a type, and of those that are kinds of it, before it shows a rich result.
// Properties separated by "|" are alternatives. Types without required properties, such as Article, are listed so that they count as
// known.
var requirements = map[string][]string{
	"Article":        {},
	"Organization":   {},
	"Product":        {"name", "review|aggregateRating|offers"},
	"BreadcrumbList": {"itemListElement"},
	"FAQPage":        {"mainEntity"},
	"LocalBusiness":  {"name", "address"},
	"Event":          {"name", "startDate", "location"},
	"Recipe":         {"name", "image"},
	"VideoObject":    {"name", "thumbnailUrl", "uploadDate"},
}

// withoutResult are types that Google shows no rich result of that kind for, though they are kinds of products and events.
var withoutResult = map[string]bool{
	"CourseInstance": true, "DeliveryEvent": true, "PublicationEvent": true, "UserInteraction": true,
	"Drug": true, "ProductGroup": true,
}

// requiredOf returns what Google requires of a type, and whether it shows rich results for it at all.
func requiredOf(kind string) (required []string, known bool) {
	kinds := schemaorg.Kinds(kind)
	for _, k := range kinds {
		if withoutResult[k] {
			return nil, false
		}
	}
	for _, k := range kinds {
		properties, ok := requirements[k]
		required, known = append(required, properties...), known || ok
	}
	return required, known
}

func checkStructuredDataRequired(f *facts) finding {
	var incomplete tally
	known := 0
	var missing []locale.Arg
	things := thingsOf(f.doc.Items)
	for _, item := range f.doc.Items {
		if item.Nested {
			continue
		}
		lacks, ok := incompleteness(item, things)
		if !ok {
			continue
		}
		known++
		if lacks == nil {
			continue
		}
		if missing == nil {
			missing = lacks
		}
		incomplete.addItem(f.doc, item)
	}
	switch {
	case known == 0:
		return notApplicable("structured-data-required.none")
	case incomplete.count > 0:
		return fail(incomplete.evidence, "structured-data-required.incomplete",
			append([]locale.Arg{locale.Count(incomplete.count), locale.Count(known)}, missing...)...)
	}
	return pass("structured-data-required.all", locale.Count(known))
}

// incompleteness returns a type of an item and the properties that it lacks of those that Google requires of that type, nil where it lacks not
// one, and reports whether Google shows rich results for it.
func incompleteness(item *page.Item, things map[string]thing) (lacks []locale.Arg, known bool) {
	var properties map[string]bool
	for _, t := range item.Types {
		if !isOfSchema(t) {
			continue
		}
		required, ok := requiredOf(t.Local)
		if !ok {
			continue
		}
		if !known {
			known, properties = true, propertiesOf(item, things)
		}
		if missing := missingProperties(properties, required); missing != nil && lacks == nil {
			lacks = []locale.Arg{locale.Text(t.Local), locale.List(missing)}
		}
	}
	return lacks, known
}

// propertiesOf returns the properties of an item, with those that the page says of the same thing elsewhere.
func propertiesOf(item *page.Item, things map[string]thing) map[string]bool {
	if t, ok := things[item.ID]; ok {
		return t.properties
	}
	properties := map[string]bool{}
	addProperties(properties, item)
	return properties
}

// missingProperties returns the required properties that are missing, alternatives in one.
func missingProperties(properties map[string]bool, required []string) []string {
	var missing []string
	for _, alternatives := range required {
		present := false
		for name := range strings.SplitSeq(alternatives, "|") {
			present = present || properties[name]
		}
		if !present {
			missing = append(missing, strings.ReplaceAll(alternatives, "|", " / "))
		}
	}
	return missing
}
