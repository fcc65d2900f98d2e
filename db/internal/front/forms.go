package front

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/db/internal/tenant"
	"sitegrade/sortfilter"
)

// CreateForm is documented in db.Store.
func (s *Desk) CreateForm(ctx context.Context, account string, n db.NewForm) (made db.Form, again bool, err error) {
	wanted, err := n.Validate(s.Engine.Now())
	if err != nil {
		return db.Form{}, false, err
	}
	err = s.Engine.Add(ctx, account, func(a tenant.Account) (err error) {
		var id uuid.UUID
		id, again, err = s.Engine.Once(a, n.IdempotencyKey, a.Bucket(Forms), n, func() (uuid.UUID, error) {
			f := wanted
			if tenant.Count(a.Bucket(Forms)) >= db.MaxForms {
				return uuid.Nil, &db.InvalidError{Fields: []db.FieldError{{Field: "name", Detail: fmt.Sprintf("is one too many: an account has at most %d forms; delete one first", db.MaxForms)}}}
			}
			if f.Project, err = s.project(a, n.Project); err != nil {
				return uuid.Nil, err
			}
			f.ID = s.Engine.NextID()
			return f.ID, putForm(a, f)
		})
		if err != nil {
			return err
		}
		made, err = s.form(a, id)
		return err
	})
	return made, again, err
}

// project returns the project of an id or a name, which is made if there is no project of that name.
func (s *Desk) project(a tenant.Account, nameOrID string) (db.ProjectRef, error) {
	found, err := s.Engine.Project(a, nameOrID)
	if !errors.Is(err, db.ErrNotFound) {
		return found, err
	}
	if id, err := uuid.Parse(nameOrID); err == nil && id.String() == nameOrID {
		return found, &db.InvalidError{Fields: []db.FieldError{{Field: "project", Detail: "is unknown: give the id or the name of a project"}}}
	}
	return s.MakeProject(a, nameOrID)
}

func putForm(a tenant.Account, f db.Form) error {
	f.Share = ""
	return tenant.Put(a.Bucket(Forms), f.ID[:], f)
}

// form returns a form with its address, or ErrNotFound.
func (s *Desk) form(a tenant.Account, id uuid.UUID) (db.Form, error) {
	f, err := tenant.Get[db.Form](a.Bucket(Forms), id[:])
	if err == nil {
		f.Share, err = s.Share(a, f.ID)
	}
	if err != nil {
		return f, fmt.Errorf("form: %w", err)
	}
	return f, nil
}

// Forms is documented in db.Store.
func (s *Desk) Forms(ctx context.Context, account string, q sortfilter.Query) (page db.Page[db.Form], err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		all, err := tenant.All[db.Form](a.Bucket(Forms))
		page = tenant.Page(all, q, func(f db.Form) string { return f.Name })
		for i := range page.Rows {
			var broken error
			page.Rows[i].Share, broken = s.Share(a, page.Rows[i].ID)
			err = errors.Join(err, broken)
		}
		return err
	})
	if errors.Is(err, db.ErrNotFound) {
		err = nil
	}
	return page, err
}

// Form is documented in db.Store.
func (s *Desk) Form(ctx context.Context, account string, id uuid.UUID) (f db.Form, err error) {
	err = s.Engine.View(ctx, account, func(a tenant.Account) error {
		f, err = s.form(a, id)
		return err
	})
	return f, err
}

// checked returns a form that check, where not nil, lets pass.
func (s *Desk) checked(a tenant.Account, id uuid.UUID, check func(db.Form) error) (db.Form, error) {
	f, err := s.form(a, id)
	if err == nil && check != nil {
		err = check(f)
	}
	return f, err
}

