package marks

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db/postgres/internal/pg"
)

// mark is a mark of an order with what its stretch has.
type mark struct {
	order  Order
	number int32
	Place
	Counts
}

// marksOf returns the marks of an account, $1, for which a condition holds.
func marksOf(tx *pg.Tx, condition string, args ...any) ([]mark, error) {
	return pg.All(tx, "SELECT sorted, number, generated, folded, id, none, bad, decent, good FROM marks WHERE account = $1 AND "+condition, args, func(rows pgx.Rows) (m mark, err error) {
		err = rows.Scan(&m.order, &m.number, &m.Generated, &m.URL, &m.ID, &m.Counts[0], &m.Counts[1], &m.Counts[2], &m.Counts[3])
		return m, err
	})
}

// all returns the marks of an order of an account, each in its place.
func all(tx *pg.Tx, account int32, o Order) ([]mark, error) {
	return marksOf(tx, "sorted = $2 ORDER BY generated, folded, id", account, o)
}

// CutSome cuts a stretch that has grown, and reports whether there may be more to do. Stretches that have become empty go.
func (m *Marks) CutSome(a *pg.Account) (more bool, err error) {
	full, err := marksOf(a.Tx, "none + bad + decent + good > $2 LIMIT 1", a.Number, m.longest())
	if err != nil {
		return false, err
	}
	if len(full) == 0 {
		return m.markSome(a)
	}
	return true, m.cut(a, full[0])
}

// cut makes several stretches of one.
func (m *Marks) cut(a *pg.Account, full mark) error {
	o := full.order
	until, err := marksOf(a.Tx, "sorted = $2 AND (generated, folded, id) > ($3, $4, $5) ORDER BY generated, folded, id LIMIT 1", a.Number, o, full.Generated, full.URL, full.ID)
	if err != nil {
		return err
	}
	large, err := largeProjects(a)
	if err != nil {
		return err
	}
	var last int32
	if err := a.Row("SELECT max(number) FROM marks WHERE account = $1 AND sorted = $2", []any{a.Number, o}, &last); err != nil {
		return err
	}
	pieces := []*piece{{mark: mark{order: o, number: full.number, Place: full.Place}, projects: map[uint32]*Counts{}}}
	n := 0
	if err := walk(a.Tx, a.Number, o, 0, full.Place, until, func(r *Report) {
		if n++; n > m.stretch() {
			n = 1
			last++
			pieces = append(pieces, &piece{mark: mark{order: o, number: last, Place: r.in(o)}, projects: map[uint32]*Counts{}})
		}
		pieces[len(pieces)-1].add(r)
	}); err != nil {
		return err
	}
	var b pgx.Batch
	// What has become empty belongs to the stretch before it from now on.
	for _, table := range []string{"project_marks", "marks"} {
		b.Queue("DELETE FROM "+table+` t USING marks m WHERE m.account = $1 AND m.sorted = $2 AND (m.number = $3 OR m.number <> 0 AND (m.none, m.bad, m.decent, m.good) = (0, 0, 0, 0))
			AND t.account = $1 AND t.sorted = $2 AND t.number = m.number`, a.Number, o, full.number)
	}
	for _, p := range pieces {
		p.store(&b, a.Number, large)
	}
	return a.Send(&b)
}

// piece is a stretch with what it has of each project.
type piece struct {
	mark
	projects map[uint32]*Counts
}

func (p *piece) add(r *Report) {
	p.Counts[r.Result]++
	if p.projects[r.Project] == nil {
		p.projects[r.Project] = new(Counts)
	}
	p.projects[r.Project][r.Result]++
}

func (p *piece) store(b *pgx.Batch, account int32, large []uint32) {
	b.Queue("INSERT INTO marks (account, sorted, number, generated, folded, id, none, bad, decent, good) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		account, p.order, p.number, p.Generated, p.URL, p.ID, p.Counts[0], p.Counts[1], p.Counts[2], p.Counts[3])
	counts, numbers := make([]Counts, len(large)), make([]int32, len(large))
	for i, project := range large {
		if numbers[i] = p.number; p.projects[project] != nil {
			counts[i] = *p.projects[project]
		}
	}
	storeProjects(b, account, p.order, large, numbers, counts)
}

// storeProjects has b store how many reports of projects the stretches of these numbers have.
func storeProjects(b *pgx.Batch, account int32, o Order, projects []uint32, numbers []int32, counts []Counts) {
	var columns [4][]int64
	for _, c := range counts {
		for result := range columns {
			columns[result] = append(columns[result], c[result])
		}
	}
	b.Queue("INSERT INTO project_marks (account, sorted, project, number, none, bad, decent, good) SELECT $1, $2, * FROM unnest($3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])",
		account, o, projects, numbers, columns[0], columns[1], columns[2], columns[3])
}

// largeProjects returns the projects that have counts of their own.
func largeProjects(a *pg.Account) ([]uint32, error) {
	return pg.Column[uint32](a.Tx, "SELECT project FROM counts WHERE account = $1 AND marked ORDER BY project", a.Number)
}

// keys are the columns that an order is sorted by, and those of a place in their stead that the order does not look at.
var keys = map[Order]struct{ sorted, place string }{
	ByID:        {"id", "0::bigint, ''"},
	ByGenerated: {"generated, id", "generated, ''"},
	ByURL:       {"folded, id", "0::bigint, folded"},
}

// values returns the columns of a place that an order is sorted by.
func (p Place) values(o Order) []any {
	switch o {
	case ByGenerated:
		return []any{p.Generated, p.ID}
	case ByURL:
		return []any{p.URL, p.ID}
	}
	return []any{p.ID}
}

// walk calls visit for the settled reports from a place in an order on, until that of the first mark of until, if there is one. project is that of the reports, 0 for
// all whose project was not deleted. It is planned for what it is given, since it may be few reports of many.
func walk(tx *pg.Tx, account int32, o Order, project uint32, from Place, until []mark, visit func(*Report)) error {
	conditions := []string{"account = $1", "settled", "result IN (0, 1, 2, 3)"}
	args := []any{account}
	if project == 0 {
		conditions = append(conditions, "project <> ALL (ARRAY(SELECT project FROM dropped WHERE account = $1))")
	} else {
		conditions = append(conditions, fmt.Sprintf("project = %d", project))
	}
	bound := func(comparison string, at Place) {
		var places []string
		for _, value := range at.values(o) {
			args = append(args, value)
			places = append(places, fmt.Sprintf("$%d%s", len(args), typeOf(value)))
		}
		conditions = append(conditions, "("+keys[o].sorted+") "+comparison+" ("+strings.Join(places, ", ")+")")
	}
	if from != first {
		bound(">=", from)
	}
	if until != nil {
		bound("<", until[0].Place)
	}
	sql := "SELECT " + keys[o].place + ", id, project, result FROM reports WHERE " + strings.Join(conditions, " AND ") + " ORDER BY " + keys[o].sorted
	return tx.Each(sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...), func(rows pgx.Rows) error {
		var r Report
		err := rows.Scan(&r.Generated, &r.URL, &r.ID, &r.Project, &r.Result)
		visit(&r)
		return err
	})
}

// typeOf returns the cast that makes a literal what a column is compared with.
func typeOf(value any) string {
	switch value.(type) {
	case int64:
		return "::bigint"
	case uuid.UUID:
		return "::uuid"
	}
	return "::text"
}
