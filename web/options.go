package web

import (
	"strconv"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

// choice is an option of a select.
type choice struct {
	Value, Text string
	Selected    bool
}

// choices returns an option for each value, in the words of texts. A value without words stands for itself.
func choices(values []string, selected string, texts map[string]string) []choice {
	all := make([]choice, len(values))
	for i, value := range values {
		text, ok := texts[value]
		if !ok {
			text = value
		}
		all[i] = choice{value, text, value == selected}
	}
	return all
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
	}
	directionTexts = map[string]string{"desc": "Descending", "asc": "Ascending"}
	privacyTexts   = map[string]string{
		"0": "Public: everybody who has the link", "1": "Private: only you", "2": "Password: who has link and password",
	}
)

// listChoices are the options of what every list can be asked for.
type listChoices struct{ Columns, Directions, Sizes []choice }

// newListChoices returns the options of a list with these parameters, those of the query selected.
func newListChoices(parameters []sortfilter.Parameter, q sortfilter.Query) listChoices {
	values := func(name string) []string { return sortfilter.Values(parameters, name) }
	sizeTexts := map[string]string{}
	for _, size := range values("per_page") {
		sizeTexts[size] = size + " a page"
	}
	return listChoices{
		Columns:    choices(values("sort_by"), string(q.SortBy), sortTexts),
		Directions: choices(values("sort"), q.Direction(), directionTexts),
		Sizes:      choices(values("per_page"), strconv.Itoa(q.PerPage), sizeTexts),
	}
}

// resultChoices are the results that a list can be limited to, all of them first.
func resultChoices(q sortfilter.Query) []choice {
	return choices(append([]string{""}, sortfilter.Values(sortfilter.ReportParameters, "result")...), q.Result, resultTexts)
}

// privacyChoices are the options of who may see a report.
func privacyChoices(selected db.Privacy) []choice {
	return choices([]string{"0", "1", "2"}, strconv.Itoa(int(selected)), privacyTexts)
}
