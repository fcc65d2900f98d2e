package sortfilter

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	reports := func(change func(*Query)) Query {
		q := Query{SortBy: ByID, PerPage: 10, Page: 1}
		change(&q)
		return q
	}
	projects := func(change func(*Query)) Query {
		q := Query{SortBy: ByCreated, PerPage: 10, Page: 1}
		change(&q)
		return q
	}
	day := time.Date(2027, time.January, 31, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name  string
		parse func(string) (Query, error)
		raw   string
		want  Query
	}{
		{"report defaults", ParseReports, "", reports(func(q *Query) {})},
		{"project defaults", ParseProjects, "", projects(func(q *Query) {})},
		{"all of reports", ParseReports,
			"search=a+b%26&search_by=url&sort_by=generated_at&sort=asc&per_page=25&page=3&project=Shop&result=decent",
			Query{Search: "a b&", SortBy: ByGenerated, Ascending: true, PerPage: 25, Page: 3, Project: "Shop", Result: "decent"}},
		{"where reports stand", ParseReports, "status=failed&privacy=2&since=2027-01-31&until=2027-01-31&sort_by=score",
			Query{SortBy: ByScore, PerPage: 10, Page: 1, Status: "failed", Privacy: "2", Since: day, Until: day.AddDate(0, 0, 1)}},
		{"moments", ParseReports, "since=2027-01-31T01:00:00%2B01:00&until=2027-02-01T00:00:00Z", reports(func(q *Query) { q.Since, q.Until = day, day.AddDate(0, 0, 1) })},
		{"all of projects", ParseProjects, "search=x&search_by=project&sort_by=project&sort=desc&per_page=100&page=2",
			Query{Search: "x", SortBy: ByProject, PerPage: 100, Page: 2}},
		{"empty values", ParseReports, "search=&search_by=&sort_by&sort=&per_page=&page=&project=&result=", reports(func(q *Query) {})},
		{"unknown parameters", ParseReports, "utm_source=x&&sortby=url&page=2&", reports(func(q *Query) { q.Page = 2 })},
		{"filters of reports mean nothing to projects", ParseProjects, "result=perfect&project=x", projects(func(q *Query) {})},
		{"escaped name", ParseReports, "p%61ge=7", reports(func(q *Query) { q.Page = 7 })},
		{"semicolon separates nothing", ParseReports, "search=a;b", reports(func(q *Query) { q.Search = "a;b" })},
		{"equals sign in a value", ParseReports, "search=a=b", reports(func(q *Query) { q.Search = "a=b" })},
		{"other scripts", ParseReports, "search=%C3%BC", reports(func(q *Query) { q.Search = "ü" })},
		{"leading zeros", ParseReports, "page=007", reports(func(q *Query) { q.Page = 7 })},
		{"longest search", ParseReports, "search=" + strings.Repeat("a", 2048),
			reports(func(q *Query) { q.Search = strings.Repeat("a", 2048) })},
		{"last page of all", ParseReports, fmt.Sprintf("per_page=100&page=%d", maxPage),
			reports(func(q *Query) { q.Page, q.PerPage = maxPage, 100 })},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := test.parse(test.raw)
			if err != nil || got != test.want {
				t.Errorf("got %+v, %v; want %+v", got, err, test.want)
			}
		})
	}
}

func TestParseInvalid(t *testing.T) {
	tests := []struct {
		raw   string
		wrong map[string]string // parameter -> part of the detail
	}{
		{"page=0", map[string]string{"page": "from 1 to"}},
		{"page=-1", map[string]string{"page": "whole number"}},
		{"page=%2B1", map[string]string{"page": "whole number"}},
		{"page=1.5", map[string]string{"page": "whole number"}},
		{"page=+1", map[string]string{"page": "whole number"}},
		{"page=%D9%A1", map[string]string{"page": "whole number"}}, // an Arabic digit
		{"page=99999999999999999999", map[string]string{"page": "whole number"}},
		{fmt.Sprint("page=", math.MaxInt), map[string]string{"page": "whole number"}},
		{"per_page=20", map[string]string{"per_page": "10, 25, 50 or 100"}},
		{"per_page=010", map[string]string{"per_page": "10, 25, 50 or 100"}},
		{"sort=ASC", map[string]string{"sort": "desc or asc"}},
		{"sort_by=name", map[string]string{"sort_by": "id, generated_at, url, result or score"}},
		{"search_by=project", map[string]string{"search_by": "must be url"}},
		{"since=yesterday&until=2027-02-30&status=good&privacy=3", map[string]string{"since": "a day such as", "until": "a day such as", "status": "queued", "privacy": "0, 1 or 2"}},
		{"since=0001-01-01", map[string]string{"since": "a day such as"}},
		{"result=great", map[string]string{"result": "good, decent or bad"}},
		{"search=" + strings.Repeat("%C3%BC", 1025), map[string]string{"search": "at most 2048 bytes long, and is 2050"}},
		{"result=x&sort=y&page=z&search=fine", map[string]string{"result": "good", "sort": "desc", "page": "whole"}},
	}
	for _, test := range tests {
		t.Run(test.raw[:min(len(test.raw), 40)], func(t *testing.T) {
			_, err := ParseReports(test.raw)
			var invalid *InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("got %v, want an InvalidError", err)
			}
			if len(invalid.Fields) != len(test.wrong) {
				t.Errorf("got %v, want %d parameters", invalid, len(test.wrong))
			}
			for _, f := range invalid.Fields {
				if part, ok := test.wrong[f.Field]; !ok || !strings.Contains(f.Detail, part) {
					t.Errorf("%s: %s", f.Field, f.Detail)
				}
			}
		})
	}
}

