package audit

import (
	"slices"
	"strings"
	"testing"
)

func TestCompareAll(t *testing.T) {
	page := func(url, final string, p Page) *Report { return &Report{URL: url, FinalURL: final, Page: p} }
	shop := Page{Title: "Shop", Description: "All that we sell.", ContentHash: "1"}
	reports := []*Report{
		page("http://a.example/", "http://a.example/", shop),
		page("http://a.example/old", "http://a.example/", shop), // redirected to the first
		page("http://a.example/copy", "http://a.example/copy", shop),
		page("http://a.example/about", "http://a.example/about", Page{Title: "About", Description: "All that we sell."}),
	}
	CompareAll(reports)
	tests := []struct {
		page, check int
		status      Status
		others      string
	}{
		{0, 0, Failed, "http://a.example/copy"},
		{1, 0, Failed, "http://a.example/copy"},
		{2, 0, Failed, "http://a.example/"},
		{3, 0, Passed, ""},
		{0, 1, Failed, "http://a.example/copy http://a.example/about"},
		{3, 1, Failed, "http://a.example/ http://a.example/copy"},
		{0, 2, NotApplicable, ""},
		{2, 3, Failed, "http://a.example/"},
		{3, 3, NotApplicable, ""},
	}
	for _, test := range tests {
		o := reports[test.page].Checks[test.check]
		var others []string
		for _, e := range o.Evidence {
			others = append(others, e.URL)
		}
		if o.ID != projectChecks[test.check].id || o.Status != test.status || strings.Join(others, " ") != test.others {
			t.Errorf("page %d: %s %s with %q, want %s with %q", test.page, o.ID, o.Status, others, test.status, test.others)
		}
	}
	if s := reports[0].Summary; s.Failed != 3 || s.NotApplicable != 1 {
		t.Errorf("the summary counts %+v", s)
	}
	if !slices.ContainsFunc(reports[0].Categories, func(c Category) bool { return c.ID == "project" && c.Failed == 3 }) {
		t.Errorf("the categories are %+v", reports[0].Categories)
	}
	alone := []*Report{page("http://a.example/", "http://a.example/", shop)}
	if CompareAll(alone); len(alone[0].Checks) != 0 {
		t.Errorf("a report alone was compared: %+v", alone[0].Checks)
	}
}

func TestCompareAllNamesAFewOfMany(t *testing.T) {
	var reports []*Report
	for i := range 3 * MaxEvidence {
		url := "http://a.example/" + strings.Repeat("x", i)
		reports = append(reports, &Report{URL: url, FinalURL: url, Page: Page{Title: "Shop"}})
	}
	CompareAll(reports)
	for _, r := range reports {
		if n := len(r.Checks[0].Evidence); n != MaxEvidence {
			t.Errorf("%s names %d others", r.URL, n)
		}
	}
}
