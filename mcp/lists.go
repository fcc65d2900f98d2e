package mcp

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/terminal"
)

type listReportsArgs struct {
	Project string `json:"project"`
	Search  string `json:"search"`
	Result  string `json:"result"`
	Cursor  string `json:"cursor"`
}

type listProjectsArgs struct {
	Search string `json:"search"`
	Cursor string `json:"cursor"`
}

// listQuery returns the query of a list as the tools page through it: the newest first.
func listQuery() sortfilter.Query { return sortfilter.Query{PerPage: 25, Page: 1} }

func (s *Server) listReports(ctx context.Context, account string, in listReportsArgs) (answer, error) {
	q := listQuery()
	q.SortBy, q.Project, q.Search, q.Result = sortfilter.ByID, in.Project, in.Search, in.Result
	l := list[db.Report]{
		fetch: func(page int) (db.Page[db.Report], error) {
			q.Page = page
			return s.store.Reports(ctx, account, q)
		},
		placeOf: func(r db.Report) place { return place{id: r.ID} },
	}
	rows, err := l.behind(in.Cursor)
	if err != nil {
		return answer{}, err
	}
	return fitted(len(rows.rows), func(n int) answer {
		shown := struct {
			Total      int        `json:"total"`
			Reports    []standing `json:"reports"`
			NextCursor string     `json:"next_cursor,omitempty"`
		}{rows.total, make([]standing, 0, n), l.cursor(rows, n)}
		f := newFence()
		text := countText(rows.total, "report", "reports")
		for _, r := range rows.rows[:n] {
			row := standingOf(r)
			shown.Reports = append(shown.Reports, row)
			text += "\n" + row.heading(f)
		}
		return answer{shown, text + moreText("list_reports", shown.NextCursor)}
	}), nil
}

type shownProject struct {
	ID        string        `json:"id"`
	Name      string        `json:"name"`
	CreatedAt *string       `json:"created_at"`
	Reports   shownByResult `json:"reports"`
}

type shownByResult struct {
	Total  int `json:"total"`
	Good   int `json:"good"`
	Decent int `json:"decent"`
	Bad    int `json:"bad"`
}

func (s *Server) listProjects(ctx context.Context, account string, in listProjectsArgs) (answer, error) {
	q := listQuery()
	q.SortBy, q.Search = sortfilter.ByCreated, in.Search
	l := list[db.Project]{
		fetch: func(page int) (db.Page[db.Project], error) {
			q.Page = page
			return s.store.Projects(ctx, account, q)
		},
		placeOf: func(p db.Project) place { return place{p.CreatedAt.UnixNano(), p.ID} },
	}
	rows, err := l.behind(in.Cursor)
	if err != nil {
		return answer{}, err
	}
	return fitted(len(rows.rows), func(n int) answer {
		shown := struct {
			Total      int            `json:"total"`
			Projects   []shownProject `json:"projects"`
			NextCursor string         `json:"next_cursor,omitempty"`
		}{rows.total, make([]shownProject, 0, n), l.cursor(rows, n)}
		text := countText(rows.total, "project", "projects")
		for _, p := range rows.rows[:n] {
			row := shownProject{p.ID.String(), short(p.Name, maxName), timeText(p.CreatedAt), shownByResult(p.Reports)}
			shown.Projects = append(shown.Projects, row)
			text += fmt.Sprintf("- %s (%s): %d %s, %d good, %d decent, %d bad\n", row.Name, row.ID, p.Reports.Total, terminal.Plural(p.Reports.Total, "report", "reports"), p.Reports.Good, p.Reports.Decent, p.Reports.Bad)
		}
		return answer{shown, text + moreText("list_projects", shown.NextCursor)}
	}), nil
}

func countText(n int, one, many string) string {
	return fmt.Sprintf("%d %s\n", n, terminal.Plural(n, one, many))
}

func moreText(tool, cursor string) string {
	if cursor == "" {
		return ""
	}
	return "\nMore: call " + tool + " with the same arguments and cursor " + cursor + "\n"
}

