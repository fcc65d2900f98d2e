package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/sealed"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/internal/told"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/db/postgres/internal/shared"
	"sitegrade/db/postgres/internal/things"
)

// rooms are what keep records beside the reports.
type rooms struct {
	*told.Outbox      // webhooks and deliveries
	*planned.Calendar // schedules
	*crawled.Sites    // crawls
	*issues.Book      // what is wrong with projects
	*promised.Ledger  // budgets and what is accepted
	*front.Desk       // how accounts show themselves, and their forms
	*shared.Board     // what servers must know of each other
}

// tenantOf returns an account for the rooms.
func tenantOf(a *pg.Account) tenant.Account { return things.Tenant(a) }

// ofTenant returns the account that a room has.
func ofTenant(t tenant.Account) *pg.Account { return things.Account(t) }

// openRooms connects the rooms with the engine.
func (d *DB) openRooms() error {
	e := d.tenantEngine()
	box, err := sealed.New(d.options.Secret)
	if err != nil {
		return err
	}
	d.Board = &shared.Board{Pool: d.pool, Me: d.me, RefOf: d.makeAccount, Sum: box.Sum(map[string]string{"secret": "of servers"})}
	d.Outbox = &told.Outbox{Engine: e, Announce: d.Listeners.Tell}
	d.Outbox = &told.Outbox{Engine: e, Announce: d.Listeners.Tell, EachDue: d.eachWebhookDue}
	d.Calendar = &planned.Calendar{Engine: e, Report: projectOfReport, Announce: d.Listeners.Tell, Box: box}
	d.Ledger = d.newLedger(e)
	d.Book = d.newBook(e)
	d.Sites = &crawled.Sites{
		Engine: e, Box: box, Keep: d.keepPages, Tell: d.Outbox.Raise, Announce: d.Listeners.Tell, Purge: d.purge, MakeProject: d.makeProject, Failing: d.Book.Failing,
		Elsewhere: d.runsElsewhere,
	}
	d.Desk = &front.Desk{
		Engine: e, Raise: d.Outbox.Raise, Announce: d.Listeners.Tell, MakeProject: d.makeProject, CreateReport: d.createLeadReport,
		Share: func(a tenant.Account, id uuid.UUID) (string, error) { return d.shareIn(ofTenant(a), id) },
		Shared: func(ctx context.Context, share string, find func(tenant.Account, uuid.UUID) error) error {
			return d.findShared(ctx, share, func(a pg.Ref, id uuid.UUID) error {
				return d.pool.View(ctx, func(tx *pg.Tx) error { return find(tenantOf(&pg.Account{Tx: tx, Ref: a}), id) })
			})
		},
	}
	return nil
}

// tenantEngine returns what the rooms need of the engine.
func (d *DB) tenantEngine() tenant.Engine {
	within := func(run func(tenant.Account) error) func(*pg.Account) error {
		return func(a *pg.Account) error { return run(tenantOf(a)) }
	}
	return tenant.Engine{
		View: func(ctx context.Context, account string, read func(tenant.Account) error) error {
			return d.view(ctx, account, within(read))
		},
		Add: func(ctx context.Context, account string, write func(tenant.Account) error) error {
			return d.add(ctx, account, within(write))
		},
		Remove: func(ctx context.Context, account string, write func(tenant.Account) error) error {
			return d.remove(ctx, account, within(write))
		},
		Each: func(ctx context.Context, bucket string, read func(tenant.Account) error) error {
			return things.Each(ctx, d.pool, bucket, read)
		},
		Due: func(ctx context.Context, bucket string, now time.Time) (accounts []string, next time.Time, err error) {
			return things.Due(ctx, d.pool, bucket, now)
		},
		Once: func(a tenant.Account, key string, records tenant.Bucket, asked any, make func() (uuid.UUID, error)) (uuid.UUID, bool, error) {
			there := func(id uuid.UUID) (bool, error) { return records.Get(id[:]) != nil, nil }
			return d.once(ofTenant(a), key, asked, there, make)
		},
		Project: func(a tenant.Account, nameOrID string) (db.ProjectRef, error) {
			p, err := findProject(ofTenant(a).Tx, ofTenant(a).Number, nameOrID)
			return p.ref(), err
		},
		NextID: d.nextID,
		Now:    d.now,
	}
}

// shareIn returns the address part of what has an id in an account.
func (d *DB) shareIn(a *pg.Account, id uuid.UUID) (string, error) {
	var key []byte
	if err := a.Row("SELECT share_key FROM accounts WHERE account = $1", []any{a.Number}, &key); err != nil {
		return "", err
	}
	return d.share(key, id)
}

// makeProject returns the project of a name, and makes it if need be.
func (d *DB) makeProject(t tenant.Account, name string) (db.ProjectRef, error) {
	found, err := d.projectsFor(ofTenant(t), []string{name}, d.ms())
	for _, p := range found {
		return p.ref(), err
	}
	return db.ProjectRef{}, err
}

// projectOfReport returns the project of a report, or ErrNotFound.
func projectOfReport(t tenant.Account, id uuid.UUID) (db.ProjectRef, error) {
	r, err := liveRow(ofTenant(t).Tx, ofTenant(t).Number, id)
	return r.project, err
}

