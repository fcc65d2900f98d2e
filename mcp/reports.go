package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/jsonappend"
	"sitegrade/terminal"
)

type auditArgs struct {
	URL     string `json:"url"`
	Project string `json:"project"`
}

type reportArgs struct {
	Report string `json:"report"`
	Cursor string `json:"cursor"`
}

// auditPage makes a report with the privacy that the account's new reports have, waits for it and shows it.
func (s *Server) auditPage(ctx context.Context, account string, in auditArgs) (answer, error) {
	n := db.NewReport{URL: completed(in.URL), Project: in.Project}
	if err := s.permitted(n.URL); err != nil {
		return answer{}, err
	}
	settings, err := s.store.Account(ctx, account)
	if err != nil {
		return answer{}, err
	}
	n.Privacy = settings.Privacy
	made, err := s.store.CreateReport(ctx, account, n)
	if err != nil {
		return answer{}, err
	}
	s.await(ctx, account, made.ID)
	r, found, err := s.store.Report(ctx, account, made.ID)
	if err != nil {
		return answer{}, err
	}
	return showReport(r, found, nil), nil
}

func (s *Server) getReport(ctx context.Context, account string, in reportArgs) (answer, error) {
	id, err := reportID(in.Report)
	if err != nil {
		return answer{}, err
	}
	after, err := parseCheckPlace(in.Cursor)
	if err != nil {
		return answer{}, err
	}
	r, found, err := s.store.Report(ctx, account, id)
	if err != nil {
		return answer{}, err
	}
	return showReport(r, found, after), nil
}

// reportID reads the id of a report. What is no id names no report.
func reportID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || len(text) != len(id.String()) {
		return uuid.Nil, errNoReport
	}
	return id, nil
}

// await returns when a report is made, or Options.Wait has passed. Which of them it was, the report tells.
func (s *Server) await(ctx context.Context, account string, id uuid.UUID) {
	if s.Wait <= 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.Wait)
	defer cancel()
	_ = s.worker.Wait(ctx, account, id)
}

// standing is how a report stands: what each answer about one begins with.
type standing struct {
	Score       *int        `json:"score"`
	Result      *string     `json:"result"`
	ID          string      `json:"id"`
	URL         string      `json:"url"`
	Project     projectRef  `json:"project"`
	Status      string      `json:"status"`
	GeneratedAt *string     `json:"generated_at"`
	Error       *failedWith `json:"error,omitempty"`
}

type projectRef struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type failedWith struct {
	Code   string `json:"code"`
	Detail string `json:"untrusted_detail"`
}

// How many bytes of JSON parts of an answer may have, so that one row always fits.
const (
	maxURL     = 400
	maxName    = 250
	maxID      = 80
	maxDetail  = 500
	maxSnippet = 200
)

func standingOf(r db.Report) standing {
	s := standing{
		ID: r.ID.String(), URL: short(r.URL, maxURL), Project: projectRef{r.Project.ID.String(), short(r.Project.Name, maxName)},
		Status: r.Status.String(), GeneratedAt: timeText(r.GeneratedAt),
	}
	s.rate(r.Result, r.Score)
	if r.Failure != nil {
		s.Error = &failedWith{string(r.Failure.Code), said(r.Failure.Detail, maxDetail)}
	}
	return s
}

// rate sets result and score, which are null before the first success.
func (s *standing) rate(result audit.Result, score int) {
	s.Score, s.Result = nil, nil
	if result != audit.Unrated {
		name := result.String()
		s.Result = &name
		if score != db.NoScore {
			s.Score = &score
		}
	}
}

func timeText(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format(jsonappend.TimeLayout)
	return &text
}

