package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/marks"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// Reports is documented in db.Store.
func (d *DB) Reports(ctx context.Context, account string, q sortfilter.Query) (db.Page[db.Report], error) {
	a, err := d.account(ctx, account)
	if errors.Is(err, db.ErrNotFound) {
		return db.Page[db.Report]{}, nil
	} else if err != nil {
		return db.Page[db.Report]{}, err
	}
	tx := d.pool.Direct(ctx)
	l, err := listOf(tx, a.Number, q)
	if err == nil {
		l.deep = l.offset >= d.marks.Deep()
	}
	if errors.Is(err, db.ErrNotFound) {
		return db.Page[db.Report]{}, nil
	} else if err != nil {
		return db.Page[db.Report]{}, err
	}
	page, dropping, err := d.readPage(tx, l)
	if dropping && err == nil {
		l.dropped, l.deep = true, true // rows of deleted projects may stand before all others
		page, _, err = d.readPage(tx, l)
	}
	return page, err
}

// list is a page of reports that is asked for.
type list struct {
	account int32
	project *project // nil: of all
	results []audit.Result
	column  sortfilter.Sort
	needle  string   // folded
	deep    bool     // the marks find the page
	dropped bool     // reports of deleted projects are left out
	unrated bool     // those that were never audited are in it
	limits  []string // conditions that no index is made for

	offset, size int
	descending   bool
}

// allResults are the results that a report may have, in ascending order.
var allResults = []audit.Result{audit.Unrated, audit.Bad, audit.Decent, audit.Good}

// maxOffset is beyond the end of every list.
const maxOffset = math.MaxInt32

// listOf returns the list that q asks for, or ErrNotFound where its project does not exist.
func listOf(tx *pg.Tx, account int32, q sortfilter.Query) (*list, error) {
	l := &list{account: account, results: allResults, column: q.SortBy, limits: limitsOf(q), needle: sortfilter.Fold(q.Search), unrated: true, size: q.PerPage, descending: !q.Ascending}
	if q.PerPage > 0 && q.Page-1 <= maxOffset/q.PerPage {
		l.offset = (q.Page - 1) * q.PerPage
	} else {
		l.offset = maxOffset
	}
	if q.Project != "" {
		p, err := findProject(tx, account, q.Project)
		if err != nil {
			return nil, err
		}
		l.project = p
	}
	if q.Result != "" {
		result, err := audit.ParseResult(q.Result)
		if err != nil {
			return nil, err
		}
		l.results, l.unrated = []audit.Result{result}, false
	}
	return l, nil
}

// limitsOf returns the conditions of a query that no index is made for. An empty one is of a list that is sorted by what has no index either.
func limitsOf(q sortfilter.Query) []string {
	var limits []string
	if q.SortBy == sortfilter.ByScore {
		limits = append(limits, "true")
	}
	const running = "EXISTS (SELECT FROM queue WHERE queue.account = $1 AND queue.id = reports.id AND server IS NOT NULL)"
	switch q.Status {
	case "":
	case db.Running.String():
		limits = append(limits, running)
	case db.Queued.String():
		limits = append(limits, fmt.Sprintf("status = %d AND NOT %s", db.Queued, running))
	case db.Done.String():
		limits = append(limits, fmt.Sprintf("status = %d", db.Done))
	case db.Failed.String():
		limits = append(limits, fmt.Sprintf("status = %d", db.Failed))
	}
	if q.Privacy != "" {
		limits = append(limits, "privacy = "+quoted(q.Privacy)+"::smallint")
	}
	if !q.Since.IsZero() {
		limits = append(limits, fmt.Sprintf("generated >= %d AND generated <> 0", q.Since.UnixMilli()))
	}
	if !q.Until.IsZero() {
		limits = append(limits, fmt.Sprintf("generated < %d AND generated <> 0", q.Until.UnixMilli()))
	}
	return limits
}

// number returns the number of the list's project; 0 for all.
func (l *list) number() uint32 {
	if l.project == nil {
		return 0
	}
	return l.project.number
}

