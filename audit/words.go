package audit

import (
	"strings"

	"sitegrade/locale"
)

// In returns the report in a language. A report of an earlier version, of which only the English words are kept, is read for what these say;
// what is not recognised stays English; nil for nil. The report itself is not changed, and shares what has no words with the one returned.
func (r *Report) In(l locale.Language) *Report {
	c := locale.For(l)
	if r == nil || c.Language() == locale.English {
		return r
	}
	shown := *r
	shown.Checks = make([]Outcome, len(r.Checks))
	for i, o := range r.Checks {
		o.word(c)
		shown.Checks[i] = o
	}
	shown.Categories = make([]Category, len(r.Categories))
	for i, category := range r.Categories {
		category.word(c)
		shown.Categories[i] = category
	}
	if said, ok := r.whySentence(); ok {
		shown.Why = c.Say(said)
	}
	return &shown
}

// FailureIn returns a failure in a language; nil for nil. Failures are kept in English, and what is not recognised stays so.
func FailureIn(l locale.Language, f *Failure) *Failure {
	c := locale.For(l)
	if f == nil || c.Language() == locale.English {
		return f
	}
	return &Failure{Code: f.Code, Detail: c.Translate(f.Detail, "failures")}
}

// word puts the outcome into the words of a catalogue, as far as it is known what it says.
func (o *Outcome) word(c *locale.Catalogue) {
	words, known := c.Check(o.ID)
	if title := titleIn(words, o.Status); title != "" {
		o.Title = title
	}
	if known && words.Advice != "" && o.isProblem() {
		o.Advice = words.Advice
	}
	if said, ok := o.sentence(); ok {
		o.Detail = c.Say(said)
	}
}

// sentence returns what the outcome says, or false where that is not known.
func (o *Outcome) sentence() (locale.Sentence, bool) {
	if !o.Said.IsZero() || o.Detail == "" {
		return o.Said, !o.Said.IsZero()
	}
	return locale.Recognise(o.Detail, o.ID)
}

// whySentence returns what made the score, or false where that is not known.
func (r *Report) whySentence() (locale.Sentence, bool) {
	switch {
	case !r.WhySaid.IsZero() || r.Why == "":
		return r.WhySaid, !r.WhySaid.IsZero()
	case strings.HasPrefix(r.Why, "Most points are lost by: "):
		return explainLosses(r.Checks), true
	}
	return locale.Recognise(r.Why, "why")
}

// word puts the title of the category into the words of a catalogue.
func (c *Category) word(words *locale.Catalogue) {
	id := "categories." + c.ID
	if c.Title == locale.For(locale.English).Text(runTitle) {
		id = runTitle
	}
	if words.Has(id) {
		c.Title = words.Text(id)
	}
}

// runTitle is what the category "project" is called where pages are compared that were audited together.
const runTitle = "categories.run"

// CategoryTitle returns what a category is called; its id where that is not one of this version.
func CategoryTitle(id string) string { return CategoryTitleIn(locale.English, id) }

// CategoryTitleIn is CategoryTitle in a language.
func CategoryTitleIn(l locale.Language, id string) string {
	if c := locale.For(l); c.Has("categories." + id) {
		return c.Text("categories." + id)
	}
	return id
}

// TitleFor returns the sentence that heads an outcome of a check, as this version words it; "" for an id that no check ever had.
func TitleFor(id string, status Status) string { return TitleIn(locale.English, id, status) }

// TitleIn is TitleFor in a language.
func TitleIn(l locale.Language, id string, status Status) string {
	words, _ := locale.For(l).Check(id)
	return titleIn(words, status)
}

func titleIn(words locale.Check, status Status) string {
	switch {
	case status == Passed:
		return words.Passed
	case status == Failed, status == Warning && words.Warning == "":
		return words.Failed
	case status == Warning:
		return words.Warning
	}
	return words.Name
}