// heading returns the first lines of a text about a report.
func (s *standing) heading(f fence) string {
	rated := "No score yet"
	if s.Result != nil {
		rated = "Score unknown, " + *s.Result
		if s.Score != nil {
			rated = fmt.Sprintf("Score %d of 100, %s", *s.Score, *s.Result)
		}
	}
	failed, waiting := "", ""
	if s.Error != nil {
		failed = "The last audit failed (" + s.Error.Code + "): " + f.around(s.Error.Detail)
	}
	if s.Status == db.Queued.String() || s.Status == db.Running.String() {
		waiting = "An audit of it is " + s.Status + ": call get_report in a few seconds."
	}
	return lines(fmt.Sprintf("%s: %s (report %s, project %s, %s)", rated, s.URL, s.ID, s.Project.Name, s.Status), failed, waiting)
}

// shownReport is a report as get_report and audit_page show it. Pages behind the first leave out what the first one told.
type shownReport struct {
	standing
	Summary    *audit.Summary  `json:"summary,omitempty"`
	Categories []shownCategory `json:"categories,omitempty"`
	Untrusted  *pageSays       `json:"untrusted,omitempty"`
	Checks     []shownCheck    `json:"checks"`
	NextCursor string          `json:"next_cursor,omitempty"`
}

type shownCategory struct {
	ID    string `json:"id"`
	Score *int   `json:"score"`
}

type pageSays struct {
	Why      string `json:"why"`
	FinalURL string `json:"final_url"`
	Title    string `json:"title"`
}

type shownCheck struct {
	ID        string    `json:"id"`
	Category  string    `json:"category"`
	Severity  string    `json:"severity"`
	Status    string    `json:"status"`
	Title     string    `json:"title"`
	Advice    string    `json:"advice"`
	Untrusted checkSays `json:"untrusted"`
}

type checkSays struct {
	Detail   string          `json:"detail"`
	Evidence []shownEvidence `json:"evidence"`
	More     int             `json:"more_evidence,omitempty"`
}

type shownEvidence struct {
	Line     int    `json:"line,omitempty"`
	Selector string `json:"selector,omitempty"`
	Snippet  string `json:"snippet,omitempty"`
	URL      string `json:"url,omitempty"`
}

// showReport returns the answer that shows a report with its problems, from the first or behind a place among them.
func showReport(r db.Report, found *audit.Report, after *checkPlace) answer {
	f, problems := newFence(), []audit.Outcome(nil)
	if found != nil {
		problems = found.Problems()
	}
	skipped := 0
	if after != nil {
		skipped = after.behind(problems)
	}
	problems = problems[skipped:]
	return fitted(len(problems), func(n int) answer {
		shown := shownReport{standing: standingOf(r), Checks: showChecks(problems[:n])}
		if after == nil && found != nil {
			shown.describe(found)
		}
		if n < len(problems) && n > 0 {
			shown.NextCursor = placeOf(problems[n-1])
		}
		return answer{shown, shown.text(f, skipped, len(problems)-n)}
	})
}

func (s *shownReport) describe(found *audit.Report) {
	s.Summary = &found.Summary
	for _, c := range found.Categories {
		s.Categories = append(s.Categories, shownCategory{c.ID, c.Score})
	}
	s.Untrusted = &pageSays{said(found.Why, maxDetail), said(found.FinalURL, maxURL), said(found.Page.Title, maxName)}
}

// shownPlaces is how many places of a check are shown.
const shownPlaces = 3

func showChecks(problems []audit.Outcome) []shownCheck {
	shown := make([]shownCheck, 0, len(problems))
	for _, o := range problems {
		c := shownCheck{
			ID: said(o.ID, maxID), Category: said(o.Category, maxID), Severity: string(o.Severity), Status: string(o.Status),
			Title: said(o.Title, maxName), Advice: said(o.Advice, maxDetail),
			Untrusted: checkSays{Detail: said(o.Detail, maxDetail), Evidence: showEvidence(o.Evidence), More: max(0, len(o.Evidence)-shownPlaces)},
		}
		shown = append(shown, c)
	}
	return shown
}

// showEvidence returns the first places of a check.
func showEvidence(evidence []audit.Evidence) []shownEvidence {
	shown := []shownEvidence{}
	for _, e := range evidence[:min(shownPlaces, len(evidence))] {
		shown = append(shown, shownEvidence{
			Line: e.Line, Selector: said(e.Selector, maxSnippet), Snippet: said(e.Snippet, maxSnippet), URL: said(e.URL, maxURL),
		})
	}
	return shown
}

