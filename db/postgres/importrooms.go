package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/promised"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/tenant"
	"sitegrade/db/internal/told"
	"sitegrade/db/internal/transfer"
	"sitegrade/db/postgres/internal/pg"
)

// exportProjects writes the projects of an account, each with what is accepted in it behind it.
func (d *DB) exportProjects(a *pg.Account, out *json.Encoder) error {
	all, err := d.showProjects(a, "true")
	if err != nil {
		return err
	}
	numbers, err := pg.Column[uint32](a.Tx, "SELECT number FROM projects WHERE account = $1 ORDER BY number", a.Number)
	for i, shown := range all {
		var p promised.Promise
		var accepted []db.Accepted
		if err == nil {
			p, err = promised.Of(tenantOf(a), numbers[i])
		}
		if err == nil {
			accepted, err = promised.AcceptedIn(tenantOf(a), numbers[i])
		}
		shown.Standing = p.Told() // the rest is found out anew from the reports
		err = errors.Join(err, out.Encode(db.LineOfProject(a.Name, shown)))
		for _, one := range accepted {
			err = errors.Join(err, out.Encode(db.LineOfAccepted(a.Name, shown.Name, one)))
		}
	}
	return err
}

// exportTold writes webhooks, schedules, of which are for reports and so come behind them, and forms.
func (d *DB) exportTold(a *pg.Account, out *json.Encoder) error {
	t := tenantOf(a)
	webhooks, err := tenant.All[db.Webhook](t.Bucket(told.Webhooks))
	for _, w := range webhooks {
		err = errors.Join(err, out.Encode(db.LineOfWebhook(a.Name, w)))
	}
	schedules, broken := tenant.All[planned.Stored](t.Bucket(planned.Schedules))
	for _, s := range schedules {
		err = errors.Join(err, out.Encode(db.LineOfSchedule(a.Name, s.Schedule)))
	}
	return errors.Join(err, broken, front.ExportForms(t, func(line any) error { return out.Encode(line) }))
}

// importLine stores a line of what stands beside the reports, and reports whether it was new.
func (s *storing) importLine(a *storingAccount, l transfer.Line) (stored bool, err error) {
	t := tenantOf(a.Account)
	switch l.Kind {
	case db.WebhookLine:
		return s.importWebhook(a, l.Webhook)
	case db.FormLine:
		p, err := s.project(a, l.Form.Project.Name)
		if err != nil {
			return false, err
		}
		l.Form.Project = p.ref()
		s.complete(&l.Form.ID, &l.Form.CreatedAt, &l.Form.UpdatedAt)
		return front.Import(t, l.Form)
	case db.AcceptedLine:
		return s.importAccepted(a, l)
	case db.ScheduleLine:
		return s.importSchedule(a, l.Schedule)
	case db.CrawlLine:
		a.news.Crawls = a.news.Crawls || l.Crawl.Status.Unfinished()
		return s.d.Sites.Import(t, l.Crawl)
	}
	return a.crawls.Import(t, l.CrawlRow)
}

func (s *storing) importWebhook(a *storingAccount, w db.Webhook) (bool, error) {
	if w.Project.Name != "" {
		p, err := s.project(a, w.Project.Name)
		if err != nil {
			return false, err
		}
		w.Project = p.ref()
	}
	w.Revision = 1
	s.complete(&w.ID, &w.CreatedAt, &w.UpdatedAt)
	return told.Import(tenantOf(a.Account), w)
}

// importAccepted stores an accepted outcome under its project.
func (s *storing) importAccepted(a *storingAccount, l transfer.Line) (stored bool, err error) {
	p, err := s.project(a, l.Project.Name)
	if err != nil {
		return false, err
	}
	if l.Accepted.ID == uuid.Nil {
		l.Accepted.ID = s.d.nextID()
	}
	if l.Accepted.CreatedAt.IsZero() {
		l.Accepted.CreatedAt = record.Instant(s.now)
	}
	stored, err = promised.Import(tenantOf(a.Account), p.number, l.Accepted)
	return stored, errors.Join(err, promised.JudgeLater(tenantOf(a.Account), p.number))
}

func (s *storing) importSchedule(a *storingAccount, l db.Schedule) (stored bool, err error) {
	if l.Report == uuid.Nil {
		var p *project
		if p, err = s.project(a, l.Project.Name); err == nil {
			l.Project = p.ref()
		}
	} else if l.Project, err = projectOfReport(tenantOf(a.Account), l.Report); errors.Is(err, db.ErrNotFound) {
		err = fmt.Errorf("report: the line of the report %s must come before its schedules", l.Report)
	}
	if err != nil {
		return false, err
	}
	l.Revision = 1
	s.complete(&l.ID, &l.CreatedAt, &l.UpdatedAt)
	return planned.Import(tenantOf(a.Account), l, record.Instant(s.now))
}

// SharedProject is documented in db.Store.
func (d *DB) SharedProject(ctx context.Context, share string) (account string, shown db.Project, err error) {
	err = d.findShared(ctx, share, func(ref pg.Ref, id uuid.UUID) error {
		return d.pool.View(ctx, func(tx *pg.Tx) error {
			all, err := d.showProjects(&pg.Account{Tx: tx, Ref: ref}, "p.id = $2", record.SiteOf(id))
			if err == nil && (len(all) == 0 || all[0].Privacy == db.Private) {
				err = errNoProject
			}
			if err == nil {
				account, shown = ref.Name, all[0]
			}
			return err
		})
	})
	return account, shown, err
}