// createLeadReport stores a report, whose project is given by its id.
func (d *DB) createLeadReport(t tenant.Account, n db.NewReport, of uuid.UUID) (db.Report, error) {
	a := ofTenant(t)
	p, err := findProject(a.Tx, a.Number, of.String())
	if err != nil {
		return db.Report{}, err
	}
	n.Project = p.name
	c := &creation{wanted: []db.NewReport{n}, draft: record.New(n, "")}
	c.draft.Fresh = true
	if err := d.createAll(a, []any{c}); err != nil {
		return db.Report{}, err
	}
	return d.show(&c.rows[0])
}

// newLedger returns the room of what projects promise.
func (d *DB) newLedger(e tenant.Engine) *promised.Ledger {
	return &promised.Ledger{
		Engine: e,
		Number: func(t tenant.Account, nameOrID string) (uint32, error) {
			p, err := findProject(ofTenant(t).Tx, ofTenant(t).Number, nameOrID)
			return p.number, err
		},
		Project: func(t tenant.Account, number uint32) (db.Project, error) {
			all, err := d.showProjects(ofTenant(t), "p.number = $2", number)
			if err == nil && len(all) == 0 {
				err = errNoProject
			}
			if err != nil {
				return db.Project{}, err
			}
			return all[0], nil
		},
		Reports: idsBehind,
		Report:  promisedReport,
		Standing: func(t tenant.Account, id uuid.UUID) (db.Standing, error) {
			r, err := anyRecord(ofTenant(t), id)
			if err != nil {
				return db.Standing{}, err
			}
			return generationsOf(ofTenant(t)).Judged(r)
		},
		Show: func(t tenant.Account, nameOrID string) (db.Project, error) {
			_, shown, err := d.projectIn(ofTenant(t), nameOrID)
			return shown, err
		},
		Rename:     d.rename,
		Raise:      d.Outbox.Raise,
		Background: func(work func(context.Context)) { d.background.Go(func() { work(d.closing) }) },
		Announce:   d.Listeners.Tell,
	}
}

func promisedReport(t tenant.Account, id uuid.UUID) (promised.Report, error) {
	r, err := anyRecord(ofTenant(t), id)
	if err != nil {
		return promised.Report{}, err
	}
	return promised.Report{Project: r.Project, URL: r.URL, Generated: r.Generated}, nil
}

// idsBehind returns up to n ids of a project's settled reports behind an id, the oldest first.
func idsBehind(t tenant.Account, project uint32, after uuid.UUID, n int) []uuid.UUID {
	a := ofTenant(t)
	ids, err := pg.Column[uuid.UUID](a.Tx, `SELECT id FROM ((SELECT id FROM reports WHERE account = $1 AND project = $2 AND settled AND result = 0 AND id > $3 ORDER BY id LIMIT $4)
		UNION ALL (SELECT id FROM reports WHERE account = $1 AND project = $2 AND settled AND result = 1 AND id > $3 ORDER BY id LIMIT $4)
		UNION ALL (SELECT id FROM reports WHERE account = $1 AND project = $2 AND settled AND result = 2 AND id > $3 ORDER BY id LIMIT $4)
		UNION ALL (SELECT id FROM reports WHERE account = $1 AND project = $2 AND settled AND result = 3 AND id > $3 ORDER BY id LIMIT $4)) x ORDER BY id LIMIT $4`,
		a.Number, project, after, n)
	if err != nil {
		a.Fail(err)
	}
	return ids
}

// isLive reports whether a project has not been deleted.
func isLive(t tenant.Account, number uint32) (found bool) {
	if err := ofTenant(t).Row("SELECT EXISTS (SELECT FROM projects WHERE account = $1 AND number = $2)", []any{ofTenant(t).Number, number}, &found); err != nil {
		ofTenant(t).Fail(err)
	}
	return found
}

// newBook returns the room of what is wrong with projects.
func (d *DB) newBook(e tenant.Engine) *issues.Book {
	return &issues.Book{
		Engine: e,
		Number: func(t tenant.Account, project uuid.UUID) (uint32, error) {
			p, err := findProject(ofTenant(t).Tx, ofTenant(t).Number, project.String())
			return p.number, err
		},
		Projects: func(t tenant.Account, after uint32, n int) []uint32 {
			numbers, err := pg.Column[uint32](ofTenant(t).Tx, "SELECT number FROM projects WHERE account = $1 AND number > $2 ORDER BY number LIMIT $3", ofTenant(t).Number, after, n)
			if err != nil {
				ofTenant(t).Fail(err)
			}
			return numbers
		},
		Live: isLive,
		Rated: func(t tenant.Account, project uint32) (n int) {
			err := ofTenant(t).Row("SELECT bad + decent + good FROM counts WHERE account = $1 AND project = $2", []any{ofTenant(t).Number, project}, &n)
			if err != nil && !errors.Is(err, db.ErrNotFound) {
				ofTenant(t).Fail(err)
			}
			return n
		},
		Behind: idsBehind,
		Report: func(t tenant.Account, id uuid.UUID) (url string, rated bool, err error) {
			r, err := anyRecord(ofTenant(t), id)
			if err != nil {
				return "", false, err
			}
			return r.URL, r.Result != audit.Unrated, nil
		},
		Packed: func(t tenant.Account, id uuid.UUID) []byte {
			packed, err := generationsOf(ofTenant(t)).Found(id)
			if err != nil {
				ofTenant(t).Fail(err)
			}
			return packed
		},
	}
}
