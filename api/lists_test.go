package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// list is the envelope of a list.
type list struct {
	Data  []record
	Links struct{ First, Last, Prev, Next *string }
	Meta  struct {
		CurrentPage int  `json:"current_page"`
		From        *int `json:"from"`
		To          *int `json:"to"`
		LastPage    int  `json:"last_page"`
		PerPage     int  `json:"per_page"`
		Total       int  `json:"total"`
		Path        string
	}
}

func (s *server) list(path string) (list, http.Header) {
	s.Helper()
	r := s.get(http.StatusOK, path)
	var l list
	s.decode(r, &l)
	return l, r.Header
}

// fill makes reports of pages /1 to /n without waiting for them.
func (s *server) fill(n int) {
	s.Helper()
	for i := 1; i <= n; i++ {
		s.must(http.StatusAccepted, call{
			method: "POST", path: "/reports", form: form("url", fmt.Sprintf("%s/%d", s.site.URL, i), "project", fmt.Sprintf("p%d", i%3)),
			header: http.Header{"Prefer": {"respond-async"}},
		})
	}
}

func TestEnvelope(t *testing.T) {
	s := newServer(t, Options{})
	s.fill(23)
	path := s.HTTP.URL + Base + "/reports"
	tests := []struct {
		query                   string
		current, from, to, rows int
		prev, next              string
	}{
		{"", 1, 1, 10, 10, "", "?page=2"},
		{"?page=2", 2, 11, 20, 10, "?page=1", "?page=3"},
		{"?page=3", 3, 21, 23, 3, "?page=2", ""},
		{"?page=4", 4, 0, 0, 0, "?page=3", ""},
		{"?page=99", 99, 0, 0, 0, "?page=3", ""},
		{"?page=&per_page=", 1, 1, 10, 10, "", "?page=2&per_page="},
	}
	for _, test := range tests {
		l, header := s.list("/reports" + test.query)
		m := l.Meta
		if m.CurrentPage != test.current || m.LastPage != 3 || m.PerPage != 10 || m.Total != 23 || m.Path != path || len(l.Data) != test.rows {
			t.Errorf("%q: %+v with %d rows", test.query, m, len(l.Data))
		}
		if optional(m.From) != test.from || optional(m.To) != test.to {
			t.Errorf("%q: rows %d to %d", test.query, optional(m.From), optional(m.To))
		}
		want := map[string]string{"prev": test.prev, "next": test.next}
		for name, link := range map[string]*string{"first": l.Links.First, "last": l.Links.Last, "prev": l.Links.Prev, "next": l.Links.Next} {
			shown := ""
			if link != nil {
				shown = strings.TrimPrefix(*link, path)
			}
			if expected, known := want[name]; known && shown != expected || !known && shown == "" {
				t.Errorf("%q: the link %s is %q", test.query, name, shown)
			}
			if inHeader := strings.Contains(header.Get("Link"), "<"+path+shown+`>; rel="`+name+`"`); inHeader != (shown != "") {
				t.Errorf("%q: the header of the link %s, %q, is %s", test.query, name, shown, header.Get("Link"))
			}
		}
	}
}

