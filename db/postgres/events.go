package postgres

import (
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sitegrade/db"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/issues"
	"sitegrade/db/internal/past"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/internal/told"
	"sitegrade/db/postgres/internal/pg"
	"sitegrade/sortfilter"
)

// finished judges a report whose audit has ended, and writes the events that this is; it reports whether somebody is told of them.
func (d *DB) finished(a *pg.Account, done *record.Record, o *auditEnd) (raised bool, err error) {
	t, old := tenantOf(a), &o.row.Record
	if o.found != nil {
		if err := issues.Set(t, done.Project, done.ID, o.found); err != nil {
			return false, err
		}
		if raised, err = d.judgeFinished(t, done, o); err != nil {
			return false, err
		}
	}
	if !told.HasWebhooks(t) {
		return raised, nil
	}
	shown, err := d.shown(done, o)
	if err != nil {
		return false, err
	}
	diff, regressed, err := d.changed(a, done, o)
	if err != nil {
		return false, err
	}
	events := record.Finished(old, shown, o.failure, diff, regressed)
	if o.job == (db.Job{}) {
		events = record.Crawled(old, shown, diff, regressed)
	}
	for _, event := range events {
		one, err := d.Outbox.Raise(t, event)
		if err != nil {
			return false, err
		}
		raised = raised || one
	}
	return raised, nil
}

// judgeFinished judges a report that has a new result by its project's budget.
func (d *DB) judgeFinished(t tenant.Account, done *record.Record, o *auditEnd) (raised bool, err error) {
	before := int(o.row.Score)
	if o.row.Score == record.NoScore {
		before = db.NoScore
	}
	return d.Ledger.Finished(t, promised.Report{Project: done.Project, URL: done.URL, Generated: done.Generated}, func() (db.Report, error) {
		shown, err := d.shown(done, o)
		shown.PasswordHash = ""
		return shown, err
	}, done.ID, db.StandingOf(&o.next, before))
}

// changed returns what a successful audit changed, nil where it is the first, and reports whether that is for the worse.
func (d *DB) changed(a *pg.Account, done *record.Record, o *auditEnd) (diff *db.Diff, regressed bool, err error) {
	if o.failure != nil {
		return nil, false, nil
	}
	standing, _, err := o.generations(a).Standing(done)
	if err != nil {
		return nil, false, err
	}
	latest, err := past.Diff(standing, func(from, to int) ([]db.Generation, error) { return o.generations(a).Span(done, from, to) }, 0, 0)
	if err == nil {
		diff = &latest
	} else if !errors.As(err, new(*db.InvalidError)) {
		return nil, false, err
	}
	p, err := promised.Of(tenantOf(a), done.Project)
	if err != nil {
		return nil, false, err
	}
	accepted, err := d.acceptedFor(a, done)
	return diff, p.Budget.Regressed(diff, o.row.Result, done.Result, func(check string) bool { _, is := accepted[check]; return is }), err
}

// acceptedFor returns what is accepted of a page now, by check.
func (d *DB) acceptedFor(a *pg.Account, r *record.Record) (map[string]db.Accepted, error) {
	all, err := promised.AcceptedIn(tenantOf(a), r.Project)
	if err != nil || all == nil {
		return nil, err
	}
	return db.AcceptedFor(all, r.URL, d.now()), nil
}

// promise fills in what projects with these numbers promise, and the addresses of their pages. shareKey is that of the account.
func (d *DB) promise(a *pg.Account, numbers []uint32, shown []db.Project, shareKey []byte) error {
	for i, number := range numbers {
		p, err := promised.Of(tenantOf(a), number)
		if err != nil {
			return err
		}
		p.Show(&shown[i])
		if shown[i].Privacy == db.Private {
			continue
		}
		if shown[i].Share, err = d.share(shareKey, record.SiteOf(shown[i].ID)); err != nil {
			return err
		}
	}
	return nil
}

// rename gives a project another name, which no other project may have.
func (d *DB) rename(t tenant.Account, number uint32, name string) error {
	a := ofTenant(t)
	var p project
	if err := a.Row("SELECT number, id, created, name FROM projects WHERE account = $1 AND number = $2", []any{a.Number, number}, &p.number, &p.id, &p.created, &p.name); err != nil {
		return err
	}
	if name == p.name {
		return nil
	}
	var taken bool
	if err := a.Row("SELECT EXISTS (SELECT FROM projects WHERE account = $1 AND folded = $2 AND number <> $3)", []any{a.Number, sortfilter.Fold(name), number}, &taken); err != nil {
		return err
	}
	if taken {
		return &db.InvalidError{Fields: []db.FieldError{{Field: "name", Detail: "is the name of another project"}}}
	}
	p.name = name
	return errors.Join(
		a.Write("UPDATE projects SET name = $3, folded = $4 WHERE account = $1 AND number = $2", a.Number, number, name, sortfilter.Fold(name)),
		told.RenameProject(t, p.ref()), planned.RenameProject(t, p.ref()), front.RenameProject(t, p.ref()), crawled.RenameProject(t, p.ref()))
}