// readPage reads a page in one statement, so that rows and total are of one moment. dropping tells that there are rows of deleted projects, which
// only a list with dropped leaves out.
func (d *DB) readPage(tx *pg.Tx, l *list) (page db.Page[db.Report], dropping bool, err error) {
	sql, args := l.statement()
	if l.needle != "" || l.limits != nil { // a search is planned for its text, so it comes with it
		args = append([]any{pgx.QueryExecModeSimpleProtocol}, args...)
	}
	err = tx.Each(sql, args, func(rows pgx.Rows) error {
		if values := rows.RawValues(); values[2] == nil { // beyond the end there is only the total
			return rows.Scan(append([]any{&page.Total, &dropping}, make([]any, len(values)-2)...)...)
		}
		r, err := scanListed(rows, &page.Total, &dropping)
		if err != nil {
			return err
		}
		shown, err := d.show(&r)
		page.Rows = append(page.Rows, shown)
		return err
	})
	return page, dropping, err
}

// scanListed reads what stands before a row, and the row.
func scanListed(rows pgx.Rows, before ...any) (r row, err error) {
	var n nullable
	dest := append(before, n.columns(&r.Record)...)
	err = rows.Scan(append(dest, &r.project.ID, &r.project.Name, &r.running, &r.shareKey)...)
	n.fill(&r.Record)
	return r, err
}

// statement returns the statement of a page: the total, whether there are dropped projects, and the columns of a report, of which all are null
// where the page is empty.
func (l *list) statement() (sql string, args []any) {
	counted, page := l.counted(), l.page()
	args = []any{l.account, l.number(), l.offset}
	if l.deep && l.needle == "" && l.limits == nil {
		counted, page = l.deepPage()
	} else if l.needle != "" || l.limits != nil {
		counted, page = l.found()
		args = args[:2]
		if l.project == nil { // then nothing asks for its number
			args = args[:1]
		}
	}
	order := l.order("r.")
	return "WITH " + counted + ", page AS (" + page + ") SELECT c.total, EXISTS (SELECT FROM dropped WHERE account = $1), " + shownColumns +
		" FROM c LEFT JOIN (page JOIN reports r ON r.account = $1 AND r.id = page.id" + shownJoins + ") ON true ORDER BY " + order, args
}

// counted returns what gives the number of all rows, as c.
func (l *list) counted() string {
	names := [...]string{"none", "bad", "decent", "good"}
	var parts []string
	for _, result := range l.results {
		parts = append(parts, names[result])
	}
	return "c AS (SELECT coalesce(sum(" + strings.Join(parts, " + ") + "), 0)::bigint AS total FROM counts WHERE account = $1 AND project = $2)"
}

// key returns the columns that the list is sorted by before the id.
func (l *list) key() []string {
	switch l.column {
	case sortfilter.ByGenerated:
		return []string{"generated"}
	case sortfilter.ByURL:
		return []string{"folded"}
	case sortfilter.ByResult:
		return []string{"result"}
	case sortfilter.ByScore:
		return []string{"score"}
	}
	return nil
}

// order returns the columns that the list is sorted by, each with its direction.
func (l *list) order(of string) string {
	direction := ""
	if l.descending {
		direction = " DESC"
	}
	var columns []string
	for _, c := range append(l.key(), "id") {
		c = of + c
		if l.column == sortfilter.ByScore && l.descending && c != of+"id" {
			c = fmt.Sprintf("(%s + 1) %% %d", c, record.NoScore+1) // so that reports without a score come last here too
		}
		columns = append(columns, c+direction)
	}
	return strings.Join(columns, ", ")
}

// scope returns the condition that a row is of the list's account and project, and not of a deleted project.
func (l *list) scope() string {
	switch {
	case l.project != nil:
		return "account = $1 AND project = $2"
	case l.dropped:
		return "account = $1 AND project <> ALL (ARRAY(SELECT project FROM dropped WHERE account = $1))"
	}
	return "account = $1"
}

// page returns what gives the ids of the page: a merge of the ranges of each result, and of those that were never audited. Each range has a limit
// of its own, without which the server would sort all of it.
func (l *list) page() string {
	columns := strings.Join(append(l.key(), "id"), ", ")
	limit := l.limit()
	var arms []string
	for _, result := range l.results {
		arms = append(arms, fmt.Sprintf("(SELECT %s FROM reports WHERE %s AND settled AND result = %d ORDER BY %s LIMIT %d)", columns, l.scope(), result, l.order(""), limit))
	}
	if l.unrated {
		order := l.order("")
		if l.column != sortfilter.ByURL { // they have no result and no time
			order = order[strings.LastIndex(order, "id"):]
		}
		arms = append(arms, fmt.Sprintf("(SELECT %s FROM reports WHERE %s AND NOT settled ORDER BY %s LIMIT %d)", columns, l.scope(), order, limit))
	}
	return "SELECT id FROM (" + strings.Join(arms, " UNION ALL ") + ") x ORDER BY " + l.order("") + " OFFSET $3 LIMIT " + strconv.Itoa(l.size)
}

