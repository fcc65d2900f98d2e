package audit

import (
	"slices"
	"strings"
	"sync"

	"sitegrade/audit/texts"
)

// Explanation is all that people can read about a check: what it looks at, why that matters, and how to mend it. Its texts are
// told in audit/texts.
type Explanation struct {
	ID            string
	Category      string // "seo"; "" for a check that is retired
	CategoryTitle string
	Severity      Severity // "" for a check that is retired
	Source        string   // whose rule it is; "" for a check that is retired
	texts.Text
	Agreements []texts.Agreement // empty where no judge was measured
}

// retiredTitle heads the checks that reports no longer have.
const retiredTitle = "Retired"

// written are the texts and the explanations made of them, read once. The files are part of the program: one that cannot be
// read is a fault of ours.
var written = sync.OnceValue(func() writings {
	all, err := texts.Read()
	if err != nil {
		panic("audit: the texts of checks: " + err.Error())
	}
	agreements, err := texts.Agreements()
	if err != nil {
		panic("audit: the texts of checks: " + err.Error())
	}
	return writings{all, explainAll(all, agreements)}
})

type writings struct {
	texts        texts.Texts
	explanations []Explanation
}

// explainAll returns the checks of the table in its order, those across a site, and then those that are retired, by id.
func explainAll(all texts.Texts, agreements map[string][]texts.Agreement) []Explanation {
	titles := map[string]string{}
	for _, s := range sections {
		titles[s.id] = s.title
	}
	var list []Explanation
	for _, c := range table {
		list = append(list, Explanation{
			ID: c.id, Category: c.category, CategoryTitle: titles[c.category], Severity: c.severity, Source: c.source,
			Text: all[c.id], Agreements: agreements[c.id],
		})
	}
	for _, c := range acrossSite {
		list = append(list, Explanation{
			ID: c.ID, Category: SiteCategory, CategoryTitle: siteCategoryTitle, Severity: c.Severity, Source: c.Source,
			Text: all[c.ID], Agreements: agreements[c.ID],
		})
	}
	active := len(list)
	for id, text := range all {
		if text.Retired != "" {
			list = append(list, Explanation{ID: id, CategoryTitle: retiredTitle, Text: text})
		}
	}
	slices.SortFunc(list[active:], func(x, y Explanation) int { return strings.Compare(x.ID, y.ID) })
	return list
}

// Explanations returns those of all checks in the order of a report, behind them those of the checks across a site, and then those of
// retired checks. The slice is shared
// and must not be changed.
func Explanations() []Explanation { return written().explanations }

// Explain returns the explanation of a check, or false for an id that no check ever had.
func Explain(id string) (Explanation, bool) {
	for _, e := range Explanations() {
		if e.ID == id {
			return e, true
		}
	}
	return Explanation{}, false
}

// CategoryTitle returns what a category is called; its id where that is not one of this version.
func CategoryTitle(id string) string {
	for _, s := range sections {
		if s.id == id {
			return s.title
		}
	}
	return id
}

// TitleFor returns the sentence that heads an outcome of a check, as this version words it; "" for an id that no check ever had.
func TitleFor(id string, status Status) string {
	text := written().texts[id]
	switch {
	case status == Passed:
		return text.Passed
	case status == Failed, status == Warning && text.Warning == "":
		return text.Failed
	case status == Warning:
		return text.Warning
	}
	return text.Name
}
