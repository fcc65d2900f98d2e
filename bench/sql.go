package main

import (
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"sitegrade/sortfilter"
)

// sqlStore is what SQLite and PostgreSQL have in common: two tables and queries over them. Times are milliseconds, 0 for none; a
// result is its rank, 0 for none, so that every order of the API is an order of columns.
type sqlStore struct {
	db         *sql.DB
	dialect    dialect
	statements sync.Map // text -> *sql.Stmt
	writes     sync.Locker
}

// dialect is where the engines differ. Placeholders are written as question marks in all texts.
type dialect struct {
	numbered bool // $1 instead of ?
	// page is the text of a page of reports, with %[1]s for the WHERE part and %[2]s for the order of a table called r.
	page string
	// folded gives the expression that orders a column without regard to case.
	folded func(column string) string
	// match gives the condition of a search in a column, and its argument.
	match func(column, needle string) (condition string, argument any)
	// count gives the text that counts matching reports, or "" for the usual one.
	count func(k kind) string
}

const reportColumns = `r.id, r.url, r.status, r.result, r.score, r.privacy, r.share, r.error_code, r.error_detail,
	r.generated_at, r.created_at, r.updated_at`

// plainPage reads the rows in their order. It suits SQLite, which skips to the offset within the index.
const plainPage = `SELECT ` + reportColumns + `,
	(SELECT p.id FROM projects p WHERE p.number = r.project), (SELECT p.name FROM projects p WHERE p.number = r.project)
	FROM reports r %[1]s ORDER BY %[2]s LIMIT ? OFFSET ?`

// deferredPage finds the ids of the page first. It suits PostgreSQL, which would read all columns of skipped rows otherwise.
const deferredPage = `SELECT ` + reportColumns + `, p.id, p.name
	FROM (SELECT r.id FROM reports r %[1]s ORDER BY %[2]s LIMIT ? OFFSET ?) page
	JOIN reports r ON r.id = page.id JOIN projects p ON p.number = r.project ORDER BY %[2]s`

// row is a report as a list shows it.
type row struct {
	id, projectID               uuid.UUID
	url, project, status, share string
	errorCode, errorDetail      string
	result, score, privacy      int
	generated, created, updated int64
}

// projectRow is a project as a list shows it.
type projectRow struct {
	id                      uuid.UUID
	name                    string
	created                 int64
	none, bad, decent, good int
}

var ranks = map[string]int{"": 0, "bad": 1, "decent": 2, "good": 3}
var rankNames = [...]string{"", "bad", "decent", "good"}

func (s *sqlStore) close() error {
	s.statements.Clear() // the statements go with their database
	return s.db.Close()
}

// statement returns a prepared statement for the text.
func (s *sqlStore) statement(text string) (*sql.Stmt, error) {
	if known, ok := s.statements.Load(text); ok {
		return known.(*sql.Stmt), nil
	}
	prepared, err := s.db.Prepare(s.dialect.placeholders(text))
	if err != nil {
		return nil, fmt.Errorf("%w in %s", err, text)
	}
	known, loaded := s.statements.LoadOrStore(text, prepared)
	if loaded {
		return known.(*sql.Stmt), prepared.Close()
	}
	return prepared, nil
}

func (d dialect) placeholders(text string) string {
	if !d.numbered {
		return text
	}
	parts := strings.Split(text, "?")
	var b strings.Builder
	b.WriteString(parts[0])
	for i, part := range parts[1:] {
		fmt.Fprintf(&b, "$%d%s", i+1, part)
	}
	return b.String()
}

// where returns the WHERE part of a list of reports, and its arguments. Without filters it is empty, so that SQLite counts the fast way.
func (s *sqlStore) where(q sortfilter.Query) (string, []any) {
	var parts []string
	var args []any
	if q.Project != "" {
		parts = append(parts, "r.project = (SELECT number FROM projects WHERE "+s.dialect.folded("name")+" = ?)")
		args = append(args, strings.ToLower(q.Project))
	}
	if q.Result != "" {
		parts, args = append(parts, "r.result = ?"), append(args, ranks[q.Result])
	}
	if q.Search != "" {
		condition, arg := s.dialect.match("r.url", q.Search)
		parts, args = append(parts, condition), append(args, arg)
	}
	if parts == nil {
		return "", nil
	}
	return "WHERE " + strings.Join(parts, " AND "), args
}

