package db

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

// Bounds of forms, and of what people write into them.
const (
	MaxForms       = 100 // of an account
	maxFormName    = 100 // characters
	maxLeadEmail   = 254 // bytes
	maxLeadName    = 100
	maxLeadMessage = 2000
)

// Form is a page that the account's own sites frame: whoever writes an address of a page and one of mail into it has that page audited.
type Form struct {
	ID        uuid.UUID
	Name      string
	Project   ProjectRef // of the reports that are made
	Enabled   bool
	Share     string // what the path of its page ends with, 26 lower-case letters and digits
	CreatedAt time.Time
	UpdatedAt time.Time
	Revision  uint64
}

// NewForm is what a client may say of a form that it makes.
type NewForm struct {
	Name           string
	Project        string // id or name; one of this name is made if there is not one
	Disabled       bool
	IdempotencyKey string `json:"-"`
}

// FormChange is what a client may change of a form. A nil field stays as it is.
type FormChange struct {
	Name    *string
	Project *string
	Enabled *bool
}

// Validate returns the form that n asks for, without id and project, made now. The error is *InvalidError with every wrong field.
func (n NewForm) Validate(now time.Time) (Form, error) {
	f := Form{Name: n.Name, Enabled: !n.Disabled, CreatedAt: now, UpdatedAt: now, Revision: 1}
	return f, invalid(append(wrongFormName(n.Name), wrongFormProject(n.Project)...))
}

func wrongFormName(name string) []FieldError {
	if n := utf8.RuneCountInString(name); n < 1 || n > maxFormName || !printable(name) {
		return []FieldError{{Field: "name", Detail: fmt.Sprintf("is required: 1 to %d characters by which you know the form", maxFormName)}}
	}
	return nil
}

func wrongFormProject(nameOrID string) []FieldError {
	if nameOrID == "" {
		return []FieldError{{Field: "project", Detail: "is required: the id or the name of the project that gets the reports"}}
	}
	if detail := projectNameDetail(nameOrID); detail != "" {
		return []FieldError{{Field: "project", Detail: detail}}
	}
	return nil
}

// Apply changes a form; project is the one that c.Project names. The error is *InvalidError, and then nothing has changed.
func (c FormChange) Apply(f *Form, project ProjectRef, now time.Time) error {
	changed := *f
	var wrong []FieldError
	if c.Name != nil {
		changed.Name = *c.Name
		wrong = wrongFormName(changed.Name)
	}
	if c.Project != nil {
		changed.Project = project
		wrong = append(wrong, wrongFormProject(*c.Project)...)
	}
	if c.Enabled != nil {
		changed.Enabled = *c.Enabled
	}
	if changed != *f {
		changed.UpdatedAt = now
		changed.Revision++
	}
	if err := invalid(wrong); err != nil {
		return err
	}
	*f = changed
	return nil
}

// Lead is who wrote into a form. It goes to webhooks, and is stored nowhere but in their deliveries.
type Lead struct {
	Form    FormRef
	Email   string
	Name    string
	Message string
}

// FormRef is what a lead says of its form.
type FormRef struct {
	ID   uuid.UUID
	Name string
}

// NewLead is what somebody wrote into a form.
type NewLead struct{ URL, Email, Name, Message string }

// Validate returns the lead and the address of the page, normalised. The error is *InvalidError with every wrong field.
func (n NewLead) Validate() (lead Lead, page string, err error) {
	lead = Lead{Email: strings.TrimSpace(n.Email), Name: strings.TrimSpace(n.Name), Message: strings.TrimSpace(n.Message)}
	var wrong []FieldError
	refuse := func(field, detail string) { wrong = append(wrong, FieldError{Field: field, Detail: detail}) }
	if u, err := weburl.Parse(n.URL); err == nil {
		page = u.String()
	} else if n.URL == "" {
		refuse("url", "is required: the address of a page, such as https://example.com/")
	} else {
		refuse("url", err.Error())
	}
	parsed, err := mail.ParseAddress(lead.Email)
	switch {
	case lead.Email == "":
		refuse("email", "is required: an address of mail, such as you@example.com")
	case err != nil || parsed.Address != lead.Email || len(lead.Email) > maxLeadEmail || !printable(lead.Email):
		refuse("email", "must be an address of mail, such as you@example.com")
	}
	if utf8.RuneCountInString(lead.Name) > maxLeadName || !printable(lead.Name) {
		refuse("name", fmt.Sprintf("must be at most %d characters in one line", maxLeadName))
	}
	if utf8.RuneCountInString(lead.Message) > maxLeadMessage || !printableLines(lead.Message) {
		refuse("message", fmt.Sprintf("must be at most %d characters", maxLeadMessage))
	}
	return lead, page, invalid(wrong)
}

// forms are the methods of a Store for forms.
type forms interface {
	// CreateForm stores a form. again reports that its idempotency key has made one before, which it returns as it is now. The error is
	// *InvalidError, also if the account has MaxForms; or ErrIdempotencyMismatch.
	CreateForm(ctx context.Context, account string, n NewForm) (made Form, again bool, err error)
	// Forms returns one page of the forms of an account, by creation. A search looks at their names.
	Forms(ctx context.Context, account string, q sortfilter.Query) (Page[Form], error)
	// Form returns a form, or ErrNotFound.
	Form(ctx context.Context, account string, id uuid.UUID) (Form, error)
	// UpdateForm changes a form and returns it as it is then. check sees it as it was. The error is ErrNotFound, *InvalidError, or that of check.
	UpdateForm(ctx context.Context, account string, id uuid.UUID, c FormChange, check func(Form) error) (Form, error)
	// DeleteForm removes a form. The reports that it made stay. The error is ErrNotFound, or that of check.
	DeleteForm(ctx context.Context, account string, id uuid.UUID, check func(Form) error) error
	// FormByShare returns the form whose page has this address (Form.Share), with its account. The error is ErrNotFound, also while it is not
	// enabled.
	FormByShare(ctx context.Context, share string) (account string, f Form, err error)
	// CreateLead makes a report of a page in the project of the form that has this address, with the privacy of the account's new reports, and
	// raises LeadCreated, both in one transaction. The error is that of FormByShare, or *InvalidError.
	CreateLead(ctx context.Context, share string, n NewLead) (Report, error)
}
