package sortfilter

import "testing"

func TestPages(t *testing.T) {
	tests := []struct {
		name                 string
		page, perPage, total int
		want                 Pages
	}{
		{"empty list", 1, 10, 0, Pages{Current: 1, PerPage: 10, Total: 0, Last: 1}},
		{"only page", 1, 10, 7, Pages{Current: 1, PerPage: 10, Total: 7, Last: 1, From: 1, To: 7}},
		{"full page", 1, 10, 10, Pages{Current: 1, PerPage: 10, Total: 10, Last: 1, From: 1, To: 10}},
		{"one more", 1, 10, 11, Pages{Current: 1, PerPage: 10, Total: 11, Last: 2, From: 1, To: 10}},
		{"last page", 7, 10, 64, Pages{Current: 7, PerPage: 10, Total: 64, Last: 7, From: 61, To: 64}},
		{"past the end", 8, 10, 64, Pages{Current: 8, PerPage: 10, Total: 64, Last: 7}},
		{"far past the end", maxPage, 100, 64, Pages{Current: maxPage, PerPage: 100, Total: 64, Last: 1}},
		{"past the end of an empty list", 3, 25, 0, Pages{Current: 3, PerPage: 25, Total: 0, Last: 1}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := (Query{Page: test.page, PerPage: test.perPage}).Pages(test.total); got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	tests := []struct {
		name  string
		raw   string
		total int
		want  Links
	}{
		{"empty list", "", 0, Links{First: "page=1", Last: "page=1"}},
		{"first page", "", 64, Links{First: "page=1", Last: "page=7", Next: "page=2"}},
		{"in the middle", "page=3", 64, Links{First: "page=1", Last: "page=7", Prev: "page=2", Next: "page=4"}},
		{"last page", "page=7", 64, Links{First: "page=1", Last: "page=7", Prev: "page=6"}},
		{"one past the end", "page=8", 64, Links{First: "page=1", Last: "page=7", Prev: "page=7"}},
		{"far past the end", "page=9000", 64, Links{First: "page=1", Last: "page=7", Prev: "page=7"}},
		{"past the end of an empty list", "page=2", 0, Links{First: "page=1", Last: "page=1", Prev: "page=1"}},
		{"page in its place, others kept", "utm=x&per_page=25&page=2&sort=asc", 64, Links{
			First: "utm=x&per_page=25&page=1&sort=asc",
			Last:  "utm=x&per_page=25&page=3&sort=asc",
			Prev:  "utm=x&per_page=25&page=1&sort=asc",
			Next:  "utm=x&per_page=25&page=3&sort=asc",
		}},
		{"page first", "page=1&sort=asc", 11, Links{First: "page=1&sort=asc", Last: "page=2&sort=asc", Next: "page=2&sort=asc"}},
		{"page added at the end", "sort=asc", 11, Links{First: "sort=asc&page=1", Last: "sort=asc&page=2", Next: "sort=asc&page=2"}},
		{"nothing that a header or a page would take for its own", `search=<a>"%0D%0A,;`, 0, Links{
			First: "search=%3Ca%3E%22%0D%0A%2C%3B&page=1",
			Last:  "search=%3Ca%3E%22%0D%0A%2C%3B&page=1",
		}},
		{"empty values and names stay", "search=&flag&=v", 0, Links{
			First: "search=&flag=&=v&page=1",
			Last:  "search=&flag=&=v&page=1",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q, err := ParseReports(test.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got := q.Pages(test.total).Links(test.raw); got != test.want {
				t.Errorf("got  %+v\nwant %+v", got, test.want)
			}
		})
	}
}
