package bolt

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/front"
	"sitegrade/db/internal/planned"
	"sitegrade/db/internal/record"
	"sitegrade/db/internal/told"
)

func (s *storing) storeWebhook(a *storingAccount, w db.Webhook) (err error) {
	if w.Project.Name != "" {
		if w.Project, err = s.projectRef(a, w.Project.Name); err != nil {
			return err
		}
	}
	w.Revision = 1
	s.complete(&w.ID, &w.CreatedAt, &w.UpdatedAt)
	return s.stored(told.Import(a.tenant(), w))
}

func (s *storing) storeForm(a *storingAccount, f db.Form) (err error) {
	if f.Project, err = s.projectRef(a, f.Project.Name); err != nil {
		return err
	}
	s.complete(&f.ID, &f.CreatedAt, &f.UpdatedAt)
	return s.stored(front.Import(a.tenant(), f))
}

func (s *storing) storeSchedule(a *storingAccount, l db.Schedule) (err error) {
	if l.Report == uuid.Nil {
		l.Project, err = s.projectRef(a, l.Project.Name)
	} else if l.Project, err = projectOfReport(a.tenant(), l.Report); errors.Is(err, db.ErrNotFound) {
		err = fmt.Errorf("report: the line of the report %s must come before its schedules", l.Report)
	}
	if err != nil {
		return err
	}
	l.Revision = 1
	s.complete(&l.ID, &l.CreatedAt, &l.UpdatedAt)
	return s.stored(planned.Import(a.tenant(), l, record.Instant(s.now)))
}

// projectRef returns the project of a name, which is made if it does not exist.
func (s *storing) projectRef(a *storingAccount, name string) (db.ProjectRef, error) {
	number, err := s.project(a, name)
	if err != nil {
		return db.ProjectRef{}, err
	}
	p, err := a.project(number)
	if err != nil {
		return db.ProjectRef{}, err
	}
	return p.ref(), nil
}

// complete fills in what a line does not say.
func (s *storing) complete(id *uuid.UUID, created, updated *time.Time) {
	if created.IsZero() {
		*created = record.Instant(s.now)
	}
	if updated.IsZero() {
		*updated = *created
	}
	if *id == uuid.Nil {
		*id = s.d.ids.Next(*created)
	}
}

// stored counts what was there already.
func (s *storing) stored(isNew bool, err error) error {
	if err == nil && !isNew {
		s.skipped++
	}
	return err
}
