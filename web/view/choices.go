package view

import (
	"strconv"

	"sitegrade/db"
	"sitegrade/sortfilter"
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

// NamedChoices is Choices for values of a type of their own.
func NamedChoices[T ~string](values []T, selected string, texts map[string]string) []Choice {
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = string(value)
	}
	return Choices(names, selected, texts)
}

// The words for the values of lists' parameters.
var (
	resultTexts = map[string]string{"": "All results", "good": "Good", "decent": "Decent", "bad": "Bad"}
	sortTexts   = map[string]string{
		string(sortfilter.ByID):        "Created",
		string(sortfilter.ByCreated):   "Created",
		string(sortfilter.ByGenerated): "Generated",
		string(sortfilter.ByURL):       "Address",
		string(sortfilter.ByResult):    "Result",
		string(sortfilter.ByProject):   "Name",
		string(sortfilter.ByScore):     "Score",
	}
	statusTexts        = map[string]string{"": "Any status", "queued": "Queued", "running": "Running", "done": "Done", "failed": "Failed"}
	filterPrivacyTexts = map[string]string{"": "Anybody", "0": "Public", "1": "Private", "2": "Password"}
	directionTexts     = map[string]string{"desc": "Descending", "asc": "Ascending"}
	privacyTexts       = map[string]string{
		"0": "Public: everybody who has the link", "1": "Private: only you", "2": "Password: who has link and password",
	}
)

// ListChoices are the options of what every list can be asked for.
type ListChoices struct{ Columns, Directions, Sizes []Choice }

// NewListChoices returns the options of a list with these parameters, those of the query selected.
func NewListChoices(parameters []sortfilter.Parameter, q sortfilter.Query) ListChoices {
	values := func(name string) []string { return sortfilter.Values(parameters, name) }
	sizeTexts := map[string]string{}
	for _, size := range values("per_page") {
		sizeTexts[size] = size + " a page"
	}
	return ListChoices{
		Columns:    Choices(values("sort_by"), string(q.SortBy), sortTexts),
		Directions: Choices(values("sort"), q.Direction(), directionTexts),
		Sizes:      Choices(values("per_page"), strconv.Itoa(q.PerPage), sizeTexts),
	}
}

// ReportFilters are the options of what the list of reports can be limited to; the first of each is for all of them.
type ReportFilters struct{ Results, Statuses, Audiences []Choice }

// NewReportFilters returns the options with those of the query selected.
func NewReportFilters(q sortfilter.Query) ReportFilters {
	options := func(name, selected string, texts map[string]string) []Choice {
		return Choices(append([]string{""}, sortfilter.Values(sortfilter.ReportParameters, name)...), selected, texts)
	}
	return ReportFilters{options("result", q.Result, resultTexts), options("status", q.Status, statusTexts), options("privacy", q.Privacy, filterPrivacyTexts)}
}

// PrivacyChoices are the options of who may see a report.
func PrivacyChoices(selected db.Privacy) []Choice {
	return Choices([]string{"0", "1", "2"}, strconv.Itoa(int(selected)), privacyTexts)
}

// PrivacyField is the part of a form that says who may see a report.
type PrivacyField struct {
	Privacy       db.Privacy
	PasswordFault string // what is wrong with the password that was given; "" for nothing
}

// Privacies are its options.
func (f PrivacyField) Privacies() []Choice { return PrivacyChoices(min(f.Privacy, db.Password)) }
