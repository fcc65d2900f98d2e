// Package sortfilter is the list query: it parses, validates and describes search, filter, sort and page.
//
// The parameters of a list stand in one table (ReportParameters, ProjectParameters). Parsing works from it, and so does
// whatever describes the API to people or programs, so that the two cannot differ.
package sortfilter

import "time"

// Sort names the column that a list is ordered by.
type Sort string

// The columns.
const (
	ByID        Sort = "id"
	ByGenerated Sort = "generated_at"
	ByURL       Sort = "url"
	ByResult    Sort = "result"
	ByCreated   Sort = "created_at"
	ByProject   Sort = "project"
	ByScore     Sort = "score"
)

// ReportSorts and ProjectSorts are the columns that the two lists can be ordered by, the default first. Other lists are ordered by creation.
var (
	ReportSorts  = append(IndexedSorts[:len(IndexedSorts):len(IndexedSorts)], ByScore)
	ProjectSorts = []Sort{ByCreated, ByProject}
	recordSorts  = []Sort{ByCreated}
)

// IndexedSorts are those of ReportSorts in which a store finds any page without looking at every report.
var IndexedSorts = []Sort{ByID, ByGenerated, ByURL, ByResult}

// Query is what a list is asked for. Ties are ordered by id in the same direction.
type Query struct {
	Search    string // a substring, without regard to case (compare by Fold); "" for none
	SortBy    Sort
	Ascending bool
	PerPage   int // 10, 25, 50 or 100
	Page      int // from 1; Page*PerPage does not overflow

	// Filters, for reports only.
	Project string // id or name; "" for all
	Result  string // good, decent, bad; "" for all

	Privacy string    // 0, 1 or 2; "" for all
	Since   time.Time // generated then or later; zero for all
	Until   time.Time // generated before; zero for all

	// From and To are the generations that a diff is of; 0 for those that it chooses.
	From, To int

	// Status is a filter of lists whose rows have one; "" for all.
	Status string

	// Filters, for the addresses of a crawl only.
	HTTPStatus int   // 0 for all
	Indexable  *bool // nil for all
}

// Offset returns how many rows come before the page.
func (q Query) Offset() int { return (q.Page - 1) * q.PerPage }

// Direction returns the direction of the order as the parameter sort spells it.
func (q Query) Direction() string {
	if q.Ascending {
		return ascending
	}
	return descending
}
