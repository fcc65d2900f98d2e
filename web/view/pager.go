package view

import "sitegrade/sortfilter"

// Pager leads through the pages of a list.
type Pager struct {
	sortfilter.Pages
	Links sortfilter.Links // whole addresses
	Noun  string           // what the rows are
}

// NewPager returns what leads through the pages of a list at a path, which has so many rows in all and was asked for with a query.
func NewPager(path, noun string, q sortfilter.Query, total int, rawQuery string) Pager {
	pages := q.Pages(total)
	links := pages.Links(rawQuery)
	for _, link := range []*string{&links.First, &links.Last, &links.Prev, &links.Next} {
		if *link != "" {
			*link = path + "?" + *link
		}
	}
	return Pager{pages, links, noun}
}