// order returns the ORDER BY part of a list.
func (s *sqlStore) order(q sortfilter.Query) string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	switch q.SortBy {
	case sortfilter.ByGenerated, sortfilter.ByResult:
		return "r." + string(q.SortBy) + direction + ", r.id" + direction
	case sortfilter.ByURL:
		return s.dialect.folded("r.url") + direction + ", r.id" + direction
	case sortfilter.ByCreated:
		return "p.created_at" + direction + ", p.id" + direction
	case sortfilter.ByProject:
		return s.dialect.folded("p.name") + direction
	}
	return "r.id" + direction
}

// reports reads a page of reports and the number of all that match.
func (s *sqlStore) reports(k kind) ([]row, int, error) {
	where, args := s.where(k.query)
	count := "SELECT COUNT(*) FROM reports r " + where
	if s.dialect.count != nil && s.dialect.count(k) != "" {
		count = s.dialect.count(k)
	}
	total, err := s.number(count, args)
	if err != nil {
		return nil, 0, err
	}
	page, err := s.query(fmt.Sprintf(s.dialect.page, where, s.order(k.query)), args, k.query)
	if err != nil {
		return nil, 0, err
	}
	defer page.Close()
	rows := make([]row, 0, k.query.PerPage)
	for page.Next() {
		r := row{}
		if err := page.Scan(&r.id, &r.url, &r.status, &r.result, &r.score, &r.privacy, &r.share, &r.errorCode, &r.errorDetail,
			&r.generated, &r.created, &r.updated, &r.projectID, &r.project); err != nil {
			return nil, 0, err
		}
		rows = append(rows, r)
	}
	return rows, total, page.Err()
}

// projects reads a page of projects, with exact counts of their reports, and the number of all that match.
func (s *sqlStore) projects(k kind) ([]projectRow, int, error) {
	where, args := "", []any(nil)
	if k.query.Search != "" {
		condition, arg := like(s.dialect.folded("p.name"), k.query.Search)
		where, args = "WHERE "+condition, []any{arg}
	}
	total, err := s.number("SELECT COUNT(*) FROM projects p "+where, args)
	if err != nil {
		return nil, 0, err
	}
	order := s.order(k.query)
	const counted = "(SELECT COUNT(*) FROM reports r WHERE r.project = p.number AND r.result = %d)"
	text := "SELECT p.id, p.name, p.created_at"
	for rank := range rankNames {
		text += ", " + fmt.Sprintf(counted, rank)
	}
	text += " FROM (SELECT * FROM projects p " + where + " ORDER BY " + order + " LIMIT ? OFFSET ?) p ORDER BY " + order
	page, err := s.query(text, args, k.query)
	if err != nil {
		return nil, 0, err
	}
	defer page.Close()
	rows := make([]projectRow, 0, k.query.PerPage)
	for page.Next() {
		p := projectRow{}
		if err := page.Scan(&p.id, &p.name, &p.created, &p.none, &p.bad, &p.decent, &p.good); err != nil {
			return nil, 0, err
		}
		rows = append(rows, p)
	}
	return rows, total, page.Err()
}

// number reads the one number that a query gives.
func (s *sqlStore) number(text string, args []any) (n int, err error) {
	statement, err := s.statement(text)
	if err != nil {
		return 0, err
	}
	return n, statement.QueryRow(args...).Scan(&n)
}

// query runs the text of a page, whose last two arguments are limit and offset.
func (s *sqlStore) query(text string, args []any, q sortfilter.Query) (*sql.Rows, error) {
	statement, err := s.statement(text)
	if err != nil {
		return nil, err
	}
	all := append(make([]any, 0, len(args)+2), args...)
	return statement.Query(append(all, q.PerPage, q.Offset())...)
}

func (s *sqlStore) list(k kind) (answer, error) {
	if k.projects {
		rows, total, err := s.projects(k)
		a := answer{make([]uuid.UUID, len(rows)), total}
		for i := range rows {
			a.ids[i] = rows[i].id
		}
		return a, err
	}
	rows, total, err := s.reports(k)
	a := answer{make([]uuid.UUID, len(rows)), total}
	for i := range rows {
		a.ids[i] = rows[i].id
	}
	return a, err
}

