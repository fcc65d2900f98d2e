package reports

import (
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/gate"
	"sitegrade/weburl"
)

// siteRun is of a crawl over four pages of which one is hostile, an address that is gone, one that redirects and one that gives no response. The
// baseline knows one of the two addresses that are broken.
func siteRun(t *testing.T) Run {
	t.Helper()
	const base = "http://example.com"
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	hostilePage := hostileRun().Pages[0].Report
	links := func(paths ...string) []crawl.Link {
		var all []crawl.Link
		for i, p := range paths {
			all = append(all, crawl.Link{Target: base + p, Text: hostilePage.Why[:150], Line: i + 1})
		}
		return all
	}
	visits := map[string]crawl.Visit{
		"/":           {Status: 200, IsPage: true, Score: 71, Title: "The start", Links: links("/shop/", "/shop/a", "/gone", "/moved", "/dead", "/hostile")},
		"/shop/":      {Status: 200, IsPage: true, Score: 71, Title: "The same title", Links: links("/", "/gone")},
		"/shop/a":     {Status: 200, IsPage: true, Score: 71, Title: "The same title", Noindex: true, Links: links("/")},
		"/hostile":    {Status: 200, IsPage: true, Score: 10, Title: hostilePage.Why, Description: hostilePage.Why},
		"/gone":       {Status: 404},
		"/moved":      {Status: 301, Redirect: base + "/shop/"},
		"/dead":       {Failure: "timeout"},
		"/robots.txt": {Status: 200, Robots: "User-agent: *\nDisallow: /x\n"},
	}
	site, err := NewSite(weburl.Restore(base+"/"), crawl.Links, now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = site.Close() })
	f := crawl.New(crawl.Options{}, site.URL)
	for !f.Finished() {
		next, _, ok := f.Next(now)
		if !ok {
			t.Fatal("the crawl does not go on")
		}
		v := visits[next.URL.Path()]
		v.URL, v.Kind, v.At = next.URL.String(), next.Kind, now
		f.Done(v)
		var report *audit.Report
		if v.IsPage {
			report = decentReport()
			if next.URL.Path() == "/hostile" {
				report = hostilePage
			}
			report.Score = v.Score
			report.Checks[3] = report.Checks[3].WithOccurrences(40)
		}
		if err := site.Add(&v, report); err != nil {
			t.Fatal(err)
		}
	}
	if err := site.Finish(f.Findings(), f.Progress(), now.Add(2*time.Second)); err != nil {
		t.Fatal(err)
	}
	return CompareSite(site, gate.Counts{{Path: "/gone", Check: "broken-target"}: 1, {Path: "/shop/", Check: "retired"}: 1}, gate.Conditions{New: true})
}

// TestFormatsOfSites compares each format with what it was, and holds that it has nothing to obey.
func TestFormatsOfSites(t *testing.T) {
	for format := range formats {
		text := written(t, format, siteRun(t))
		harmless(t, format, text)
		if format == "text" || format == "json" || format == "github" {
			golden(t, "site."+format, text)
		}
	}
}

// TestSitesAreReadAgain holds that programs find in each format what the crawl has found.
func TestSitesAreReadAgain(t *testing.T) {
	r := siteRun(t)
	var log sarifLog
	if err := json.Unmarshal(written(t, "sarif", r), &log); err != nil {
		t.Fatal(err)
	}
	states := map[string]int{}
	for _, result := range log.Runs[0].Results {
		if log.Runs[0].Tool.Driver.Rules[result.Index].ID != result.Rule {
			t.Errorf("%+v has another rule", result)
		}
		if result.Rule == "broken-target" || result.Rule == "retired" {
			states[result.State]++
		}
	}
	if states["new"] != 1 || states["unchanged"] != 1 || states["absent"] != 1 || len(log.Runs[0].Invocations[0].Notifications) != 1 {
		t.Errorf("SARIF has %v and %+v", states, log.Runs[0].Invocations)
	}
	var junit junitReport
	if err := xml.Unmarshal(written(t, "junit", r), &junit); err != nil {
		t.Fatal(err)
	}
	var sum junitCounts
	var names []string
	for _, suite := range junit.Suites {
		sum.Tests, sum.Failures, sum.Errors = sum.Tests+len(suite.Cases), sum.Failures+suite.Failures, sum.Errors+suite.Errors
		names = append(names, strings.TrimPrefix(suite.Name, "http://example.com"))
	}
	if sum != junit.junitCounts || sum.Errors != 1 {
		t.Errorf("%+v, counted %+v", junit.junitCounts, sum)
	}
	if want := []string{"/", "/dead", "/dead", "/gone", "/hostile", "/shop/", "/shop/a"}; !slices.Equal(names, want) {
		t.Errorf("the suites are %v", names)
	}
}

// TestOccurrences holds that a finding that was kept on the disk still counts the places that its evidence leaves out.
func TestOccurrences(t *testing.T) {
	for a, err := range siteRun(t).each() {
		if err != nil {
			t.Fatal(err)
		}
		if a.URL.Path() != "/shop/" {
			continue
		}
		i := slices.IndexFunc(a.Report.Checks, func(o audit.Outcome) bool { return o.ID == "image-alt" })
		if n := a.Report.Checks[i].Occurrences(); n != 40 {
			t.Errorf("%d places", n)
		}
	}
}

func TestMostPages(t *testing.T) {
	var folders []crawl.Folder
	for _, path := range []string{"/", "/a/", "/a/b/", "/a/b/c/", "/a/b/d/", "/z/"} {
		folders = append(folders, crawl.Folder{URL: path, Level: strings.Count(path, "/") - 1, Pages: map[string]int{"/": 9, "/a/": 7, "/a/b/": 7, "/a/b/c/": 4, "/a/b/d/": 1, "/z/": 2}[path]})
	}
	var got []string
	for _, f := range mostPages(folders, 4) {
		got = append(got, f.URL)
	}
	if want := []string{"/", "/a/b/", "/a/b/c/", "/z/"}; !slices.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}
