package audit

import (
	"slices"
	"sync"

	"sitegrade/audit/texts"
	"sitegrade/locale"
)

// Explanation is all that people can read about a check: what it looks at, why that matters, and how to mend it, in a language, and what
// audit/texts has beside these words.
type Explanation struct {
	ID            string
	Category      string // "seo"; "" for a check that is retired
	CategoryTitle string
	Severity      Severity // "" for a check that is retired
	Source        string   // whose rule it is; "" for a check that is retired
	locale.Check
	texts.Text
	Agreements []texts.Agreement // empty where no judge was measured
}

// written are the texts and what was measured of each check, read once. The files are part of the program: one that cannot be read is a fault
// of ours.
var written = sync.OnceValue(func() writings {
	all, err := texts.Read()
	if err != nil {
		panic("audit: the texts of checks: " + err.Error())
	}
	agreements, err := texts.Agreements()
	if err != nil {
		panic("audit: the texts of checks: " + err.Error())
	}
	return writings{all, agreements}
})

type writings struct {
	texts      texts.Texts
	agreements map[string][]texts.Agreement
}

// explained are the explanations in each language, made when they are first asked for.
var explained = func() map[locale.Language]func() []Explanation {
	all := map[locale.Language]func() []Explanation{}
	for _, l := range locale.Languages() {
		all[l] = sync.OnceValue(func() []Explanation { return explainAll(locale.For(l)) })
	}
	return all
}()

// explainAll returns the checks of the table in its order, those across a site, and then those that are retired, by id.
func explainAll(c *locale.Catalogue) []Explanation {
	var list []Explanation
	explain := func(id, category string, severity Severity, source string) {
		words, _ := c.Check(id)
		title := "categories." + category
		if category == "" {
			title = "categories.retired"
		}
		agreements := slices.Clone(written().agreements[id])
		for i := range agreements {
			agreements[i].Judge = c.Translate(agreements[i].Judge, "judges")
		}
		list = append(list, Explanation{
			ID: id, Category: category, CategoryTitle: c.Text(title), Severity: severity, Source: c.Translate(source, "sources"),
			Check: words, Text: written().texts[id], Agreements: agreements,
		})
	}
	for _, c := range table {
		explain(c.id, c.category, c.severity, c.source)
	}
	for _, c := range acrossSite {
		explain(c.ID, SiteCategory, c.Severity, c.Source)
	}
	for _, id := range c.CheckIDs() {
		if words, _ := c.Check(id); words.Retired != "" {
			explain(id, "", "", "")
		}
	}
	return list
}

// Explanations returns those of all checks in English, in the order of a report, behind them those of the checks across a site, and then those
// of retired checks. The slice is shared and must not be changed.
func Explanations() []Explanation { return ExplanationsIn(locale.English) }

// ExplanationsIn is Explanations in a language.
func ExplanationsIn(l locale.Language) []Explanation {
	if explain, ok := explained[l]; ok {
		return explain()
	}
	return explained[locale.English]()
}

// Explain returns the explanation of a check in English, or false for an id that no check ever had.
func Explain(id string) (Explanation, bool) { return ExplainIn(locale.English, id) }

// ExplainIn is Explain in a language.
func ExplainIn(l locale.Language, id string) (Explanation, bool) {
	for _, e := range ExplanationsIn(l) {
		if e.ID == id {
			return e, true
		}
	}
	return Explanation{}, false
}
