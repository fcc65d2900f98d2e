package db

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
)

// parseAccount reads how an account is set up.
func (l *Line) parseAccount(p *ParsedLine) (err error) {
	if l.ShareKey != "" {
		p.ShareKey, err = l.parseShareKey()
	}
	c := AccountChange{Lang: &l.Lang, Privacy: l.Privacy, Logo: l.Logo}
	if b := l.Brand; b != nil {
		c.Brand = BrandChange{&b.Name, &b.Footer, &b.Color, &b.URL}
	}
	p.Settings, p.Logo = Account{Name: l.Account}, l.Logo
	err = errors.Join(err, c.Apply(&p.Settings, timeOf(l.UpdatedAt)))
	return err
}

// FormText is a form as a line of an export has it.
type FormText struct {
	Kind      LineKind   `json:"kind"`
	Account   string     `json:"account"`
	ID        string     `json:"id,omitempty"`
	Name      string     `json:"name"`
	Project   string     `json:"project"`           // its name
	Enabled   *bool      `json:"enabled,omitempty"` // nil: true
	CreatedAt *time.Time `json:"created_at,omitempty"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
}

// LineOfForm returns the line of a form.
func LineOfForm(account string, f Form) FormText {
	return FormText{
		Kind: FormLine, Account: account, ID: f.ID.String(), Name: f.Name, Project: f.Project.Name, Enabled: &f.Enabled,
		CreatedAt: timeOrNil(f.CreatedAt), UpdatedAt: timeOrNil(f.UpdatedAt),
	}
}

// parseForm reads the line of a form, with the name of its project.
func parseForm(text []byte, id uuid.UUID) (Form, error) {
	var l FormText
	if err := json.Unmarshal(text, &l); err != nil {
		return Form{}, err
	}
	f := Form{
		ID: id, Name: l.Name, Enabled: l.Enabled == nil || *l.Enabled, CreatedAt: timeOf(l.CreatedAt), UpdatedAt: timeOf(l.UpdatedAt), Revision: 1,
	}
	f.Project.Name = l.Project
	return f, errors.Join(invalid(wrongFormName(l.Name)), validStoredName("project", l.Project))
}
