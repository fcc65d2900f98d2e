package main

import (
	"fmt"
	"math/rand/v2"

	"sitegrade/sortfilter"
)

// kind is one kind of list that clients ask for.
type kind struct {
	name     string
	projects bool // a list of projects, not of reports
	query    sortfilter.Query
	search   bool // searches
	deep     bool // not a first page
}

// mix returns all kinds of list for a data set. Data sets of any size have the same kinds, in the same order.
func mix(set *dataset) []kind {
	kinds := pages(set)
	kinds = append(kinds, sorts(set)...)
	kinds = append(kinds, searches(set)...)
	return append(kinds, projectLists(set)...)
}

// newest is the query that a list without parameters stands for.
func newest() sortfilter.Query {
	return sortfilter.Query{SortBy: sortfilter.ByID, PerPage: 10, Page: 1}
}

func lastPage(rows, perPage int) int { return max(1, (rows+perPage-1)/perPage) }

// pages are lists at other places than their beginning, and with other lengths.
func pages(set *dataset) []kind {
	last := lastPage(set.reports, 10)
	at := func(name string, page int, change func(*sortfilter.Query)) kind {
		q := newest()
		q.Page = page
		if change != nil {
			change(&q)
		}
		return kind{name: name, query: q, deep: page > 1}
	}
	topPages := lastPage(set.top().reports, 10)
	return []kind{
		at("page of 100", 1, func(q *sortfilter.Query) { q.PerPage = 100 }),
		at("page 500", min(500, last), nil),
		at("middle page", last/2, nil),
		at("last page", last, nil),
		at("middle page by url", last/2, func(q *sortfilter.Query) { q.SortBy, q.Ascending = sortfilter.ByURL, true }),
		at("middle page by generated_at", last/2, func(q *sortfilter.Query) { q.SortBy = sortfilter.ByGenerated }),
		at("middle page by result", last/2, func(q *sortfilter.Query) { q.SortBy = sortfilter.ByResult }),
		at("middle page of top project", topPages/2, func(q *sortfilter.Query) { q.Project = set.top().name }),
		at("middle page of good", last/4, func(q *sortfilter.Query) { q.Result = "good" }),
	}
}

// sorts are first pages in every order, with and without filters. "id desc" is the newest page.
func sorts(set *dataset) []kind {
	filters := []struct{ name, project, result string }{
		{"", "", ""},
		{", top project", set.top().name, ""},
		{", median project", set.median().name, ""},
		{", good", "", "good"},
		{", bad", "", "bad"},
		{", top project, decent", set.top().name, "decent"},
	}
	var kinds []kind
	for _, filter := range filters {
		for _, column := range sortfilter.IndexedSorts {
			for _, ascending := range []bool{false, true} {
				q := newest()
				q.SortBy, q.Ascending, q.Project, q.Result = column, ascending, filter.project, filter.result
				kinds = append(kinds, kind{name: fmt.Sprintf("%s %s%s", column, direction(ascending), filter.name), query: q})
			}
		}
	}
	return kinds
}

func direction(ascending bool) string {
	if ascending {
		return "asc"
	}
	return "desc"
}