func (s *sqlStore) show(id uuid.UUID) error {
	statement, err := s.statement("SELECT " + reportColumns + ", p.id, p.name FROM reports r JOIN projects p ON p.number = r.project WHERE r.id = ?")
	if err != nil {
		return err
	}
	r := row{}
	return statement.QueryRow(id[:]).Scan(&r.id, &r.url, &r.status, &r.result, &r.score, &r.privacy, &r.share, &r.errorCode,
		&r.errorDetail, &r.generated, &r.created, &r.updated, &r.projectID, &r.project)
}

// create inserts a queued report, and its project where that is new, in one transaction.
func (s *sqlStore) create(address string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	name, now := strings.TrimPrefix(parsed.Host, "www."), time.Now().UnixMilli()
	s.writes.Lock()
	defer s.writes.Unlock()
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	return errors.Join(s.insert(tx, id, address, name, now), ignoreDone(tx.Rollback()))
}

func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

func (s *sqlStore) insert(tx *sql.Tx, id uuid.UUID, address, project string, now int64) error {
	find, err := s.statement("SELECT number FROM projects WHERE " + s.dialect.folded("name") + " = ?")
	if err != nil {
		return err
	}
	var number int64
	switch err := tx.Stmt(find).QueryRow(strings.ToLower(project)).Scan(&number); {
	case errors.Is(err, sql.ErrNoRows):
		if number, err = s.insertProject(tx, project, now); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	put, err := s.statement(insertReports(1))
	if err != nil {
		return err
	}
	line := reportLine{ID: id, URL: address, Status: "queued", Created: time.UnixMilli(now)}
	if _, err := tx.Stmt(put).Exec(reportValues(nil, &line, number)...); err != nil {
		return err
	}
	return tx.Commit()
}

func (s *sqlStore) insertProject(tx *sql.Tx, name string, now int64) (number int64, err error) {
	id, err := uuid.NewV7()
	if err != nil {
		return 0, err
	}
	put, err := s.statement("INSERT INTO projects (id, name, created_at) VALUES (?, ?, ?) RETURNING number")
	if err != nil {
		return 0, err
	}
	return number, tx.Stmt(put).QueryRow(id[:], name, now).Scan(&number)
}

const insertColumns = `id, project, url, status, result, score, privacy, share, error_code, error_detail, generated_at, created_at, updated_at`
const insertedColumns = 13

// insertReports returns the text that inserts n reports at once.
func insertReports(n int) string {
	one := "(?" + strings.Repeat(", ?", insertedColumns-1) + ")"
	return "INSERT INTO reports (" + insertColumns + ") VALUES " + one + strings.Repeat(", "+one, n-1)
}

// reportValues appends the values of insertColumns for a line.
func reportValues(values []any, line *reportLine, project int64) []any {
	result, score, generated := 0, 0, int64(0)
	if line.Result != nil {
		result, score, generated = ranks[*line.Result], *line.Score, line.Generated.UnixMilli()
	}
	failed := failure{}
	if line.Error != nil {
		failed = *line.Error
	}
	created := line.Created.UnixMilli()
	return append(values, line.ID[:], project, line.URL, line.Status, result, score, line.Privacy, shareOf(line), failed.Code, failed.Detail,
		generated, created, max(created, generated))
}

// shareOf returns the address part of a public report's page, of the usual length.
func shareOf(line *reportLine) string {
	if line.Privacy == 1 {
		return ""
	}
	return line.ID.String()[14:]
}

func (s *sqlStore) handler() (http.Handler, error) { return &thinHandler{s}, nil }

func (s *sqlStore) target(k kind) (path, header string) { return apiPath(k), "" }

// like returns the condition that a text contains a needle.
func like(expression, needle string) (condition, argument string) {
	escaped := strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(strings.ToLower(needle))
	return expression + ` LIKE ? ESCAPE '\'`, "%" + escaped + "%"
}

// projectLoader gives projects their numbers while import lines are read.
type projectLoader struct {
	numbers map[string]int64
	rows    []projectRow // in the order of their numbers, from 1
}

func (p *projectLoader) add(line *reportLine) {
	p.rows = append(p.rows, projectRow{id: line.ID, name: line.Name, created: line.Created.UnixMilli()})
	p.numbers[line.Name] = int64(len(p.rows))
}
