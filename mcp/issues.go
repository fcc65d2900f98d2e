package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/terminal"
)

type issuesArgs struct {
	Project string `json:"project"`
	Check   string `json:"check"`
	Cursor  string `json:"cursor"`
}

const errNoProject = mistake("This account has no such project. list_projects shows those it has.")

// siteStanding is what each answer about the issues of a project begins with.
type siteStanding struct {
	Score   *int       `json:"score"` // of the newest crawl that is done
	Result  *string    `json:"result"`
	Project projectRef `json:"project"`
}

// listSiteIssues shows the checks that fail on a project or, of one of them, the pages.
func (s *Server) listSiteIssues(ctx context.Context, account string, in issuesArgs) (answer, error) {
	p, err := s.store.Project(ctx, account, in.Project)
	if errors.Is(err, db.ErrNotFound) {
		return answer{}, errNoProject
	}
	if err != nil {
		return answer{}, err
	}
	site := siteStanding{Project: projectRef{p.ID.String(), short(p.Name, maxName)}}
	q := listQuery()
	q.Project, q.Status = p.ID.String(), string(db.CrawlEnded)
	crawls, err := s.store.Crawls(ctx, account, q)
	if err != nil {
		return answer{}, err
	}
	if len(crawls.Rows) > 0 && crawls.Rows[0].Score != nil {
		result := crawls.Rows[0].Result.String()
		site.Score, site.Result = crawls.Rows[0].Score, &result
	}
	if in.Check != "" {
		return s.listIssuePages(ctx, account, site, in)
	}
	all, err := s.allIssues(ctx, account, site.Project.ID)
	if err != nil {
		return answer{}, err
	}
	from, err := issuesBehind(all, in.Cursor)
	if err != nil {
		return answer{}, err
	}
	return showIssues(site, all, from), nil
}

// allIssues returns the issues of a project: there are no more than checks.
func (s *Server) allIssues(ctx context.Context, account, project string) ([]db.Issue, error) {
	q := listQuery()
	q.PerPage = 100
	var all []db.Issue
	for {
		page, err := s.store.Issues(ctx, account, project, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Rows...)
		if len(page.Rows) == 0 || len(all) >= page.Total {
			return all, nil
		}
		q.Page++
	}
}

// issuesBehind returns how many issues come before a cursor, or are at it. The place is that of the check and, where it has been mended since, the
// one that it had.
func issuesBehind(all []db.Issue, cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	parts := strings.SplitN(cursor, ".", 3)
	if len(parts) < 3 {
		return 0, errCursor
	}
	pages, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0, errCursor
	}
	mark := audit.Outcome{Severity: audit.Severity(parts[0])}
	n := 0
	for i, issue := range all {
		if issue.Check == parts[2] {
			return i + 1, nil
		}
		if cmp.Or(audit.ByAttention(audit.Outcome{Severity: issue.Severity}, mark), cmp.Compare(pages, issue.Pages), strings.Compare(issue.Check, parts[2])) < 0 {
			n = i + 1
		}
	}
	return n, nil
}

type shownIssue struct {
	Check    string `json:"check"`
	Severity string `json:"severity"`
	Title    string `json:"title"`
	Pages    int    `json:"pages"`
	Change   *int   `json:"change"`
}

type shownIssues struct {
	siteStanding
	Total      int          `json:"total"`
	Issues     []shownIssue `json:"issues"`
	NextCursor string       `json:"next_cursor,omitempty"`
}

func showIssues(site siteStanding, all []db.Issue, from int) answer {
	rest := all[from:]
	return fitted(len(rest), func(n int) answer {
		shown := shownIssues{siteStanding: site, Total: len(all), Issues: make([]shownIssue, 0, n)}
		text := site.heading() + countText(len(all), "check fails", "checks fail")
		for _, i := range rest[:n] {
			shown.Issues = append(shown.Issues, shownIssue{said(i.Check, maxID), string(i.Severity), said(i.Title, maxName), i.Pages, i.Change})
			text += fmt.Sprintf("- %s: %s (%s, on %d %s)\n", i.Check, said(i.Title, maxName), i.Severity, i.Pages, terminal.Plural(i.Pages, "page", "pages"))
		}
		if n > 0 && n < len(rest) {
			shown.NextCursor = fmt.Sprintf("%s.%d.%s", rest[n-1].Severity, rest[n-1].Pages, rest[n-1].Check)
		}
		if n > 0 {
			text += "\nFor the pages of one pass its id as check.\n"
		}
		return answer{shown, text + moreText("list_site_issues", shown.NextCursor)}
	})
}

