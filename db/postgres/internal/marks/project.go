package marks

import (
	"github.com/jackc/pgx/v5"

	"sitegrade/db/postgres/internal/pg"
)

// A project has counts of its own in the stretches of its account once its pages cannot be found quickly without, and it is no tiny part of them:
// so there are never more than some hundreds of such projects.
const smallestShare = 200

// markSome gives a project counts of its own that has become large, and reports whether there may be others.
func (m *Marks) markSome(a *pg.Account) (more bool, err error) {
	found, err := pg.Column[uint32](a.Tx, `SELECT project FROM counts WHERE account = $1 AND project <> 0 AND NOT marked
		AND none + bad + decent + good > greatest($2, (SELECT (none + bad + decent + good) / $3 FROM counts WHERE account = $1 AND project = 0)) LIMIT 1`, a.Number, m.longest(), smallestShare)
	if err != nil || len(found) == 0 {
		return false, err
	}
	return true, markProject(a, found[0])
}

// markProject gives a project counts of its own.
func markProject(a *pg.Account, project uint32) error {
	var b pgx.Batch
	for _, o := range orders {
		marks, err := all(a.Tx, a.Number, o)
		if err != nil {
			return err
		}
		projects, numbers, counts := make([]uint32, len(marks)), make([]int32, len(marks)), make([]Counts, len(marks))
		for i := range marks {
			projects[i], numbers[i] = project, marks[i].number
		}
		at := 0
		if err := walk(a.Tx, a.Number, o, project, first, nil, func(r *Report) {
			for at+1 < len(marks) && marks[at+1].compare(r.Place) <= 0 {
				at++
			}
			counts[at][r.Result]++
		}); err != nil {
			return err
		}
		storeProjects(&b, a.Number, o, projects, numbers, counts)
	}
	b.Queue("UPDATE counts SET marked = true WHERE account = $1 AND project = $2", a.Number, project)
	return a.Send(&b)
}

// Drop takes the reports of a project out of the marks, as long as its counts are there.
func (m *Marks) Drop(a *pg.Account, project uint32) error {
	marked, err := pg.Column[bool](a.Tx, "SELECT marked FROM counts WHERE account = $1 AND project = $2", a.Number, project)
	if err != nil || len(marked) == 0 {
		return err
	}
	if !marked[0] {
		if err := markProject(a, project); err != nil {
			return err
		}
	}
	var b pgx.Batch
	b.Queue(`UPDATE marks m SET none = m.none - p.none, bad = m.bad - p.bad, decent = m.decent - p.decent, good = m.good - p.good
		FROM project_marks p WHERE m.account = $1 AND p.account = $1 AND p.project = $2 AND p.sorted = m.sorted AND p.number = m.number`, a.Number, project)
	b.Queue("DELETE FROM project_marks WHERE account = $1 AND project = $2", a.Number, project)
	return a.Send(&b)
}