func TestParseMalformed(t *testing.T) {
	tests := []struct{ raw, parameter, detail string }{
		{"page=1&page=2", "page", "more than once"},
		{"page=1&p%61ge=1", "page", "more than once"},
		{"sort=&sort=asc", "sort", "more than once"},
		{"unknown=1&unknown=1", "unknown", "more than once"},
		{"search=%", "search", "hexadecimal"},
		{"search=50%25+%zz", "search", "hexadecimal"},
		{"%zz=1", "%zz", "hexadecimal"},
		{"unknown=%f", "unknown", "hexadecimal"},
		{"search=%FF", "search", "UTF-8"},
		{"search=%ED%A0%80", "search", "UTF-8"}, // half a surrogate pair
		{"%FF=1", "%FF", "UTF-8"},
		{"page=0&search=%FF", "search", "UTF-8"}, // what cannot be read is said first
	}
	for _, test := range tests {
		t.Run(test.raw, func(t *testing.T) {
			for _, parse := range []func(string) (Query, error){ParseReports, ParseProjects} {
				_, err := parse(test.raw)
				var malformed *MalformedError
				if !errors.As(err, &malformed) {
					t.Fatalf("got %v, want a MalformedError", err)
				}
				if malformed.Parameter != test.parameter || !strings.Contains(malformed.Detail, test.detail) {
					t.Errorf("got %v, want %s: ...%s...", malformed, test.parameter, test.detail)
				}
			}
		})
	}
}

func TestInvalidErrorKeepsTheOrderOfTheTable(t *testing.T) {
	_, err := ParseReports("page=0&sort=x&result=y")
	const want = "result: must be good, decent or bad; sort: must be desc or asc; page: must be a whole number"
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s...", err, want)
	}
}

// What the table says of a parameter is what parsing does with it.
func TestParametersDescribeParsing(t *testing.T) {
	for list, table := range map[string][]Parameter{"reports": ReportParameters, "projects": ProjectParameters} {
		var names []string
		for _, p := range table {
			names = append(names, p.Name)
			if p.Doc == "" {
				t.Errorf("%s: %s has no description", list, p.Name)
			}
			checkParameter(t, p, table)
		}
		slices.Sort(names)
		if len(slices.Compact(names)) != len(table) {
			t.Errorf("%s: a parameter stands twice in %v", list, names)
		}
	}
}

func checkParameter(t *testing.T, p Parameter, table []Parameter) {
	t.Helper()
	query := func(value string) string { return p.Name + "=" + url.QueryEscape(value) }
	without, _ := parse("", table)
	if withDefault, err := parse(query(p.Default), table); err != nil || withDefault != without {
		t.Errorf("%s: the default gives %+v, %v", p.Name, withDefault, err)
	}
	seen := map[Query]bool{}
	for _, value := range p.Enum {
		q, err := parse(query(value), table)
		if err != nil || seen[q] {
			t.Errorf("%s=%s gives %+v, %v", p.Name, value, q, err)
		}
		seen[q] = true
	}
	if _, err := parse(query("no such value"), table); (p.Enum != nil || p.Integer || p.Time) != (err != nil) {
		t.Errorf("%s takes any value: %v", p.Name, err)
	}
	if p.Integer && p.Enum == nil {
		for _, n := range []int{p.Minimum, p.Maximum} {
			if _, err := parse(query(fmt.Sprint(n)), table); err != nil {
				t.Errorf("%s=%d: %v", p.Name, n, err)
			}
		}
	}
}

// A query that parses means the same when it is written anew, as a link does; page is replaced.
func FuzzParse(f *testing.F) {
	for _, raw := range []string{
		"", "page=2", "search=a+b%26&search_by=url&sort_by=url&sort=asc&per_page=25&page=3&project=Shop&result=bad&x=%C3%BC",
		"a=1&page=9&b=<>&&c", "page=1&page=2", "search=%", "search=%FF", "page=0;page=1", "per_page=100&page=9007199254740991",
	} {
		f.Add(raw, 64)
	}
	f.Fuzz(func(t *testing.T, raw string, total int) {
		q, err := ParseReports(raw)
		if err != nil {
			var malformed *MalformedError
			var invalid *InvalidError
			if q != (Query{}) || !errors.As(err, &malformed) && !errors.As(err, &invalid) {
				t.Fatalf("%+v, %v", q, err)
			}
			return
		}
		pages := q.Pages(max(0, total))
		links := pages.Links(raw)
		for link, page := range map[string]int{links.First: 1, links.Last: pages.Last, links.Prev: min(q.Page-1, pages.Last), links.Next: q.Page + 1} {
			if link == "" {
				continue
			}
			again, err := ParseReports(link)
			want := q
			want.Page = page
			if err != nil || again != want {
				t.Fatalf("%q: the link %q means %+v, %v; want %+v", raw, link, again, err, want)
			}
			if before, after := withoutPage(t, raw), withoutPage(t, link); !reflect.DeepEqual(before, after) {
				t.Fatalf("%q: the link %q has other parameters", raw, link)
			}
		}
	})
}

// withoutPage returns the decoded parameters but page, in their order.
func withoutPage(t *testing.T, raw string) []string {
	var all []string
	for piece := range pieces(raw) {
		name, value, err := decodePiece(piece)
		if err != nil {
			t.Fatal(err)
		}
		if name != "page" {
			all = append(all, name, value)
		}
	}
	return all
}