// projectDropped removes what stands beside the reports of a project that is deleted.
func (d *DB) projectDropped(a *pg.Account, number uint32, id uuid.UUID) error {
	t := tenantOf(a)
	return errors.Join(told.DropProject(t, id), planned.Drop(t, id), front.DropProject(t, id), crawled.DropProject(t, id), issues.DropProject(t, number), promised.DropProject(t, number))
}

// reportsRemoved removes what stands beside reports that are deleted.
func (d *DB) reportsRemoved(a *pg.Account, project uint32, ids []uuid.UUID) error {
	t := tenantOf(a)
	promised.ForgetAhead(t, project, ids)
	planned.DropAhead(t)
	issues.Ahead(t, map[uint32][]uuid.UUID{project: ids})
	for _, id := range ids {
		if err := errors.Join(promised.Forget(t, project, id), planned.Drop(t, id), issues.Remove(t, project, id)); err != nil {
			return err
		}
	}
	return nil
}

// checkRooms compares what the rooms derive from their records.
func (d *DB) checkRooms(a *pg.Account, c *checker) error {
	t := tenantOf(a)
	isOf := func(project uint32, id uuid.UUID) bool {
		r, err := anyRecord(a, id)
		return err == nil && r.Project == project
	}
	live := func(number uint32) bool { return isLive(t, number) }
	return errors.Join(told.Check(t, c.differ), front.Check(t, c.differ), planned.Check(t, c.differ), crawled.Check(t, c.differ), issues.Check(t, c.differ, isOf, live),
		promised.Check(t, func(id uuid.UUID) (promised.Report, error) { return promisedReport(t, id) }, c.differ))
}

// keepPages stores the audits of pages in the newest report that the project has of each address, or in new ones.
func (d *DB) keepPages(t tenant.Account, of uuid.UUID, privacy db.Privacy, pages []crawled.Page) (reports []uuid.UUID, raised bool, err error) {
	a := ofTenant(t)
	p, err := findProject(a.Tx, a.Number, of.String())
	if err != nil {
		return nil, false, err
	}
	rows, err := rowsOfPages(a, p, pages)
	if err != nil {
		return nil, false, err
	}
	read, err := readGenerations(a, rows.ids())
	if err != nil {
		return nil, false, err
	}
	now := d.ms()
	isNew := map[uuid.UUID]bool{}
	for _, page := range pages {
		if rows.of[page.URL] == nil {
			r := &row{Record: record.New(db.NewReport{Privacy: privacy}, ""), project: p.ref(), shareKey: rows.shareKey}
			r.URL, r.ID, r.Project, r.Fresh, r.Created, r.Updated = page.URL, d.nextID(), p.number, true, now, now
			rows.of[page.URL], isNew[r.ID], read.newest[r.ID] = r, true, chunk{}
		}
	}
	issues.Ahead(t, map[uint32][]uuid.UUID{p.number: rows.ids()})
	for _, page := range pages {
		r := rows.of[page.URL]
		told, err := d.finish(a, auditEnd{found: page.Found, packed: page.Packed, next: db.GenerationOf(page.Found), now: now, row: r, isNew: isNew[r.ID], read: read})
		if err != nil {
			return nil, false, err
		}
		delete(isNew, r.ID)
		raised, reports = raised || told, append(reports, r.ID)
	}
	return reports, raised, nil
}

// pageRows are the newest reports of addresses in a project.
type pageRows struct {
	of       map[string]*row // by address
	shareKey []byte
}

// ids returns the ids of the reports.
func (p *pageRows) ids() (ids []uuid.UUID) {
	for _, r := range p.of {
		ids = append(ids, r.ID)
	}
	return ids
}

// rowsOfPages returns the newest reports that a project has of pages.
func rowsOfPages(a *pg.Account, p *project, pages []crawled.Page) (found pageRows, err error) {
	found.of = map[string]*row{}
	urls, folded := make([]string, len(pages)), make([]string, len(pages))
	for i, page := range pages {
		urls[i], folded[i] = page.URL, sortfilter.Fold(page.URL)
	}
	if err := a.Row("SELECT share_key FROM accounts WHERE account = $1", []any{a.Number}, &found.shareKey); err != nil {
		return found, err
	}
	var arms []string
	for _, condition := range []string{"settled AND result = 0", "settled AND result = 1", "settled AND result = 2", "settled AND result = 3", "NOT settled"} {
		arms = append(arms, "(SELECT id FROM reports WHERE account = $1 AND project = $2 AND "+condition+" AND folded = w.f AND coalesce(url, folded) = w.u ORDER BY id DESC LIMIT 1)")
	}
	err = a.Each("SELECT "+shownColumns+" FROM unnest($3::text[], $4::text[]) w(f, u) CROSS JOIN LATERAL (SELECT id FROM ("+strings.Join(arms, " UNION ALL ")+
		") x ORDER BY id DESC LIMIT 1) newest JOIN reports r ON r.account = $1 AND r.id = newest.id"+shownJoins, []any{a.Number, p.number, folded, urls}, func(rows pgx.Rows) error {
		r, err := scanRow(rows)
		found.of[r.URL] = &r
		return err
	})
	return found, err
}
