package reports

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/terminal"
	"sitegrade/weburl"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is otherwise (go test ./reports -update writes it anew):\n%s", path, got)
	}
}

func score(n int) *int { return &n }

// hostile is what a page may contain that wants to play with the terminal, with Markdown or with HTML.
const hostile = "\x1b[2J\x1b]0;owned\x07 | `<script>alert(1)</script>` **bold** \u202edrow [x](javascript:1)"

// decentReport has findings of every severity, warnings, much evidence and hostile text.
func decentReport() *audit.Report {
	return &audit.Report{
		URL:          "http://example.com/shop",
		FinalURL:     "https://www.example.com/shop/",
		HTTPStatus:   200,
		Redirects:    []string{"http://example.com/shop", "https://example.com/shop"},
		Timings:      audit.Timings{TTFB: 123.4, Document: 300, Total: 1234.5},
		Size:         48213,
		TransferSize: 11987,
		Grader:       1,
		GeneratedAt:  time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		Result:       audit.Decent,
		Score:        71,
		Summary:      audit.Summary{Passed: 40, Failed: 4, Warnings: 1, NotApplicable: 7, High: 1, Medium: 1, Low: 1},
		Categories: []audit.Category{
			{ID: "seo", Title: "Search engine optimisation", Score: score(68), Passed: 45, Failed: 13, Warnings: 10},
			{ID: "performance", Title: "Performance", Score: score(100), Passed: 10},
			{ID: "security", Title: "Security", Score: score(0), Failed: 1},
			{ID: "html", Title: "HTML and accessibility", NotApplicable: 7},
		},
		Checks: []audit.Outcome{
			{ID: "title-length", Category: "seo", Severity: audit.Low, Status: audit.Failed, Title: "Length of the title",
				Detail: "The title has 71 characters; search engines cut it after about 60.", Advice: "Say the same in 60 characters."},
			{ID: "document-title", Category: "seo", Severity: audit.High, Status: audit.Passed, Title: "Title of the document", Detail: "The title is there."},
			{ID: "canonical", Category: "seo", Severity: audit.Medium, Status: audit.Warning, Title: "Canonical address",
				Detail: "The page names no canonical address.", Advice: "Name one with link rel=canonical."},
			{ID: "image-alt", Category: "seo", Severity: audit.Medium, Status: audit.Failed, Title: "Text alternatives of images",
				Detail: "5 of 12 images have no alt attribute. " + hostile,
				Evidence: []audit.Evidence{
					{Selector: "main > section:nth-of-type(2) > div.gallery > figure:nth-of-type(14) > picture > img.photo", Line: 214,
						Snippet: `<img class="photo" src="/media/2026/11/a-very-long-name-of-a-photo-that-does-not-fit.jpg">`},
					{Selector: "img", Snippet: hostile},
					{URL: "https://www.example.com/media/%E6%BC%A2%E5%AD%97/" + strings.Repeat("x", 90) + ".png"},
					{Snippet: "fourth"}, {Snippet: "fifth"},
				},
				Advice: `Describe each image in its alt attribute, or write alt="" where it only decorates.`},
			{ID: "https", Category: "security", Severity: audit.High, Status: audit.Failed, Title: "HTTPS", Detail: "The page came by plain HTTP.",
				Advice: "Serve it by HTTPS and redirect there."},
			{ID: "ai-bots", Category: "seo", Severity: audit.Info, Status: audit.Failed, Title: "Crawlers of language models", Detail: "CCBot is blocked."},
		},
	}
}

func goodReport() *audit.Report {
	return &audit.Report{
		URL: "https://example.com/", FinalURL: "https://example.com/", HTTPStatus: 200, Size: 512, TransferSize: 512,
		Timings: audit.Timings{TTFB: 20, Total: 90}, Result: audit.Good, Score: 100, Summary: audit.Summary{Passed: 1},
		Categories: []audit.Category{{ID: "seo", Title: "SEO", Score: score(100), Passed: 1}},
		Checks:     []audit.Outcome{{ID: "document-title", Severity: audit.High, Status: audit.Passed, Title: "Title of the document"}},
	}
}

var samples = []struct {
	name string
	Page
}{
	{"decent", Page{URL: weburl.Resolve(nil, "http://example.com/shop"), At: time.Date(2026, 11, 20, 12, 0, 1, 0, time.UTC), Report: decentReport()}},
	{"good", Page{URL: weburl.Resolve(nil, "https://example.com/"), At: time.Date(2026, 11, 20, 12, 0, 1, 0, time.UTC), Report: goodReport()}},
	{"failed", Page{URL: weburl.Resolve(nil, "https://nowhere.example/"), At: time.Date(2026, 11, 20, 12, 0, 1, 0, time.UTC),
		Failure: &audit.Failure{Code: audit.CodeDNS, Detail: "There is no host of the name nowhere.example."}}},
}

func TestReportFormats(t *testing.T) {
	for _, format := range []string{"text", "markdown", "json"} {
		for _, sample := range samples {
			t.Run(sample.name+"."+format, func(t *testing.T) {
				var b bytes.Buffer
				if err := formats[format].page(&b, sample.Page, false); err != nil {
					t.Fatal(err)
				}
				golden(t, "report."+sample.name+"."+format, b.Bytes())
			})
		}
	}
}

// pages are the samples, as one run has them.
func pages() []Page {
	var all []Page
	for _, sample := range samples {
		a := sample.Page
		if a.Report != nil {
			report := *a.Report
			a.Report = &report // comparing changes it
		}
		all = append(all, a)
	}
	return all
}

func TestTables(t *testing.T) {
	for _, format := range []string{"text", "markdown"} {
		var b bytes.Buffer
		if err := formats[format].table(&b, pages()); err != nil {
			t.Fatal(err)
		}
		golden(t, "table."+format, b.Bytes())
	}
}

func TestTextFitsInItsWidthAndCannotBeInjected(t *testing.T) {
	for _, wide := range []int{40, 80, 100} {
		report := textReport{&terminal.Text{Wide: wide}}
		report.verdict(samples[0].Page)
		report.fixes(decentReport())
		report.categories(decentReport())
		tableFrom := len(report.String())
		report.table(pages())
		for i, line := range strings.Split(report.String()[tableFrom:], "\n") {
			if terminal.Width(line) > wide {
				t.Errorf("line %d of the table takes %d columns of %d: %q", i, terminal.Width(line), wide, line)
			}
		}
		for line := range strings.SplitSeq(report.String(), "\n") {
			if wide >= 80 && terminal.Width(line) > wide {
				t.Errorf("%d columns for %d: %q", terminal.Width(line), wide, line)
			}
			if terminal.CleanLines(line) != line {
				t.Errorf("something for the terminal to obey: %q", line)
			}
		}
	}
}

func TestColours(t *testing.T) {
	report := textReport{&terminal.Text{Style: terminal.Style{Colours: true}, Wide: 80}}
	report.verdict(samples[0].Page)
	report.fixes(decentReport())
	report.categories(decentReport())
	report.table(pages())
	golden(t, "report.decent.colours", []byte(report.String()))
	plain := regexp.MustCompile("\x1b\\[[0-9;]+m").ReplaceAllString(report.String(), "")
	if terminal.CleanLines(plain) != plain {
		t.Error("there is more than colours for the terminal to obey")
	}
}
