package view

import (
	"cmp"
	"strconv"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
)

// Choice is an option of a select.
type Choice struct {
	Value, Text string
	Selected    bool
}

// Choices returns an option for each value, in the words of texts. A value without words stands for itself.
func Choices(values []string, selected string, texts map[string]string) []Choice {
	all := make([]Choice, len(values))
	for i, value := range values {
		text, ok := texts[value]
		if !ok {
			text = value
		}
		all[i] = Choice{value, text, value == selected}
	}
	return all
}

// Options returns an option for each value, whose words are ui.<section>.<value>; those of "" are ui.<section>.any.
func Options[T ~string](words *locale.Catalogue, section string, values []T, selected T) []Choice {
	all := make([]Choice, len(values))
	for i, value := range values {
		all[i] = Choice{string(value), templates.Say(words, section+"."+cmp.Or(string(value), "any")), value == selected}
	}
	return all
}

// ListChoices are the options of what every list can be asked for.
type ListChoices struct{ Columns, Directions, Sizes []Choice }

// NewListChoices returns the options of a list with these parameters, those of the query selected.
func NewListChoices(words *locale.Catalogue, parameters []sortfilter.Parameter, q sortfilter.Query) ListChoices {
	values := func(name string) []string { return sortfilter.Values(parameters, name) }
	sizeTexts := map[string]string{}
	for _, size := range values("per_page") {
		n, _ := strconv.Atoi(size) // the values are numbers
		sizeTexts[size] = templates.Say(words, "lists.per-page", n)
	}
	return ListChoices{
		Columns:    Options(words, "columns", values("sort_by"), string(q.SortBy)),
		Directions: Options(words, "directions", values("sort"), q.Direction()),
		Sizes:      Choices(values("per_page"), strconv.Itoa(q.PerPage), sizeTexts),
	}
}

// ReportFilters are the options of what the list of reports can be limited to; the first of each is for all of them.
type ReportFilters struct{ Results, Statuses, Audiences []Choice }

// NewReportFilters returns the options with those of the query selected.
func NewReportFilters(words *locale.Catalogue, q sortfilter.Query) ReportFilters {
	options := func(section, name, selected string) []Choice {
		return Options(words, section, append([]string{""}, sortfilter.Values(sortfilter.ReportParameters, name)...), selected)
	}
	return ReportFilters{options("results", "result", q.Result), options("statuses", "status", q.Status), options("audiences", "privacy", q.Privacy)}
}

// PrivacyChoices are the options of who may see a report.
func PrivacyChoices(words *locale.Catalogue, selected db.Privacy) []Choice {
	return Options(words, "privacies", []string{"0", "1", "2"}, strconv.Itoa(int(selected)))
}

// PrivacyField is the part of a form that says who may see a report.
type PrivacyField struct {
	Privacy       db.Privacy
	PasswordFault string // what is wrong with the password that was given; "" for nothing
}

// Privacies are its options.
func (f PrivacyField) Privacies(words *locale.Catalogue) []Choice {
	return PrivacyChoices(words, min(f.Privacy, db.Password))
}
