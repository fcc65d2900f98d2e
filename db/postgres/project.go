package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/record"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

var (
	errNoReport  = fmt.Errorf("report: %w", db.ErrNotFound)
	errNoProject = fmt.Errorf("project: %w", db.ErrNotFound)
)

// project is a project as it is stored, under its number in the account.
type project struct {
	number  uint32
	id      uuid.UUID
	created int64 // ms
	name    string
}

func (p *project) ref() db.ProjectRef { return db.ProjectRef{ID: p.id, Name: p.name} }

// findProject returns a project by its id or its name, or ErrNotFound. An id wins over a name of the same spelling: whoever names a project
// like the id of another does not get what is meant for that one.
func findProject(tx *pg.Tx, account int32, nameOrID string) (*project, error) {
	p := new(project)
	id, err := uuid.Parse(nameOrID)
	isID := err == nil && len(nameOrID) == 36
	err = tx.Row("SELECT number, id, created, name FROM projects WHERE account = $1 AND (folded = $2 OR $3 AND id = $4) ORDER BY $3 AND id = $4 DESC LIMIT 1",
		[]any{account, sortfilter.Fold(nameOrID), isID, id}, &p.number, &p.id, &p.created, &p.name)
	if errors.Is(err, db.ErrNotFound) {
		err = errNoProject
	}
	return p, err
}

// projectsFor returns the projects of these names, and makes those that do not exist.
func (d *DB) projectsFor(a *pg.Account, names []string, now int64) (map[string]*project, error) {
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = sortfilter.Fold(name)
	}
	found := make(map[string]*project, len(names))
	if err := a.Each("SELECT number, id, created, name, folded FROM projects WHERE account = $1 AND folded = ANY($2)", []any{a.Number, folded}, func(rows pgx.Rows) error {
		var p project
		var key string
		err := rows.Scan(&p.number, &p.id, &p.created, &p.name, &key)
		found[key] = &p
		return err
	}); err != nil {
		return nil, err
	}
	var missing []*project
	for i, name := range names {
		if found[folded[i]] == nil {
			found[folded[i]] = &project{id: d.nextID(), created: now, name: name}
			missing = append(missing, found[folded[i]])
		}
	}
	return found, addProjects(a, missing)
}

// addProjects stores projects under the next numbers. Their names and ids must be free.
func addProjects(a *pg.Account, projects []*project) error {
	if len(projects) == 0 {
		return nil
	}
	var last uint32
	if err := a.Written("UPDATE tenants SET last_project = last_project + $2 WHERE account = $1 RETURNING last_project", []any{a.Number, len(projects)}, &last); err != nil {
		return err
	}
	var b pgx.Batch
	for i, p := range projects {
		p.number = last - uint32(len(projects)-1-i)
		b.Queue("INSERT INTO projects (account, number, id, name, folded, created) VALUES ($1, $2, $3, $4, $5, $6)", a.Number, p.number, p.id, p.name, sortfilter.Fold(p.name), p.created)
	}
	return a.Send(&b)
}

// projectColumns are what a project shows that stands here, of projects as p and counts as c; $1 is the account.
const projectColumns = `p.number, p.id, p.created, p.name, coalesce(c.none, 0), coalesce(c.bad, 0), coalesce(c.decent, 0), coalesce(c.good, 0),
	(SELECT share_key FROM accounts WHERE account = $1)`

const projectJoins = ` LEFT JOIN counts c ON c.account = p.account AND c.project = p.number`

// scanProject reads projectColumns, and those behind them into more.
func scanProject(rows pgx.Row, more ...any) (p project, shown db.Project, shareKey []byte, err error) {
	var none int
	dest := []any{&p.number, &p.id, &p.created, &p.name, &none, &shown.Reports.Bad, &shown.Reports.Decent, &shown.Reports.Good, &shareKey}
	err = rows.Scan(append(dest, more...)...)
	shown.ProjectRef, shown.CreatedAt = p.ref(), record.Instant(p.created)
	shown.Reports.Total = none + shown.Reports.Bad + shown.Reports.Decent + shown.Reports.Good
	return p, shown, shareKey, err
}

// projectIn returns a project of an account as readers see it.
func (d *DB) projectIn(a *pg.Account, nameOrID string) (*project, db.Project, error) {
	p, err := findProject(a.Tx, a.Number, nameOrID)
	if err != nil {
		return nil, db.Project{}, err
	}
	all, err := d.showProjects(a, "p.number = $2", p.number)
	if err == nil && len(all) == 0 {
		err = errNoProject
	}
	if err != nil {
		return nil, db.Project{}, err
	}
	return p, all[0], nil
}

// showProjects returns the projects for which a condition on p holds, by number. Its arguments begin with $2.
func (d *DB) showProjects(a *pg.Account, condition string, args ...any) ([]db.Project, error) {
	var numbers []uint32
	var key []byte
	shown, err := pg.All(a.Tx, "SELECT "+projectColumns+" FROM projects p"+projectJoins+" WHERE p.account = $1 AND "+condition+" ORDER BY p.number",
		append([]any{a.Number}, args...), func(rows pgx.Rows) (db.Project, error) {
			p, shown, shareKey, err := scanProject(rows)
			numbers, key = append(numbers, p.number), shareKey
			return shown, err
		})
	if err != nil {
		return nil, err
	}
	return shown, d.promise(a, numbers, shown, key)
}

// Project is documented in db.Store.
func (d *DB) Project(ctx context.Context, account, nameOrID string) (shown db.Project, err error) {
	err = d.view(ctx, account, func(a *pg.Account) error {
		_, shown, err = d.projectIn(a, nameOrID)
		return err
	})
	return shown, err
}

// DeleteProject is documented in db.Store. Nobody sees its reports from then on, and they are removed in the background.
func (d *DB) DeleteProject(ctx context.Context, account, nameOrID string, check func(db.Project) error) error {
	err := d.remove(ctx, account, func(a *pg.Account) error {
		p, shown, err := d.projectIn(a, nameOrID)
		if err != nil {
			return err
		}
		if check != nil {
			if err := check(shown); err != nil {
				return err
			}
		}
		return d.dropProject(a, p)
	})
	if err == nil {
		d.Listeners.Tell(db.News{Account: account, Deleted: true})
		d.purge(account)
	}
	return err
}

// dropProject takes a project out of everything that readers look at, but for its reports' own rows.
func (d *DB) dropProject(a *pg.Account, p *project) error {
	if err := d.marks.Drop(a, p.number); err != nil {
		return err
	}
	var b pgx.Batch
	b.Queue(`UPDATE counts SET none = counts.none - c.none, bad = counts.bad - c.bad, decent = counts.decent - c.decent, good = counts.good - c.good
		FROM counts c WHERE counts.account = $1 AND counts.project = 0 AND c.account = $1 AND c.project = $2`, a.Number, p.number)
	b.Queue("DELETE FROM counts WHERE account = $1 AND project = $2", a.Number, p.number)
	b.Queue("DELETE FROM projects WHERE account = $1 AND number = $2", a.Number, p.number)
	b.Queue("INSERT INTO dropped (account, project) VALUES ($1, $2)", a.Number, p.number)
	b.Queue("DELETE FROM queue q USING reports r WHERE q.account = $1 AND r.account = $1 AND r.id = q.id AND r.project = $2", a.Number, p.number)
	if err := a.Send(&b); err != nil {
		return err
	}
	return d.projectDropped(a, p.number, p.id)
}
