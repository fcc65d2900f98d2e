package reports

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"time"

	"sitegrade/audit"
	"sitegrade/crawl"
	"sitegrade/fetch"
	"sitegrade/gate"
	"sitegrade/weburl"
)

// Site is what came of a crawl. What the pages' reports say lies on the disk until Close.
type Site struct {
	URL        *weburl.URL // the start
	Mode       crawl.Mode
	StartedAt  time.Time
	FinishedAt time.Time
	Stopped    bool // somebody ended it early
	Progress   crawl.Progress
	Summary    crawl.Summary
	Statuses   []StatusCount
	Unindexed  map[crawl.Reason]int // pages that search engines do not index, by why
	Issues     []Issue              // the worst first
	Folders    []crawl.Folder
	Worst      []crawl.Row     // pages with the lowest scores
	Broken     []crawl.LinkRow // the linked addresses that are broken, those that most pages link first

	findings *crawl.Findings
	spool    *spool
	known    map[string]*known // by URL
	checks   map[string]*tally // by id
	gated    []gate.Page
}

// StatusCount is how many addresses answer with a status, or why they do not.
type StatusCount struct {
	Status int          // 0 without a response
	Reason crawl.Reason // where there is none
	Count  int
}

// known is what was found at an address.
type known struct {
	page   place
	issues []place
	code   fetch.Code // why there is no response
	order  int        // in which the address was met
}

// kept is the report of a page as it lies in the spool: what asks for something, in full, and numbers.
type kept struct {
	At      time.Time
	Report  audit.Report
	Places  []int // of each of its checks
	Applied int   // checks that applied
}

// NewSite returns the site of a crawl that begins now. The error is that of a temporary file.
func NewSite(start *weburl.URL, mode crawl.Mode, now time.Time) (*Site, error) {
	disk, err := newSpool()
	if err != nil {
		return nil, err
	}
	return &Site{URL: start, Mode: mode, StartedAt: now, spool: disk, known: map[string]*known{}, checks: map[string]*tally{}}, nil
}

// Close removes what lies on the disk.
func (s *Site) Close() error { return s.spool.close() }

// Add takes what came of an address, and the report if it is a page; nil for none.
func (s *Site) Add(v *crawl.Visit, r *audit.Report) error {
	if v.Kind != crawl.Page {
		return nil
	}
	k := s.at(v.URL)
	k.code = fetch.Code(v.Failure)
	if r == nil {
		return nil
	}
	record := kept{At: v.At, Report: audit.Report{
		URL: r.URL, FinalURL: r.FinalURL, HTTPStatus: r.HTTPStatus, Timings: r.Timings, Result: r.Result, Score: r.Score, Summary: r.Summary, Checks: r.Problems(),
	}}
	for _, o := range record.Report.Checks {
		record.Places = append(record.Places, o.Occurrences())
		if o.Status == audit.Failed && o.Severity != audit.Info {
			s.tally(o.ID, o.Severity).add(k.order)
		}
	}
	s.gated = append(s.gated, gate.NewPage(weburl.Restore(v.URL), r))
	var err error
	k.page, err = s.spool.put(record)
	return err
}

// at returns what is known of an address, nothing yet where it is met for the first time.
func (s *Site) at(url string) *known {
	k := s.known[url]
	if k == nil {
		k = &known{order: len(s.known)}
		s.known[url] = k
	}
	return k
}

// Finish takes what all visits say together. After it the site can be written.
func (s *Site) Finish(f *crawl.Findings, p crawl.Progress, now time.Time) error {
	s.findings, s.Progress, s.FinishedAt = f, p, now
	if err := s.addIssues(); err != nil {
		return err
	}
	s.Summary = f.Summary()
	s.Folders = f.Folders()
	s.count()
	for link := range f.Links() {
		if link.Broken {
			s.Broken = append(s.Broken, link)
		}
	}
	slices.SortStableFunc(s.Broken, func(a, b crawl.LinkRow) int { return cmp.Compare(b.Sources, a.Sources) })
	return s.rank()
}

// shownWorst is how many of the pages with the lowest scores a site has.
const shownWorst = 10

// count counts the addresses by what they answer, and takes the pages with the lowest scores.
func (s *Site) count() {
	counts := map[StatusCount]int{}
	s.Unindexed = map[crawl.Reason]int{}
	for row := range s.findings.Rows() {
		if n := len(s.Worst); row.Score != nil && (n < shownWorst || *row.Score < *s.Worst[n-1].Score) {
			s.Worst = append(s.Worst[:min(n, shownWorst-1)], row)
			slices.SortStableFunc(s.Worst, func(a, b crawl.Row) int { return cmp.Compare(*a.Score, *b.Score) })
		}
		if row.Score != nil && row.Reason != "" {
			s.Unindexed[row.Reason]++
		}
		c := StatusCount{Status: row.Status}
		if row.Status == 0 {
			c.Reason = row.Reason
		}
		counts[c]++
	}
	for c, n := range counts {
		c.Count = n
		s.Statuses = append(s.Statuses, c)
	}
	slices.SortFunc(s.Statuses, func(a, b StatusCount) int {
		return cmp.Or(cmp.Compare(uint(a.Status-1), uint(b.Status-1)), cmp.Compare(a.Reason, b.Reason)) // those without one last
	})
}

