package sortfilter

import (
	"net/url"
	"strconv"
	"strings"
)

// Pages says where one page of a list lies among the others.
type Pages struct {
	Current int
	PerPage int
	Total   int // rows on all pages together
	Last    int // 1 for an empty list
	From    int // number of the page's first row, from 1; 0 when the page is empty
	To      int // number of its last row; 0 when the page is empty
}

// Pages returns where the query's page lies in a list of total rows.
func (q Query) Pages(total int) Pages {
	p := Pages{Current: q.Page, PerPage: q.PerPage, Total: total, Last: 1 + max(0, total-1)/q.PerPage}
	if before := q.Offset(); before < total {
		p.From, p.To = before+1, min(before+q.PerPage, total)
	}
	return p
}

// Links are the query strings, without question mark, of other pages of the same list. Prev and Next are "" where there is none.
// From a page past the end, Prev leads to the last page.
type Links struct{ First, Last, Prev, Next string }

// Links returns the links of a page that was asked for with rawQuery, which must have been parsed without error. All parameters but
// page keep their values and their order, those that mean nothing here too; every character is escaped that is not plain in a query.
func (p Pages) Links(rawQuery string) Links {
	before, after := aroundPage(rawQuery)
	to := func(page int) string { return before + "page=" + strconv.Itoa(page) + after }
	links := Links{First: to(1), Last: to(p.Last)}
	if p.Current > 1 {
		links.Prev = to(min(p.Current-1, p.Last))
	}
	if p.Current < p.Last {
		links.Next = to(p.Current + 1)
	}
	return links
}

// aroundPage returns the query before and after the place of page, which is the end when it is not given.
func aroundPage(rawQuery string) (before, after string) {
	var b strings.Builder
	place := -1
	for piece := range pieces(rawQuery) {
		name, value, err := decodePiece(piece)
		if err != nil {
			continue
		}
		if name == pageParameter.Name {
			place = b.Len()
			continue
		}
		b.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(value) + "&")
	}
	all := b.String()
	if place < 0 || place == len(all) {
		return all, ""
	}
	return all[:place], "&" + strings.TrimSuffix(all[place:], "&")
}