// searches look for parts of addresses.
func searches(set *dataset) []kind {
	search := func(name, needle string, change func(*sortfilter.Query)) kind {
		q := newest()
		q.Search = needle
		if change != nil {
			change(&q)
		}
		return kind{name: "search " + name, query: q, search: true, deep: q.Page > 1}
	}
	top := set.top().name
	frequentPages, commonPages := lastPage(set.reports*80/100, 10), lastPage(set.reports*15/100, 10)
	return []kind{
		search("rare", rareNeedle, nil),
		search("missing", missingNeedle, nil),
		search("common", commonNeedle, nil),
		search("host prefix", "//"+set.ranked[len(set.ranked)/10].name[:7], nil),
		search("2 characters", shortNeedle, nil),
		search("common, in capitals", "BLOG", nil),
		search("common, page 500", commonNeedle, func(q *sortfilter.Query) { q.Page = min(500, lastPage(set.reports*14/100, 10)) }),
		search("common by url", commonNeedle, func(q *sortfilter.Query) { q.SortBy, q.Ascending = sortfilter.ByURL, true }),
		search("rare by generated_at", rareNeedle, func(q *sortfilter.Query) { q.SortBy = sortfilter.ByGenerated }),
		search("common, top project", commonNeedle, func(q *sortfilter.Query) { q.Project = top }),
		search("rare, top project", rareNeedle, func(q *sortfilter.Query) { q.Project = top }),
		search("common, median project", commonNeedle, func(q *sortfilter.Query) { q.Project = set.median().name }),
		search("common, good", commonNeedle, func(q *sortfilter.Query) { q.Result = "good" }),
		search("rare, good", rareNeedle, func(q *sortfilter.Query) { q.Result = "good" }),
		search("common, top project, bad", commonNeedle, func(q *sortfilter.Query) { q.Project, q.Result = top, "bad" }),
		search("missing, of common letters", likelyNeedle, nil),
		search("frequent, middle page", frequentNeedle, func(q *sortfilter.Query) { q.Page = frequentPages / 2 }),
		search("frequent, middle page by url", frequentNeedle, func(q *sortfilter.Query) { q.Page, q.SortBy = frequentPages/2, sortfilter.ByURL }),
		search("frequent, middle page by generated_at", frequentNeedle, func(q *sortfilter.Query) { q.Page, q.SortBy = frequentPages/2, sortfilter.ByGenerated }),
		search("frequent, middle page by result", frequentNeedle, func(q *sortfilter.Query) { q.Page, q.SortBy = frequentPages/2, sortfilter.ByResult }),
		search("frequent, middle page of good", frequentNeedle, func(q *sortfilter.Query) { q.Page, q.Result = frequentPages/4, "good" }),
		search("frequent, middle page of top project", frequentNeedle, func(q *sortfilter.Query) { q.Page, q.Project = lastPage(set.top().reports, 10)*4/10, top }),
		search("common, middle page by url", commonNeedle, func(q *sortfilter.Query) { q.Page, q.SortBy = commonPages/2, sortfilter.ByURL }),
		search("common, middle page by generated_at", commonNeedle, func(q *sortfilter.Query) { q.Page, q.SortBy = commonPages/2, sortfilter.ByGenerated }),
	}
}

// randomLists are lists of reports with anything that a client may ask for, the same in every run.
func randomLists(set *dataset, n int) []kind {
	pick := rand.New(rand.NewPCG(uint64(set.reports), 1))
	columns := sortfilter.IndexedSorts
	kinds := make([]kind, n)
	for i := range kinds {
		q := newest()
		q.SortBy, q.Ascending = columns[pick.IntN(len(columns))], pick.IntN(2) == 0
		q.PerPage = []int{10, 25, 50, 100}[pick.IntN(4)]
		q.Page = 1 + pick.IntN(1+pick.IntN(lastPage(set.reports, q.PerPage)))
		q.Result = []string{"", "", "good", "decent", "bad"}[pick.IntN(5)]
		if pick.IntN(2) == 0 {
			q.Project = set.ranked[pick.IntN(len(set.ranked))].name
		}
		if pick.IntN(2) == 0 {
			name := set.ranked[pick.IntN(len(set.ranked))].name
			start := pick.IntN(len(name) - 1)
			q.Search, q.Page = name[start:start+1+pick.IntN(len(name)-start)], 1+pick.IntN(3)
		}
		kinds[i] = kind{name: fmt.Sprintf("random list %d", i), query: q, search: q.Search != "", deep: q.Page > 1}
	}
	return kinds
}

// projectLists are lists of projects, with their counts of reports.
func projectLists(set *dataset) []kind {
	list := func(name string, column sortfilter.Sort, ascending bool, search string) kind {
		return kind{
			name: "projects " + name, projects: true, search: search != "",
			query: sortfilter.Query{SortBy: column, Ascending: ascending, Search: search, PerPage: 10, Page: 1},
		}
	}
	middle := list("middle page", sortfilter.ByCreated, false, "")
	middle.query.Page, middle.deep = max(1, lastPage(len(set.ranked), 10)/2), true
	return []kind{
		list("by date desc", sortfilter.ByCreated, false, ""),
		list("by date asc", sortfilter.ByCreated, true, ""),
		list("by name desc", sortfilter.ByProject, false, ""),
		list("by name asc", sortfilter.ByProject, true, ""),
		middle,
		list("search common", sortfilter.ByProject, true, ".com"),
		list("search one", sortfilter.ByCreated, false, set.median().name),
		list("search missing", sortfilter.ByCreated, false, missingNeedle),
	}
}