// addIssues takes what the checks across pages find. An address that one of them names counts as one place: a page more that links a broken
// address makes nothing new of it.
func (s *Site) addIssues() error {
	named := map[string]int{} // the address's place in gated
	for i, p := range s.gated {
		named[p.URL.String()] = i
	}
	for issue := range s.findings.Issues() {
		i, met := named[issue.URL]
		if !met {
			i = len(s.gated)
			named[issue.URL] = i
			s.gated = append(s.gated, gate.Page{URL: weburl.Restore(issue.URL), Score: gate.NoScore})
		}
		s.gated[i].Found = append(s.gated[i].Found, gate.Finding{Check: issue.Check, Severity: issue.Severity, Places: 1})
		k := s.at(issue.URL)
		s.tally(issue.Check, issue.Severity).add(k.order)
		p, err := s.spool.put(issue)
		if err != nil {
			return err
		}
		k.issues = append(k.issues, p)
	}
	return nil
}

// addresses returns every address with what was found there, the nearest to the start first: those that were visited, then those that
// pages link alone.
func (s *Site) addresses() iter.Seq2[crawl.Row, *known] {
	return func(yield func(crawl.Row, *known) bool) {
		seen := make(map[*known]bool, len(s.known))
		for row := range s.findings.Rows() {
			k := s.known[row.URL]
			if k == nil {
				k = &known{order: -1}
			}
			seen[k] = true
			if !yield(row, k) {
				return
			}
		}
		for _, url := range slices.Sorted(maps.Keys(s.known)) {
			if k := s.known[url]; !seen[k] && len(k.issues) > 0 && !yield(crawl.Row{URL: url, Depth: -1}, k) {
				return
			}
		}
	}
}

// pages returns every address with findings, every page, and every address that gave no response, as formats of pages write them. A page's
// report has what asks for something alone, and what the checks across pages find there.
func (s *Site) pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for row, k := range s.addresses() {
			a, err := s.page(row, k)
			if err == nil && a.Failure != nil && !yield(Page{URL: a.URL, At: a.At, Failure: a.Failure}, nil) {
				return
			}
			a.Failure = nil
			if (err != nil || a.Report != nil) && (!yield(a, err) || err != nil) {
				return
			}
		}
	}
}

// page returns what is known of an address.
func (s *Site) page(row crawl.Row, k *known) (Page, error) {
	a := Page{URL: weburl.Restore(row.URL), At: s.FinishedAt}
	if row.Reason == crawl.NoAnswer {
		a.Failure = fetch.NewFailure(cmp.Or(k.code, fetch.CodeUnreachable), "There was no response.")
	}
	if k.page.length > 0 {
		var record kept
		if err := s.spool.get(k.page, &record); err != nil {
			return a, err
		}
		for i, n := range record.Places {
			record.Report.Checks[i] = record.Report.Checks[i].WithOccurrences(n)
		}
		a.At, a.Report = record.At, &record.Report
	}
	issues, err := s.issuesAt(k)
	if err != nil || len(issues) == 0 {
		return a, err
	}
	if a.Report == nil {
		a.Report = &audit.Report{URL: row.URL, FinalURL: row.URL, HTTPStatus: row.Status, Score: gate.NoScore}
	}
	for _, issue := range issues {
		a.Report.Checks = append(a.Report.Checks, outcomeOf(issue))
	}
	return a, nil
}

// issuesAt returns what the checks across pages find at an address.
func (s *Site) issuesAt(k *known) ([]crawl.Issue, error) {
	var all []crawl.Issue
	for _, p := range k.issues {
		var issue crawl.Issue
		if err := s.spool.get(p, &issue); err != nil {
			return nil, err
		}
		all = append(all, issue)
	}
	return all, nil
}

// outcomeOf returns what a check across pages finds at an address as an outcome, so that it is written as those of pages are.
func outcomeOf(i crawl.Issue) audit.Outcome {
	o := audit.Outcome{ID: i.Check, Severity: i.Severity, Status: audit.Failed, Title: audit.TitleFor(i.Check, audit.Failed), Evidence: i.Evidence}
	if e, ok := audit.Explain(i.Check); ok {
		o.Category, o.Advice = e.Category, e.Mend
	}
	return o.WithOccurrences(i.Count)
}