// list pages through a list of the store so that a row keeps its place whatever is made or deleted between two calls: what
// came before a cursor never comes again behind it, and nothing behind it is left out.
type list[Row any] struct {
	fetch   func(page int) (db.Page[Row], error)
	placeOf func(Row) place
	oldest  bool // the oldest come first, not the newest
}

// isBehind reports whether a row comes behind a place.
func (l list[Row]) isBehind(row Row, at place) bool {
	if l.oldest {
		return at.isBehind(l.placeOf(row))
	}
	return l.placeOf(row).isBehind(at)
}

// place is where a row stands: lists are ordered by time and id, both descending.
type place struct {
	created int64 // in Unix nanoseconds; 0 in lists that are ordered by id alone
	id      uuid.UUID
}

// isBehind reports whether the row comes behind another in a list.
func (p place) isBehind(other place) bool {
	return cmp.Or(cmp.Compare(p.created, other.created), strings.Compare(string(p.id[:]), string(other.id[:]))) < 0
}

// stretch is a part of a list.
type stretch[Row any] struct {
	rows  []Row
	total int
	page  int  // on which the first row stands
	more  bool // rows follow
}

// cursor returns what leads on behind the first n rows; "" where nothing follows.
func (l list[Row]) cursor(s stretch[Row], n int) string {
	if n == 0 || n == len(s.rows) && !s.more {
		return ""
	}
	at := l.placeOf(s.rows[n-1])
	return fmt.Sprintf("%d.%d.%s", s.page, at.created, at.id)
}

// parseCursor returns the page on which a place was, and the place.
func parseCursor(cursor string) (page int, at place, err error) {
	parts := strings.Split(cursor, ".")
	if len(parts) != 3 {
		return 0, place{}, errCursor
	}
	page, pageErr := strconv.Atoi(parts[0])
	created, createdErr := strconv.ParseInt(parts[1], 10, 64)
	id, idErr := uuid.Parse(parts[2])
	if pageErr != nil || createdErr != nil || idErr != nil || page < 1 {
		return 0, place{}, errCursor
	}
	return page, place{created, id}, nil
}

// behind returns the rows behind a cursor, or the first ones for none, as many as a page has or more.
func (l list[Row]) behind(cursor string) (stretch[Row], error) {
	first, err := l.fetch(1)
	if err != nil || cursor == "" {
		return stretch[Row]{first.Rows, first.Total, 1, first.Total > len(first.Rows)}, err
	}
	hint, at, err := parseCursor(cursor)
	if err != nil {
		return stretch[Row]{}, err
	}
	perPage := listQuery().PerPage
	last := 1 + max(0, first.Total-1)/perPage
	page, err := l.pageBehind(at, min(hint, last), last)
	if err != nil {
		return stretch[Row]{}, err
	}
	s := stretch[Row]{page: page}
	for next := page; next <= last && len(s.rows) < perPage; next++ {
		rows, err := l.fetch(next)
		if err != nil {
			return stretch[Row]{}, err
		}
		for _, row := range rows.Rows {
			if l.isBehind(row, at) {
				s.rows = append(s.rows, row)
			}
		}
		s.total, s.more = rows.Total, next*perPage < rows.Total
	}
	return s, nil
}

// pageBehind returns the first page that has a row behind a place, by halves around the page where that was.
func (l list[Row]) pageBehind(at place, hint, last int) (int, error) {
	low, high := 1, last // the page is among these, or the last one
	for probe, step := hint, 1; low < high; step *= 2 {
		page, err := l.fetch(probe)
		if err != nil {
			return 0, err
		}
		width := min(step, max(1, (high-low)/2))
		if n := len(page.Rows); n == 0 || l.isBehind(page.Rows[n-1], at) {
			high = probe
			probe = max(low, high-width)
		} else {
			low = probe + 1
			probe = min(high-1, low+width-1)
		}
	}
	return low, nil
}
