package export

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
)

// Crawl is a crawl whose lists are written.
type Crawl struct {
	Store   db.Store
	Account string
	ID      uuid.UUID
	Own     bool // whoever reads it may know the ids of reports
}

// File returns a list of the crawl as a file: pages, links or issues, with .csv or .json. It reports whether there is such a file.
func (c Crawl) File(name string) (File, bool) {
	what, format, _ := strings.Cut(name, ".")
	if format != "csv" && format != "json" {
		return File{}, false
	}
	switch what {
	case "pages":
		return list{[]string{"url", "status", "depth", "inlinks", "outlinks", "indexable", "reason", "canonical", "title", "score", "report"}, c.eachPage}.file(name), true
	case "links":
		return list{[]string{"target", "status", "broken", "sources", "source", "text", "line"}, c.eachLink}.file(name), true
	case "issues":
		return list{[]string{"check", "severity", "url", "evidence_url", "line", "snippet", "report"}, c.eachIssue}.file(name), true
	}
	return File{}, false
}

// eachRow calls visit for all rows of a list of a crawl, which has ended and so does not change.
func eachRow[Row any](ctx context.Context, read func(sortfilter.Query) (db.Page[Row], error), visit func(Row) error) error {
	q := sortfilter.Query{Ascending: true, PerPage: chunk}
	for q.Page = 1; ; q.Page++ {
		page, err := read(q)
		if err != nil {
			return err
		}
		for _, row := range page.Rows {
			if err := visit(row); err != nil {
				return err
			}
		}
		if len(page.Rows) < chunk || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func (c Crawl) eachPage(ctx context.Context, visit func(row) error) error {
	read := func(q sortfilter.Query) (db.Page[db.CrawlPage], error) {
		return c.Store.CrawlPages(ctx, c.Account, c.ID, q)
	}
	return eachRow(ctx, read, func(p db.CrawlPage) error {
		if !c.Own {
			p.Report = uuid.Nil
		}
		return visit(pageRow{p})
	})
}

type pageRow struct{ db.CrawlPage }

func (r pageRow) cells() []string {
	score := ""
	if r.Score != nil {
		score = strconv.Itoa(*r.Score)
	}
	return []string{
		r.URL, numberCell(r.Status, 0), numberCell(r.Depth, -1), strconv.Itoa(r.Inlinks), strconv.Itoa(r.Outlinks),
		strconv.FormatBool(r.Reason == ""), r.Reason, r.Canonical, r.Title, score, idCell(r.Report),
	}
}

func (r pageRow) appendJSON(b []byte) ([]byte, error) { return r.AppendJSON(b), nil }

func (c Crawl) eachLink(ctx context.Context, visit func(row) error) error {
	read := func(q sortfilter.Query) (db.Page[db.CrawlLink], error) {
		return c.Store.CrawlLinks(ctx, c.Account, c.ID, q)
	}
	return eachRow(ctx, read, func(l db.CrawlLink) error { return visit(linkRow{l}) })
}

type linkRow struct{ db.CrawlLink }

// cells names the first of the pages that link the address.
func (r linkRow) cells() []string {
	first := db.LinkSource{}
	if len(r.First) > 0 {
		first = r.First[0]
	}
	return []string{
		r.Target, numberCell(r.Status, 0), strconv.FormatBool(r.Broken), strconv.Itoa(r.Sources), first.URL, first.Text, numberCell(first.Line, 0),
	}
}

func (r linkRow) appendJSON(b []byte) ([]byte, error) { return r.AppendJSON(b), nil }

// eachIssue goes through the checks, the worst first.
func (c Crawl) eachIssue(ctx context.Context, visit func(row) error) error {
	found, err := c.Store.CrawlOverview(ctx, c.Account, c.ID)
	if err != nil {
		return err
	}
	for _, issue := range view.SiteIssues(locale.For(locale.English), "", found.Checks) {
		read := func(q sortfilter.Query) (db.Page[db.CrawlIssue], error) {
			return c.Store.CrawlIssues(ctx, c.Account, c.ID, issue.ID, q)
		}
		err := eachRow(ctx, read, func(r db.CrawlIssue) error {
			if !c.Own {
				r.Report = uuid.Nil
			}
			return visit(issueRow{r, issue.Severity})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// issueRow is an address that a check across a site names.
type issueRow struct {
	db.CrawlIssue
	severity audit.Severity
}

func (r issueRow) cells() []string {
	first := audit.Evidence{}
	if len(r.Evidence) > 0 {
		first = r.Evidence[0]
	}
	return []string{r.Check, string(r.severity), r.URL, first.URL, numberCell(first.Line, 0), first.Snippet, idCell(r.Report)}
}

func (r issueRow) appendJSON(b []byte) ([]byte, error) {
	e := struct {
		Check    string           `json:"check"`
		Severity audit.Severity   `json:"severity"`
		URL      string           `json:"url"`
		Report   *uuid.UUID       `json:"report"`
		Evidence []audit.Evidence `json:"evidence"`
	}{Check: r.Check, Severity: r.severity, URL: r.URL, Evidence: r.Evidence}
	if r.Report != uuid.Nil {
		e.Report = &r.Report
	}
	text, err := json.Marshal(e)
	return append(b, text...), err
}