// text returns the report for reading. skipped problems came before, and left ones are to come.
func (s *shownReport) text(f fence, skipped, left int) string {
	var b strings.Builder
	b.WriteString(s.heading(f))
	if s.Summary != nil {
		b.WriteString(s.counts())
		b.WriteString(lines(f.around(s.Untrusted.Why)))
	}
	for i, c := range s.Checks {
		fmt.Fprintf(&b, "\n%d. %s: %s (%s, %s, %s)\n", skipped+i+1, c.ID, c.Title, c.Status, c.Severity, c.Category)
		if c.Advice != "" {
			b.WriteString("To do: " + c.Advice + "\n")
		}
		b.WriteString(f.around(c.Untrusted.text()) + "\n")
	}
	if s.NextCursor != "" {
		fmt.Fprintf(&b, "\n%d more: call get_report with report %s and cursor %s\n", left, s.ID, s.NextCursor)
	}
	return b.String()
}

// counts returns the line with the counts and the scores of the categories.
func (s *shownReport) counts() string {
	scores := make([]string, 0, len(s.Categories))
	for _, c := range s.Categories {
		if c.Score != nil {
			scores = append(scores, c.ID+" "+strconv.Itoa(*c.Score))
		}
	}
	n := s.Summary
	return fmt.Sprintf("%d failed (%d high, %d medium, %d low), %d %s, %d passed. By category: %s\n",
		n.Failed, n.High, n.Medium, n.Low, n.Warnings, terminal.Plural(n.Warnings, "warning", "warnings"), n.Passed, strings.Join(scores, ", "))
}

func (c checkSays) text() string {
	parts := []string{c.Detail}
	for _, e := range c.Evidence {
		line := ""
		if e.Line > 0 {
			line = fmt.Sprintf("line %d", e.Line)
		}
		shown := slices.DeleteFunc([]string{line, cmp.Or(e.Snippet, e.Selector), e.URL}, func(s string) bool { return s == "" })
		parts = append(parts, "["+strings.Join(shown, ": ")+"]")
	}
	if c.More > 0 {
		parts = append(parts, fmt.Sprintf("and %d more places", c.More))
	}
	return strings.Join(parts, " ")
}

// checkPlace is a place among the problems of a report: that of a check as it was when the cursor was made. Problems are ordered by severity
// and status, and then as in the table, so that the place stays though checks come and go.
type checkPlace struct {
	severity audit.Severity
	status   audit.Status
	id       string
}

func placeOf(o audit.Outcome) string {
	return string(o.Severity) + "." + string(o.Status) + "." + said(o.ID, maxID)
}

// parseCheckPlace reads a cursor of get_report; nil for none.
func parseCheckPlace(cursor string) (*checkPlace, error) {
	if cursor == "" {
		return nil, nil
	}
	parts := strings.SplitN(cursor, ".", 3)
	if len(parts) < 3 || parts[2] == "" {
		return nil, errCursor
	}
	p := &checkPlace{audit.Severity(parts[0]), audit.Status(parts[1]), parts[2]}
	if !slices.Contains([]audit.Severity{audit.High, audit.Medium, audit.Low, audit.Info}, p.severity) ||
		p.status != audit.Failed && p.status != audit.Warning {
		return nil, errCursor
	}
	return p, nil
}

// behind returns how many of the problems come before the place, or are at it.
func (p *checkPlace) behind(problems []audit.Outcome) int {
	mark := audit.Outcome{ID: p.id, Severity: p.severity, Status: p.status}
	order := func(o audit.Outcome) int {
		return slices.IndexFunc(audit.Explanations(), func(e audit.Explanation) bool { return e.ID == o.ID })
	}
	n := 0
	for i, o := range problems {
		if o.ID == p.id && audit.ByAttention(o, mark) == 0 {
			return i + 1
		}
		if cmp.Or(audit.ByAttention(o, mark), cmp.Compare(order(o), order(mark))) < 0 {
			n = i + 1
		}
	}
	return n
}
