package bolt

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/bolt/internal/form"
	"sitegrade/db/internal/crawled"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/internal/told"
)

// newLedger returns the room of what projects promise.
func (d *DB) newLedger(engine tenant.Engine) *promised.Ledger {
	return &promised.Ledger{
		Engine: engine,
		Number: func(a tenant.Account, nameOrID string) (uint32, error) {
			p, err := ofTenant(a).findProject(nameOrID)
			if err != nil {
				return 0, err
			}
			return p.number, nil
		},
		Project: func(t tenant.Account, number uint32) (db.Project, error) {
			a := ofTenant(t)
			p, err := a.project(number)
			if err != nil {
				return db.Project{}, err
			}
			return a.showProject(p, a.freshTallies()[number])
		},
		Reports: func(a tenant.Account, number uint32, after uuid.UUID, n int) []uuid.UUID {
			return ofTenant(a).idsOfProjectBehind(number, after, n)
		},
		Report: promisedReport,
		Standing: func(t tenant.Account, id uuid.UUID) (db.Standing, error) {
			a := ofTenant(t)
			r, err := a.record(id)
			if err != nil {
				return db.Standing{}, err
			}
			return a.generations().Judged(r)
		},
		Show: func(a tenant.Account, nameOrID string) (db.Project, error) {
			return ofTenant(a).findAndShowProject(nameOrID)
		},
		Rename: func(t tenant.Account, number uint32, name string) error {
			a := ofTenant(t)
			p, err := a.project(number)
			if err != nil {
				return err
			}
			return a.rename(p, name)
		},
		Raise: d.Outbox.Raise,
		Background: func(work func(context.Context)) {
			d.purging.Go(func() { work(d.closing) })
		},
		Announce: d.Listeners.Tell,
	}
}

func promisedReport(a tenant.Account, id uuid.UUID) (promised.Report, error) {
	r, err := ofTenant(a).record(id)
	if err != nil {
		return promised.Report{}, err
	}
	return promised.Report{Project: r.Project, URL: r.URL, Generated: r.Generated}, nil
}

// promise returns what a project promises.
func (a *accountTx) promise(number uint32) (promised.Promise, error) {
	return promised.Decode(a.get(promisesBucket, numberKey(number)))
}

// acceptedFor returns what is accepted of a page now, by check.
func (d *DB) acceptedFor(a *accountTx, r *record.Record) (map[string]db.Accepted, error) {
	all, err := promised.AcceptedIn(a.tenant(), r.Project)
	if err != nil || all == nil {
		return nil, err
	}
	return db.AcceptedFor(all, r.URL, d.now()), nil
}

// ending is the end of an audit, in the transaction that stores it.
type ending struct {
	old, done *record.Record
	now       *db.Generation
	failure   *audit.Failure
	crawled   bool // a crawl has audited the page
}

// raiseFinished writes the events that the end of an audit is, and reports whether somebody is told of them.
func (d *DB) raiseFinished(a *accountTx, e ending) (raised bool, err error) {
	if e.failure == nil {
		if raised, err = d.judgeFinished(a, e); err != nil {
			return false, err
		}
	}
	if !told.HasWebhooks(a.tenant()) {
		return raised, nil
	}
	shown, err := d.showRecord(a, e.done)
	if err != nil {
		return false, err
	}
	diff, regressed, err := d.changed(a, e)
	if err != nil {
		return false, err
	}
	events := record.Finished(e.old, shown, e.failure, diff, regressed)
	if e.crawled {
		events = record.Crawled(e.old, shown, diff, regressed)
	}
	for _, event := range events {
		one, err := d.Outbox.Raise(a.tenant(), event)
		if err != nil {
			return false, err
		}
		raised = raised || one
	}
	return raised, nil
}

// changed returns what a successful audit changed, nil where it is the first, and reports whether that is for the worse.
func (d *DB) changed(a *accountTx, e ending) (diff *db.Diff, regressed bool, err error) {
	if e.failure != nil {
		return nil, false, nil
	}
	latest, found, err := a.latestDiff(e.done)
	if err != nil {
		return nil, false, err
	}
	if found {
		diff = &latest
	}
	p, err := a.promise(e.done.Project)
	if err != nil {
		return nil, false, err
	}
	accepted, err := d.acceptedFor(a, e.done)
	return diff, p.Budget.Regressed(diff, e.old.Result, e.done.Result, func(check string) bool { _, is := accepted[check]; return is }), err
}

// judgeFinished judges a report that has a new result by its project's budget.
func (d *DB) judgeFinished(a *accountTx, e ending) (raised bool, err error) {
	before := int(e.old.Score)
	if e.old.Score == record.NoScore {
		before = db.NoScore
	}
	return d.Ledger.Finished(a.tenant(), promised.Report{Project: e.done.Project, URL: e.done.URL, Generated: e.done.Generated},
		func() (db.Report, error) {
			shown, err := d.showRecord(a, e.done)
			shown.PasswordHash = ""
			return shown, err
		}, e.done.ID, db.StandingOf(e.now, before))
}

// rename gives a project another name, which no other project may have.
func (a *accountTx) rename(p *project, name string) error {
	if name == p.name {
		return nil
	}
	if other := a.numberOf(name); other != nil && binary.BigEndian.Uint32(other) != p.number {
		return &db.InvalidError{Fields: []db.FieldError{{Field: "name", Detail: "is the name of another project"}}}
	}
	removed := p.orderChanges(true)
	p.name = name
	return errors.Join(
		a.applyOrder(removed),
		a.applyOrder(p.orderChanges(false)),
		a.bucket(projectsBucket).Put(numberKey(p.number), form.Project(p.id, p.created, p.name)),
		told.RenameProject(a.tenant(), p.ref()),
		planned.RenameProject(a.tenant(), p.ref()),
		front.RenameProject(a.tenant(), p.ref()),
		crawled.RenameProject(a.tenant(), p.ref()))
}
