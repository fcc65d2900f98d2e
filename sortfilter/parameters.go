package sortfilter

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parameter is one parameter of a list query. A value must fit every rule that is set.
type Parameter struct {
	Name    string
	Doc     string   // one sentence for people
	Default string   // what an absent or empty value means; "" when that means nothing is asked for
	Enum    []string // the only values; nil when others are possible
	Integer bool     // the value is a whole number
	Time    bool     // the value is a moment (ParseTime)
	// Minimum and Maximum bound an Integer that has no Enum.
	Minimum, Maximum int
	MaxBytes         int // longest value in bytes; 0 for no limit of its own

	set func(*Query, string) // takes a value that fits
}

// maxSearch is the longest search in bytes: no address is longer, so nothing longer can be found.
const maxSearch = 2048

// maxPage is the last page that may be asked for: the largest number that JSON readers hold exactly, and small enough that the
// number of rows before it fits an int.
const maxPage = min(1<<53-1, math.MaxInt/100)

// ReportParameters are the parameters of the list of reports.
var ReportParameters = []Parameter{
	searchParameter("Only reports whose address contains this text, without regard to case."),
	searchByParameter("url"),
	{
		Name: "project",
		Doc:  "Only reports of this project, given by its id or its name; an unknown project has no reports.",
		set:  func(q *Query, value string) { q.Project = value },
	},
	{
		Name: "result",
		Doc:  "Only reports with this result.",
		Enum: []string{"good", "decent", "bad"},
		set:  func(q *Query, value string) { q.Result = value },
	},
	statusParameter("Only reports that stand so.", "queued", "running", "done", "failed"),
	{
		Name: "privacy",
		Doc:  "Only reports that are public (0), private (1) or behind a password (2).",
		Enum: []string{"0", "1", "2"}, Integer: true,
		set: func(q *Query, value string) { q.Privacy = value },
	},
	{
		Name: "since",
		Doc:  "Only reports that were generated at this moment or later: a time of RFC 3339, or a day in UTC such as 2027-01-31.",
		Time: true,
		set:  func(q *Query, value string) { q.Since, _ = ParseTime(value) },
	},
	{
		Name: "until",
		Doc:  "Only reports that were generated before this moment: a time of RFC 3339, or a day in UTC, which still counts.",
		Time: true,
		set:  func(q *Query, value string) { _, q.Until = ParseTime(value) },
	},
	reportSortParameter(),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// ProjectParameters are the parameters of the list of projects.
var ProjectParameters = []Parameter{
	searchParameter("Only projects whose name contains this text, without regard to case."),
	searchByParameter("project"),
	sortByParameter(ProjectSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// WebhookParameters are the parameters of the list of webhooks.
var WebhookParameters = []Parameter{
	searchParameter("Only webhooks whose address contains this text, without regard to case."),
	searchByParameter("url"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// ScheduleParameters are the parameters of the list of schedules.
var ScheduleParameters = []Parameter{
	searchParameter("Only schedules of projects whose name contains this text, without regard to case."),
	searchByParameter("project"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// FormParameters are the parameters of the list of forms.
var FormParameters = []Parameter{
	searchParameter("Only forms whose name contains this text, without regard to case."),
	searchByParameter("name"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// KeyParameters are the parameters of the list of API keys.
var KeyParameters = []Parameter{
	searchParameter("Only keys whose name contains this text, without regard to case."),
	searchByParameter("name"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// AcceptedParameters are the parameters of the list of what is accepted in a project.
var AcceptedParameters = []Parameter{
	searchParameter("Only those whose address contains this text, without regard to case."),
	searchByParameter("url"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// DeliveryParameters are the parameters of the list of a webhook's deliveries.
var DeliveryParameters = []Parameter{
	statusParameter("Only deliveries that stand so.", "pending", "delivered", "failed"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// GenerationParameters are the parameters of the list of a report's generations, which is ordered by their numbers.
var GenerationParameters = []Parameter{sortParameter, perPageParameter, pageParameter}

// DiffParameters are the parameters of the diff of two generations.
var DiffParameters = []Parameter{
	{
		Name: "from", Doc: "The number of the earlier generation; without it, that of the last successful one before the later.",
		Integer: true, Minimum: 1, Maximum: math.MaxInt32, set: func(q *Query, value string) { q.From, _ = strconv.Atoi(value) },
	},
	{
		Name: "to", Doc: "The number of the later generation; without it, that of the last successful one.",
		Integer: true, Minimum: 1, Maximum: math.MaxInt32, set: func(q *Query, value string) { q.To, _ = strconv.Atoi(value) },
	},
}

// CrawlParameters are the parameters of the list of crawls.
var CrawlParameters = []Parameter{
	searchParameter("Only crawls whose address contains this text, without regard to case."),
	searchByParameter("url"),
	{
		Name: "project",
		Doc:  "Only crawls of this project, given by its id or its name; an unknown project has no crawls.",
		set:  func(q *Query, value string) { q.Project = value },
	},
	statusParameter("Only crawls that stand so.", "queued", "running", "done", "stopped", "failed"),
	sortByParameter(recordSorts),
	sortParameter,
	perPageParameter,
	pageParameter,
}

// CrawlPageParameters are the parameters of the list of the addresses of a crawl.
var CrawlPageParameters = []Parameter{
	searchParameter("Only addresses that contain this text, without regard to case."),
	searchByParameter("url"),
	{
		Name: "status", Doc: "Only addresses that answered with this status of HTTP.", Integer: true, Minimum: 100, Maximum: 599,
		set: func(q *Query, value string) { q.HTTPStatus, _ = strconv.Atoi(value) },
	},
	{
		Name: "indexable", Doc: "Only addresses that search engines may index, or only the others.", Enum: []string{"true", "false"},
		set: func(q *Query, value string) { q.Indexable = new(value == "true") },
	},
	nearestParameter,
	perPageParameter,
	pageParameter,
}

// CrawlLinkParameters are the parameters of the list of the links of a crawl.
var CrawlLinkParameters = []Parameter{
	searchParameter("Only links whose target contains this text, without regard to case."),
	searchByParameter("target"),
	statusParameter("Only links that lead to an error or to no answer.", "broken"),
	nearestParameter,
	perPageParameter,
	pageParameter,
}

// IssueParameters are the parameters of the list of the issues of a project.
var IssueParameters = []Parameter{
	searchParameter("Only issues whose check or title contains this text, without regard to case."),
	{
		Name: "sort", Doc: "The direction of the order: desc is the worst first, by severity and then by pages.",
		Default: descending, Enum: []string{descending, ascending}, set: func(q *Query, value string) { q.Ascending = value == ascending },
	},
	perPageParameter,
	pageParameter,
}

// IssueRowParameters are the parameters of the list of the pages on which a check fails.
var IssueRowParameters = []Parameter{
	searchParameter("Only pages whose address contains this text, without regard to case."),
	searchByParameter("url"),
	{
		Name: "sort", Doc: "The direction of the order: asc is the oldest report first, and of a check across pages the nearest to the start.",
		Default: ascending, Enum: []string{ascending, descending}, set: func(q *Query, value string) { q.Ascending = value == ascending },
	},
	perPageParameter,
	pageParameter,
}

// nearestParameter is the direction of lists in the order of a crawl.
var nearestParameter = Parameter{
	Name:    "sort",
	Doc:     "The direction of the order: asc is the nearest to the start first.",
	Default: ascending,
	Enum:    []string{ascending, descending},
	set:     func(q *Query, value string) { q.Ascending = value == ascending },
}

func statusParameter(doc string, statuses ...string) Parameter {
	return Parameter{Name: "status", Doc: doc, Enum: statuses, set: func(q *Query, value string) { q.Status = value }}
}

func searchParameter(doc string) Parameter {
	return Parameter{
		Name:     "search",
		Doc:      doc,
		MaxBytes: maxSearch,
		set:      func(q *Query, value string) { q.Search = value },
	}
}

// searchByParameter has a single value, which the query need not tell on.
func searchByParameter(column string) Parameter {
	return Parameter{
		Name:    "search_by",
		Doc:     "What is searched.",
		Default: column,
		Enum:    []string{column},
		set:     func(*Query, string) {},
	}
}

// sortByParameter has the first column as its default.
func sortByParameter(columns []Sort) Parameter {
	p := Parameter{
		Name:    "sort_by",
		Doc:     "What the list is ordered by; ties are ordered by id, in the same direction.",
		Default: string(columns[0]),
		set:     func(q *Query, value string) { q.SortBy = Sort(value) },
	}
	for _, column := range columns {
		p.Enum = append(p.Enum, string(column))
	}
	return p
}

// reportSortParameter says also where reports without a score come.
func reportSortParameter() Parameter {
	p := sortByParameter(ReportSorts)
	p.Doc += " By score, reports without one come last in both directions."
	return p
}

var sortParameter = Parameter{
	Name:    "sort",
	Doc:     "The direction of the order.",
	Default: descending,
	Enum:    []string{descending, ascending},
	set:     func(q *Query, value string) { q.Ascending = value == ascending },
}

const descending, ascending = "desc", "asc"

var perPageParameter = Parameter{
	Name:    "per_page",
	Doc:     "How many rows a page has.",
	Default: "10",
	Enum:    []string{"10", "25", "50", "100"},
	Integer: true,
	set:     func(q *Query, value string) { q.PerPage, _ = strconv.Atoi(value) },
}

var pageParameter = Parameter{
	Name:    "page",
	Doc:     "Which page of the list; a page past the end is empty.",
	Default: "1",
	Integer: true,
	Minimum: 1,
	Maximum: maxPage,
	set:     func(q *Query, value string) { q.Page, _ = strconv.Atoi(value) },
}

// Values returns the values that a parameter of the table may have; nil where others are possible.
func Values(table []Parameter, name string) []string {
	for _, p := range table {
		if p.Name == name {
			return p.Enum
		}
	}
	return nil
}

// wrong says what a value would have to be, or "" when it fits.
func (p Parameter) wrong(value string) string {
	switch {
	case p.Enum != nil && !slices.Contains(p.Enum, value):
		return "must be " + alternatives(p.Enum)
	case p.Enum == nil && p.Integer && !wholeNumber(value, p.Minimum, p.Maximum):
		return fmt.Sprintf("must be a whole number from %d to %d", p.Minimum, p.Maximum)
	case p.Time && !isTime(value):
		return "must be a time such as 2027-01-31T09:30:00Z, or a day such as 2027-01-31"
	case p.MaxBytes > 0 && len(value) > p.MaxBytes:
		return fmt.Sprintf("must be at most %d bytes long, and is %d", p.MaxBytes, len(value))
	}
	return ""
}

// ParseTime returns the moment that a value names, as its beginning and its end: they differ for a day. Both are zero for what is neither.
func ParseTime(value string) (begin, end time.Time) {
	if moment, err := time.Parse(time.RFC3339, value); err == nil {
		return moment.UTC(), moment.UTC()
	}
	if day, err := time.Parse(time.DateOnly, value); err == nil {
		return day, day.AddDate(0, 0, 1)
	}
	return time.Time{}, time.Time{}
}

// isTime reports whether a value names a moment after that which stands for none.
func isTime(value string) bool {
	begin, _ := ParseTime(value)
	return !begin.IsZero()
}

// wholeNumber reports whether value is a number from least to most, written with nothing but digits.
func wholeNumber(value string, least, most int) bool {
	if strings.Trim(value, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(value)
	return err == nil && n >= least && n <= most
}

// alternatives returns "a", "a or b", "a, b or c".
func alternatives(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return values[0]
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