// UpdateForm is documented in db.Store.
func (s *Desk) UpdateForm(ctx context.Context, account string, id uuid.UUID, c db.FormChange, check func(db.Form) error) (f db.Form, err error) {
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		if f, err = s.checked(a, id, check); err != nil {
			return err
		}
		trial := f
		if err := c.Apply(&trial, db.ProjectRef{}, s.Engine.Now()); err != nil {
			return err // before a project is made for it
		}
		var project db.ProjectRef
		if c.Project != nil {
			if project, err = s.project(a, *c.Project); err != nil {
				return err
			}
		}
		if err := c.Apply(&f, project, s.Engine.Now()); err != nil {
			return err
		}
		return putForm(a, f)
	})
	return f, err
}

// DeleteForm is documented in db.Store.
func (s *Desk) DeleteForm(ctx context.Context, account string, id uuid.UUID, check func(db.Form) error) error {
	return s.Engine.Remove(ctx, account, func(a tenant.Account) error {
		if _, err := s.checked(a, id, check); err != nil {
			return err
		}
		return a.Bucket(Forms).Delete(id[:])
	})
}

// FormByShare is documented in db.Store.
func (s *Desk) FormByShare(ctx context.Context, share string) (account string, f db.Form, err error) {
	err = s.Shared(ctx, share, func(a tenant.Account, id uuid.UUID) error {
		account = a.Name
		f, err = s.form(a, id)
		if err == nil && !f.Enabled {
			err = fmt.Errorf("form: %w", db.ErrNotFound)
		}
		return err
	})
	return account, f, err
}

// CreateLead is documented in db.Store.
func (s *Desk) CreateLead(ctx context.Context, share string, n db.NewLead) (made db.Report, err error) {
	account, f, err := s.FormByShare(ctx, share)
	if err != nil {
		return db.Report{}, err
	}
	lead, page, err := n.Validate()
	if err != nil {
		return db.Report{}, err
	}
	told := false
	err = s.Engine.Add(ctx, account, func(a tenant.Account) error {
		f, err := s.checked(a, f.ID, func(f db.Form) error {
			if !f.Enabled {
				return db.ErrNotFound // since just now
			}
			return nil
		})
		if err != nil {
			return err
		}
		settings, err := s.account(a)
		if err != nil {
			return err
		}
		if made, err = s.CreateReport(a, db.NewReport{URL: page, Privacy: settings.Privacy}, f.Project.ID); err != nil {
			return err
		}
		lead.Form = db.FormRef{ID: f.ID, Name: f.Name}
		told, err = s.Raise(a, db.Event{Type: db.LeadCreated, Project: f.Project, Report: &made, Lead: &lead})
		return err
	})
	if err == nil {
		s.Announce(db.News{Account: account, Queued: true, Told: told})
	}
	return made, err
}

// DropProject removes the forms of a project. It is for the transaction that deletes it.
func DropProject(a tenant.Account, project uuid.UUID) error {
	all, err := tenant.All[db.Form](a.Bucket(Forms))
	for _, f := range all {
		if f.Project.ID == project {
			err = errors.Join(err, a.Bucket(Forms).Delete(f.ID[:]))
		}
	}
	return err
}

// RenameProject has the forms of a project show its new name.
func RenameProject(a tenant.Account, renamed db.ProjectRef) error {
	all, err := tenant.All[db.Form](a.Bucket(Forms))
	for _, f := range all {
		if f.Project.ID == renamed.ID {
			f.Project = renamed
			err = errors.Join(err, putForm(a, f))
		}
	}
	return err
}

// Import stores a form of an export unless there is one with its id, and reports whether it did.
func Import(a tenant.Account, f db.Form) (bool, error) {
	if a.Bucket(Forms).Get(f.ID[:]) != nil {
		return false, nil
	}
	return true, putForm(a, f)
}

// ExportForms writes the line of each form.
func ExportForms(a tenant.Account, write func(line any) error) error {
	all, err := tenant.All[db.Form](a.Bucket(Forms))
	for _, f := range all {
		err = errors.Join(err, write(db.LineOfForm(a.Name, f)))
	}
	return err
}