func optional(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

func TestLinksKeepTheOtherParameters(t *testing.T) {
	s := newServer(t, Options{})
	s.fill(12)
	l, _ := s.list("/reports?search=%2F&unknown=a%26b%20c&sort=asc&page=1&per_page=10")
	want := s.HTTP.URL + Base + "/reports?search=%2F&unknown=a%26b+c&sort=asc&page=2&per_page=10"
	if l.Links.Next == nil || *l.Links.Next != want {
		t.Errorf("next is %v, not %s", l.Links.Next, want)
	}
	second, _ := s.list(strings.TrimPrefix(*l.Links.Next, s.HTTP.URL+Base))
	if len(second.Data) != 2 || second.Meta.CurrentPage != 2 {
		t.Errorf("the next page is %+v", second.Meta)
	}
}

func TestEmptyLists(t *testing.T) {
	s := newServer(t, Options{})
	for _, path := range []string{"/reports", "/projects", "/reports?project=nobody", "/reports?search=x&result=good"} {
		l, _ := s.list(path)
		if l.Data == nil || len(l.Data) != 0 || l.Meta.LastPage != 1 || l.Meta.Total != 0 || l.Meta.From != nil || l.Meta.To != nil {
			t.Errorf("%s: %+v", path, l)
		}
	}
}

// TestListsAreOrderedAndFiltered looks at each parameter once; sortfilter and db hold the rest.
func TestListsAreOrderedAndFiltered(t *testing.T) {
	s := newServer(t, Options{})
	for _, name := range []string{"b", "A", "c"} {
		s.post(http.StatusCreated, "url", s.site.URL+"/"+name, "project", "of "+name)
	}
	s.post(http.StatusCreated, "url", s.site.URL+"/image", "project", "of A")
	tests := []struct{ path, want string }{
		{"/reports", "image c A b"},
		{"/reports?sort=asc", "b A c image"},
		{"/reports?sort_by=url&sort=asc", "A b c image"},
		{"/reports?sort_by=generated_at", "c A b image"},
		{"/reports?sort_by=result&sort=asc", "image b A c"},
		{"/reports?project=OF%20a", "image A"},
		{"/reports?search=/IM", "image"},
		{"/reports?search=/c&search_by=url", "c"},
		{"/projects", "of c|of A|of b"},
		{"/projects?sort_by=project&sort=asc", "of A|of b|of c"},
		{"/projects?search=F%20B&search_by=project", "of b"},
	}
	for _, test := range tests {
		l, _ := s.list(test.path)
		var names []string
		separator := " "
		for _, row := range l.Data {
			if row.URL == "" {
				separator = "|"
				names = append(names, row.Name)
				continue
			}
			names = append(names, row.URL[strings.LastIndex(row.URL, "/")+1:])
		}
		if got := strings.Join(names, separator); got != test.want {
			t.Errorf("%s gives %q, not %q", test.path, got, test.want)
		}
	}
	one, _ := s.list("/reports?per_page=25&project=" + s.projectID("of c"))
	if len(one.Data) != 1 || one.Meta.PerPage != 25 {
		t.Errorf("by the project's id: %+v", one)
	}
}

func (s *server) projectID(name string) string {
	s.Helper()
	return s.record(s.get(http.StatusOK, "/projects/"+strings.ReplaceAll(name, " ", "%20"))).ID
}

func TestQueriesThatAreWrong(t *testing.T) {
	s := newServer(t, Options{})
	for _, path := range []string{"/reports", "/projects"} {
		for query, wrong := range map[string]string{
			"sort=up":                             "sort",
			"sort_by=size":                        "sort_by",
			"per_page=11":                         "per_page",
			"per_page=-1&page=0":                  "per_page page",
			"page=x":                              "page",
			"page=99999999999999999999999999999":  "page",
			"search_by=title":                     "search_by",
			"search=" + strings.Repeat("x", 2049): "search",
		} {
			got := s.refused(http.StatusUnprocessableEntity, "invalid", call{path: path + "?" + query})
			if got != wrong {
				t.Errorf("%s?%s: wrong are %q", path, query, got)
			}
		}
		for _, query := range []string{"page=1&page=2", "search=%", "search=%zz", "x=%", "search=%FF", "x=1&x=1"} {
			s.refused(http.StatusBadRequest, "malformed", call{path: path + "?" + query})
		}
		s.get(http.StatusOK, path+"?unknown=1&sort=&sort_by=&per_page=&page=&search=&search_by=")
	}
	if got := s.refused(http.StatusUnprocessableEntity, "invalid", call{path: "/reports?result=great"}); got != "result" {
		t.Errorf("wrong are %q", got)
	}
	s.get(http.StatusOK, "/projects?result=great")
}

// TestLongLinksAreInTheBodyAlone asks with a query that would make a header too large for proxies.
func TestLongLinksAreInTheBodyAlone(t *testing.T) {
	s := newServer(t, Options{})
	for length, inHeader := range map[int]bool{100: true, 3000: false} {
		query := "?other=" + strings.Repeat("x", length)
		answered := s.must(http.StatusOK, call{path: "/reports" + query})
		if header := answered.Header.Get("Link"); (header != "") != inHeader || strings.Count(string(answered.Body), query[1:]) < 2 {
			t.Errorf("%d bytes: the header is %q, the body %.200s", length, header, answered.Body)
		}
	}
}
