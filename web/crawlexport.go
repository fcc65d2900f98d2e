package web

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// crawlExport is a list of a crawl as a file.
type crawlExport struct {
	columns []string
	// each calls visit for every row, given how it looks in a line of CSV and in JSON.
	each func(ctx context.Context, w *Web, p crawlPlace, visit func(row exportRow) error) error
}

// exportRow is a row of an export. Only that which is asked for is made.
type exportRow struct {
	cells func() []string
	json  func([]byte) ([]byte, error)
}

var crawlExports = map[string]crawlExport{
	"pages":  {[]string{"url", "status", "depth", "inlinks", "outlinks", "indexable", "reason", "canonical", "title", "score", "report"}, eachCrawlPage},
	"links":  {[]string{"target", "status", "broken", "sources", "source", "text", "line"}, eachCrawlLink},
	"issues": {[]string{"check", "severity", "url", "evidence_url", "line", "snippet", "report"}, eachCrawlIssue},
}

// exportCrawl sends a list of a crawl as CSV or JSON: pages.csv, links.json and so on. It reads the list in chunks and keeps none of them.
func (w *Web) exportCrawl(v *visit, p crawlPlace) error {
	file := v.params.ByName("file")
	for name, export := range crawlExports {
		switch file {
		case name + ".csv":
			return w.exportCrawlCSV(v, p, export, file)
		case name + ".json":
			return w.exportCrawlJSON(v, p, export, file)
		}
	}
	return notFound
}

// beginFile begins a response that a browser keeps as a file, however long it takes.
func (v *visit) beginFile(mediaType, name string) {
	_ = http.NewResponseController(v.ResponseWriter).SetWriteDeadline(time.Time{}) // not every connection has a deadline
	v.Header().Set("Content-Type", mediaType)
	v.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	v.WriteHeader(http.StatusOK)
}

func (w *Web) exportCrawlCSV(v *visit, p crawlPlace, export crawlExport, name string) error {
	v.beginFile("text/csv; charset=utf-8; header=present", name)
	if v.r.Method == http.MethodHead {
		return nil
	}
	_, _ = v.Write([]byte("\ufeff")) // a client that is gone is noticed below
	out := csv.NewWriter(v)
	out.UseCRLF = true
	_ = out.Write(export.columns)
	err := export.each(v.r.Context(), w, p, func(row exportRow) error {
		cells := row.cells()
		for i := range cells {
			cells[i] = harmless(cells[i])
		}
		return out.Write(cells)
	})
	out.Flush()
	w.breakOff(v, err)
	return nil
}

func (w *Web) exportCrawlJSON(v *visit, p crawlPlace, export crawlExport, name string) error {
	v.beginFile("application/json", name)
	if v.r.Method == http.MethodHead {
		return nil
	}
	_, _ = v.Write([]byte("[")) // a client that is gone is noticed below
	separator := "\n"
	err := export.each(v.r.Context(), w, p, func(row exportRow) error {
		text, err := row.json([]byte(separator))
		if err == nil {
			_, err = v.Write(text)
		}
		separator = ",\n"
		return err
	})
	w.breakOff(v, err)
	_, _ = v.Write([]byte("\n]\n"))
	return nil
}

// eachRow calls visit for all rows of a list of a crawl, which has ended and so does not change.
func eachRow[Row any](ctx context.Context, read func(sortfilter.Query) (db.Page[Row], error), visit func(Row) error) error {
	q := sortfilter.Query{Ascending: true, PerPage: exportChunk}
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
		if len(page.Rows) < exportChunk || ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

func eachCrawlPage(ctx context.Context, w *Web, p crawlPlace, visit func(exportRow) error) error {
	read := func(q sortfilter.Query) (db.Page[db.CrawlPage], error) {
		return w.store.CrawlPages(ctx, p.account, p.ID, q)
	}
	return eachRow(ctx, read, func(r db.CrawlPage) error {
		if !p.Own {
			r.Report = uuid.Nil
		}
		return visit(exportRow{
			cells: func() []string {
				score := ""
				if r.Score != nil {
					score = strconv.Itoa(*r.Score)
				}
				return []string{
					r.URL, cellNumber(r.Status, 0), cellNumber(r.Depth, -1), strconv.Itoa(r.Inlinks), strconv.Itoa(r.Outlinks),
					strconv.FormatBool(r.Reason == ""), r.Reason, r.Canonical, r.Title, score, cellID(r.Report),
				}
			},
			json: func(b []byte) ([]byte, error) { return r.AppendJSON(b), nil },
		})
	})
}

// eachCrawlLink has a line of CSV for each page that links the address, as far as they are kept.
func eachCrawlLink(ctx context.Context, w *Web, p crawlPlace, visit func(exportRow) error) error {
	read := func(q sortfilter.Query) (db.Page[db.CrawlLink], error) {
		return w.store.CrawlLinks(ctx, p.account, p.ID, q)
	}
	return eachRow(ctx, read, func(r db.CrawlLink) error {
		first := db.LinkSource{}
		if len(r.First) > 0 {
			first = r.First[0]
		}
		return visit(exportRow{
			cells: func() []string {
				return []string{
					r.Target, cellNumber(r.Status, 0), strconv.FormatBool(r.Broken), strconv.Itoa(r.Sources), first.URL, first.Text, cellNumber(first.Line, 0),
				}
			},
			json: func(b []byte) ([]byte, error) { return r.AppendJSON(b), nil },
		})
	})
}

// exportedIssue is an address that a check across a site names, as JSON has it.
type exportedIssue struct {
	Check    string           `json:"check"`
	Severity audit.Severity   `json:"severity"`
	URL      string           `json:"url"`
	Report   *uuid.UUID       `json:"report"`
	Evidence []audit.Evidence `json:"evidence"`
}

// eachCrawlIssue goes through the checks, the worst first.
func eachCrawlIssue(ctx context.Context, w *Web, p crawlPlace, visit func(exportRow) error) error {
	found, err := w.store.CrawlOverview(ctx, p.account, p.ID)
	if err != nil {
		return err
	}
	for _, issue := range siteIssues(p.Base, found.Checks) {
		read := func(q sortfilter.Query) (db.Page[db.CrawlIssue], error) {
			return w.store.CrawlIssues(ctx, p.account, p.ID, issue.ID, q)
		}
		if err := eachRow(ctx, read, func(r db.CrawlIssue) error { return visit(exportIssue(p, issue, r)) }); err != nil {
			return err
		}
	}
	return nil
}

func exportIssue(p crawlPlace, issue siteIssue, r db.CrawlIssue) exportRow {
	if !p.Own {
		r.Report = uuid.Nil
	}
	first := audit.Evidence{}
	if len(r.Evidence) > 0 {
		first = r.Evidence[0]
	}
	return exportRow{
		cells: func() []string {
			return []string{r.Check, string(issue.Severity), r.URL, first.URL, cellNumber(first.Line, 0), first.Snippet, cellID(r.Report)}
		},
		json: func(b []byte) ([]byte, error) {
			e := exportedIssue{Check: r.Check, Severity: issue.Severity, URL: r.URL, Evidence: r.Evidence}
			if r.Report != uuid.Nil {
				e.Report = &r.Report
			}
			text, err := json.Marshal(e)
			return append(b, text...), err
		},
	}
}

// cellNumber returns a number, "" for the one that stands for nothing.
func cellNumber(n, none int) string {
	if n == none {
		return ""
	}
	return strconv.Itoa(n)
}

// cellID returns the id of a report; "" for no report.
func cellID(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}
