package reports

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"time"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/gate"
	"sitegrade/jsonappend"
)

// The records of a site as JSON, with the names that the API has for those of a crawl.
type (
	siteHead struct {
		URL        string          `json:"url"`
		Mode       crawl.Mode      `json:"mode"`
		Project    siteProject     `json:"project"`
		Status     string          `json:"status"` // "done", "stopped", or "failed" without a page
		Progress   crawl.Progress  `json:"progress"`
		Limits     []crawl.Limit   `json:"limits_hit"`
		Summary    siteSummary     `json:"summary"`
		Result     *string         `json:"result"`
		Score      *int            `json:"score"`
		CreatedAt  string          `json:"created_at"`
		StartedAt  string          `json:"started_at"`
		FinishedAt string          `json:"finished_at"`
		Folders    []siteFolder    `json:"folders"`
		Statuses   map[string]int  `json:"statuses"` // addresses by status, or by why they have none
		Issues     []siteIssue     `json:"issues"`
		Comparison *siteComparison `json:"comparison,omitempty"` // with a baseline
	}
	siteProject struct {
		Name string `json:"name"`
	}
	siteFolder struct {
		URL    string `json:"url"`
		Pages  int    `json:"pages"` // also those of the folders in it, as all that follows
		Good   int    `json:"good"`
		Decent int    `json:"decent"`
		Bad    int    `json:"bad"`
		Score  int    `json:"score"` // the mean of theirs
	}
	siteSummary struct {
		Pages     int    `json:"pages"`
		Indexable int    `json:"indexable"`
		Good      int    `json:"good"`
		Decent    int    `json:"decent"`
		Bad       int    `json:"bad"`
		High      int    `json:"high"` // checks across pages that name an address
		Medium    int    `json:"medium"`
		Low       int    `json:"low"`
		Why       string `json:"why"`
	}
	siteComparison struct {
		New    int `json:"new"`
		Absent int `json:"absent"`
	}
	siteIssue struct {
		Check    string         `json:"check"`
		Severity audit.Severity `json:"severity"`
		Title    string         `json:"title"`
		Advice   string         `json:"advice"`
		Pages    int            `json:"pages"`
		New      *int           `json:"new,omitempty"` // of the pages, with a baseline
		First    []siteWhere    `json:"first"`
	}
	siteWhere struct {
		URL      string           `json:"url"`
		Evidence []audit.Evidence `json:"evidence"`
	}
	siteLink struct {
		Target  string         `json:"target"`
		Status  *int           `json:"status"`
		Sources int            `json:"sources"`
		First   []crawl.Source `json:"first"`
	}
	sitePage struct {
		URL       string        `json:"url"`
		Status    *int          `json:"status"`
		Depth     *int          `json:"depth"`
		Inlinks   int           `json:"inlinks"`
		Outlinks  int           `json:"outlinks"`
		Indexable bool          `json:"indexable"`
		Reason    *crawl.Reason `json:"reason"`
		Canonical *string       `json:"canonical"`
		Title     *string       `json:"title"`
		Report    *siteReport   `json:"report"` // null unless it is a page
		Issues    []crawl.Issue `json:"issues"` // of the checks across pages
	}
	siteReport struct {
		Result  string        `json:"result"`
		Score   int           `json:"score"`
		Summary audit.Summary `json:"summary"`
		Checks  []siteCheck   `json:"checks"` // that fail or warn
	}
	siteCheck struct {
		ID       string           `json:"id"`
		Severity audit.Severity   `json:"severity"`
		Status   audit.Status     `json:"status"`
		Detail   string           `json:"detail"`
		Evidence []audit.Evidence `json:"evidence"`
	}
)

// writeSiteJSON writes {"data": {...}} in one line: the crawl with the names that the API has, the issues, the broken links, and every
// address. What is long is written as it is read.
func writeSiteJSON(w io.Writer, r Run) error {
	head, err := json.Marshal(r.siteHead())
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	_, _ = out.WriteString(`{"data":`)
	_, _ = out.Write(head[:len(head)-1])
	err = errors.Join(writeList(out, "links", r.Site.brokenLinks()), writeList(out, "pages", r.Site.sitePages()))
	_, _ = out.WriteString("}}\n")
	return errors.Join(err, out.Flush()) // which has the first error of all writes
}

// writeList writes a field with a list of records.
func writeList[T any](out *bufio.Writer, field string, records iter.Seq2[T, error]) error {
	_, _ = out.WriteString(`,"` + field + `":[`)
	comma := ""
	for record, err := range records {
		if err != nil {
			return err
		}
		text, err := json.Marshal(record)
		if err != nil {
			return err
		}
		_, _ = out.WriteString(comma)
		_, _ = out.Write(text)
		comma = ","
	}
	return out.WriteByte(']')
}