// limit returns at least how many rows a range gives that the page is in: one of few numbers, so that there are few statements, each planned once.
func (l *list) limit() int { return 1 << bits.Len(uint(min(l.offset, maxOffset/2)+l.size)) }

// deepPage returns counted and page for a page that the marks find.
func (l *list) deepPage() (counted, page string) {
	m := marks.List{Descending: l.descending, Results: l.results, Unsettled: l.unrated, OfProject: l.project != nil, Scope: l.scope()}
	if key := l.key(); key != nil && (l.column != sortfilter.ByResult || len(l.results) > 1) {
		m.Column = key[0]
	}
	order := l.order("")
	if m.Column == "" {
		order = order[strings.LastIndex(order, "id"):]
	}
	return l.counted() + ", " + m.Find(), "SELECT id FROM (" + strings.Join(m.Rows(l.limit()), " UNION ALL ") + ") x ORDER BY " + order + " OFFSET " + marks.Skipped + " LIMIT " + strconv.Itoa(l.size)
}

// found returns counted and page for a search, and for what no index is made for: one pass gives the total and the rows.
func (l *list) found() (counted, page string) {
	columns := strings.Join(append(l.key(), "id"), ", ")
	var results []string
	for _, result := range l.results {
		results = append(results, strconv.Itoa(int(result)))
	}
	conditions := append([]string{l.scope()}, l.limits...)
	if l.needle != "" {
		conditions = append(conditions, "folded LIKE "+quoted("%"+likeEscaper.Replace(l.needle)+"%"))
	}
	arm := "SELECT " + columns + " FROM reports WHERE " + strings.Join(conditions, " AND ")
	all := arm + " AND settled"
	if len(l.results) < len(allResults) {
		all += " AND result IN (" + strings.Join(results, ", ") + ")"
	}
	if l.unrated {
		all += " UNION ALL " + arm + " AND NOT settled"
	}
	return "h AS MATERIALIZED (" + all + "), c AS (SELECT count(*) AS total FROM h)",
		"SELECT id FROM h ORDER BY " + l.order("") + " LIMIT " + strconv.Itoa(l.size) + " OFFSET " + strconv.Itoa(l.offset)
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// quoted returns a text as a literal of SQL. The server has standard_conforming_strings on, or refuses the protocol that it is sent by.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// Projects is documented in db.Store.
func (d *DB) Projects(ctx context.Context, account string, q sortfilter.Query) (page db.Page[db.Project], err error) {
	err = d.view(ctx, account, func(a *pg.Account) error {
		page, err = d.projectsPage(a, q)
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		return db.Page[db.Project]{}, nil
	}
	return page, err
}

func (d *DB) projectsPage(a *pg.Account, q sortfilter.Query) (page db.Page[db.Project], err error) {
	order, direction := "p.created", ""
	if q.SortBy == sortfilter.ByProject {
		order = "p.folded"
	}
	if !q.Ascending {
		direction = " DESC"
	}
	pattern := "%" + likeEscaper.Replace(sortfilter.Fold(q.Search)) + "%"
	offset := maxOffset
	if q.PerPage > 0 && q.Page-1 <= maxOffset/q.PerPage {
		offset = (q.Page - 1) * q.PerPage
	}
	if err := a.Row("SELECT count(*) FROM projects p WHERE account = $1 AND ($2 = '%%' OR folded LIKE $2)", []any{a.Number, pattern}, &page.Total); err != nil {
		return page, err
	}
	var numbers []uint32
	var key []byte
	page.Rows, err = pg.All(a.Tx, "SELECT "+projectColumns+" FROM projects p"+projectJoins+" WHERE p.account = $1 AND ($2 = '%%' OR p.folded LIKE $2) ORDER BY "+
		order+direction+", p.id"+direction+" OFFSET $3 LIMIT $4", []any{a.Number, pattern, offset, q.PerPage}, func(rows pgx.Rows) (db.Project, error) {
		p, shown, shareKey, err := scanProject(rows)
		numbers, key = append(numbers, p.number), shareKey
		return shown, err
	})
	if err != nil {
		return page, err
	}
	return page, d.promise(a, numbers, page.Rows, key)
}