func (s *siteStanding) heading() string {
	rated := "No crawl of it is done"
	if s.Score != nil {
		rated = fmt.Sprintf("Score %d of 100, %s", *s.Score, *s.Result)
	}
	return fmt.Sprintf("%s: project %s (%s)\n", rated, s.Project.Name, s.Project.ID)
}

type shownIssuePages struct {
	siteStanding
	Check      string           `json:"check"`
	Title      string           `json:"title"`
	Total      int              `json:"total"`
	Pages      []shownIssuePage `json:"pages"`
	NextCursor string           `json:"next_cursor,omitempty"`
}

type shownIssuePage struct {
	Report    string    `json:"report,omitempty"`
	Untrusted issueSays `json:"untrusted"`
}

type issueSays struct {
	URL      string          `json:"url"`
	Evidence []shownEvidence `json:"evidence"`
}

// numberedRow is a row with its number, from 1.
type numberedRow struct {
	db.IssueRow
	number int
}

// issuePages returns the list of the pages on which a check fails. They come by creation of their reports; those of a check across pages have an
// order of their own, which stays until another crawl has ended, and so their number is their place.
func (s *Server) issuePages(ctx context.Context, account, project, check string) list[numberedRow] {
	q := listQuery()
	q.Ascending = true
	explained, _ := audit.Explain(check)
	return list[numberedRow]{
		fetch: func(number int) (db.Page[numberedRow], error) {
			q.Page = number
			page, err := s.store.IssueRows(ctx, account, project, check, q)
			numbered := db.Page[numberedRow]{Total: page.Total}
			for i, row := range page.Rows {
				numbered.Rows = append(numbered.Rows, numberedRow{row, q.Offset() + i + 1})
			}
			return numbered, err
		},
		placeOf: func(r numberedRow) place {
			if explained.Category == audit.SiteCategory {
				return place{created: int64(r.number)}
			}
			return place{id: r.Report}
		},
		oldest: true,
	}
}

// listIssuePages shows the pages on which a check fails.
func (s *Server) listIssuePages(ctx context.Context, account string, site siteStanding, in issuesArgs) (answer, error) {
	l := s.issuePages(ctx, account, site.Project.ID, in.Check)
	rows, err := l.behind(in.Cursor)
	if errors.Is(err, db.ErrNotFound) {
		return answer{}, noCheck(in.Check)
	}
	if err != nil {
		return answer{}, err
	}
	f := newFence()
	return fitted(len(rows.rows), func(n int) answer {
		shown := shownIssuePages{
			siteStanding: site, Check: in.Check, Title: audit.TitleFor(in.Check, audit.Failed), Total: rows.total,
			Pages: make([]shownIssuePage, 0, n), NextCursor: l.cursor(rows, n),
		}
		text := site.heading() + fmt.Sprintf("%s: %s, on %s", shown.Check, shown.Title, countText(rows.total, "page", "pages"))
		for _, row := range rows.rows[:n] {
			page := shownIssuePage{Untrusted: issueSays{said(row.URL, maxURL), showEvidence(row.Evidence)}}
			report := ""
			if row.Report != uuid.Nil {
				page.Report = row.Report.String()
				report = " (report " + page.Report + ")"
			}
			shown.Pages = append(shown.Pages, page)
			text += "- " + f.around(checkSays{Detail: page.Untrusted.URL, Evidence: page.Untrusted.Evidence}.text()) + report + "\n"
		}
		return answer{shown, text + moreText("list_site_issues", shown.NextCursor)}
	}), nil
}