func (r Run) siteHead() siteHead {
	s := r.Site
	head := siteHead{
		URL: s.URL.String(), Mode: s.Mode, Project: siteProject{s.URL.Site()}, Status: s.status(), Progress: s.Progress,
		Limits: append([]crawl.Limit{}, s.Summary.Limits...), Score: s.Summary.Score,
		Summary: siteSummary{s.Summary.Pages, s.Summary.Indexable, s.Summary.Good, s.Summary.Decent, s.Summary.Bad,
			s.Summary.High, s.Summary.Medium, s.Summary.Low, s.Summary.Why},
		CreatedAt: stamp(s.StartedAt), StartedAt: stamp(s.StartedAt), FinishedAt: stamp(s.FinishedAt),
		Folders: []siteFolder{}, Statuses: s.statusesByName(), Issues: []siteIssue{},
	}
	if s.Summary.Score != nil {
		result := s.Summary.Result.String()
		head.Result = &result
	}
	for _, f := range s.Folders {
		head.Folders = append(head.Folders, siteFolder{f.URL, f.Pages, f.Good, f.Decent, f.Bad, f.Score})
	}
	states := r.states()
	for _, i := range s.Issues {
		issue := siteIssue{Check: i.Check, Severity: i.Severity, Title: i.Title, Advice: i.Advice, Pages: i.Pages, First: []siteWhere{}}
		if r.Baseline != nil {
			fresh := states[i.Check].fresh
			issue.New = &fresh
		}
		for _, w := range i.First {
			issue.First = append(issue.First, siteWhere{w.URL.String(), append([]audit.Evidence{}, w.Outcome.Evidence...)})
		}
		head.Issues = append(head.Issues, issue)
	}
	if r.Baseline != nil {
		head.Comparison = &siteComparison{len(r.New()), len(r.Absent())}
	}
	return head
}

// status returns how the crawl ended, as the API names it.
func (s *Site) status() string {
	switch {
	case s.Stopped:
		return "stopped"
	case s.Summary.Score == nil:
		return "failed"
	}
	return "done"
}

// statusesByName returns how many addresses have a status, or a reason to have none.
func (s *Site) statusesByName() map[string]int {
	named := map[string]int{}
	for _, c := range s.Statuses {
		name := string(c.Reason)
		if c.Status > 0 {
			name = statusText(c.Status)
		}
		named[name] += c.Count
	}
	return named
}

// brokenLinks returns the broken addresses as records.
func (s *Site) brokenLinks() iter.Seq2[siteLink, error] {
	return func(yield func(siteLink, error) bool) {
		for _, l := range s.Broken {
			if !yield(siteLink{l.Target, positive(l.Status), l.Sources, append([]crawl.Source{}, l.First...)}, nil) {
				return
			}
		}
	}
}

// sitePages returns every address as a record.
func (s *Site) sitePages() iter.Seq2[sitePage, error] {
	return func(yield func(sitePage, error) bool) {
		for row, k := range s.addresses() {
			record, err := s.sitePage(row, k)
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

func (s *Site) sitePage(row crawl.Row, k *known) (sitePage, error) {
	p := sitePage{
		URL: row.URL, Status: positive(row.Status), Inlinks: row.Inlinks, Outlinks: row.Outlinks, Indexable: row.Reason == "",
		Reason: present(row.Reason), Canonical: present(row.Canonical), Title: present(row.Title), Issues: []crawl.Issue{},
	}
	if row.Depth >= 0 {
		p.Depth = &row.Depth
	}
	a, err := s.page(row, &known{page: k.page})
	if err != nil {
		return p, err
	}
	if a.Report != nil && a.Report.Score != gate.NoScore {
		p.Report = &siteReport{a.Report.Result.String(), a.Report.Score, a.Report.Summary, []siteCheck{}}
		for _, o := range a.Report.Checks {
			p.Report.Checks = append(p.Report.Checks, siteCheck{o.ID, o.Severity, o.Status, o.Detail, append([]audit.Evidence{}, o.Evidence...)})
		}
	}
	issues, err := s.issuesAt(k)
	p.Issues = append(p.Issues, issues...)
	return p, err
}

// present returns a text, or nil for none.
func present[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// positive returns a number, or nil for 0.
func positive(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// stamp returns a time as the API writes it.
func stamp(t time.Time) string { return t.UTC().Format(jsonappend.TimeLayout) }
