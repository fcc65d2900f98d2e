package dbtest

import (
	"errors"
	"strings"
	"testing"

	"sitegrade/db"
)

// logo is the least that a store takes for one.
func logo(more string) *db.Logo {
	return &db.Logo{MediaType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n" + more)}
}

// fillAccount sets the account "a" up, and gives it a form.
func fillAccount(t testing.TB, d db.Store) {
	t.Helper()
	c := db.AccountChange{
		Lang: new("pt"), Privacy: new(db.Private), Logo: logo("x"),
		Brand: db.BrandChange{Name: new("Ångström & Söhne"), Footer: new("One line\nand another"), Color: new("#0a5"), URL: new("https://agency.example")},
	}
	if _, err := d.UpdateAccount(t.Context(), "a", c, nil); err != nil {
		t.Fatal(err)
	}
	form(t, d, db.NewForm{Name: "On our site", Project: "Leads", Disabled: true})
}

// form makes a form of the account "a".
func form(t testing.TB, d db.Store, n db.NewForm) db.Form {
	t.Helper()
	f, _, err := d.CreateForm(t.Context(), "a", n)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (s suite) testAccounts(t *testing.T) {
	d := s.open(t, Options{})
	fresh, err := d.Account(t.Context(), "a")
	if err != nil || fresh != (db.Account{Name: "a"}) {
		t.Fatalf("an account that has nothing is %+v, %v", fresh, err)
	}
	long := func(n int) *string { return new(strings.Repeat("ß", n)) }
	for field, c := range map[string]db.AccountChange{
		"lang":            {Lang: new("tlh")},
		"default_privacy": {Privacy: new(db.Password)},
		"brand.name":      {Brand: db.BrandChange{Name: long(101)}},
		"brand.footer":    {Brand: db.BrandChange{Footer: new("a\x00b")}},
		"brand.color":     {Brand: db.BrandChange{Color: new("#0a5;}")}},
		"brand.url":       {Brand: db.BrandChange{URL: new("javascript:alert(1)")}},
		"logo":            {Logo: &db.Logo{MediaType: "image/svg+xml", Data: []byte("<svg/>")}},
	} {
		_, err := d.UpdateAccount(t.Context(), "a", c, nil)
		refusedField(t, err, field)
	}
	if _, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{Lang: new("de")}, func(db.Account) error { return errors.ErrUnsupported }); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a change that its check refuses gives %v", err)
	}
	fillAccount(t, d)
	got, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{Lang: new(""), Brand: db.BrandChange{Color: new(""), Footer: long(500)}}, nil)
	want := db.Brand{Name: "Ångström & Söhne", Footer: *long(500), URL: "https://agency.example/"}
	if err != nil || got.Brand != want || got.Lang != "" || got.Privacy != db.Private || got.LogoShare == "" || got.UpdatedAt.IsZero() {
		t.Errorf("merged to %+v, %v", got, err)
	}
	if same, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{Lang: new("")}, nil); err != nil || same != got {
		t.Errorf("a change of nothing makes it %+v, %v", same, err)
	}
	if out, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{SignOut: true}, nil); err != nil || out.SignedOut.Before(got.UpdatedAt) || out.Brand != got.Brand {
		t.Errorf("signed out it is %+v, %v", out, err)
	}
	if bare, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{NoBrand: true}, nil); err != nil || bare.Brand != (db.Brand{}) || bare.Logo == got.Logo && bare.Revision <= got.Revision {
		t.Errorf("without its brand it is %+v, %v", bare, err)
	}
	if other, err := d.Account(t.Context(), "b"); err != nil || other.Revision != 0 {
		t.Errorf("another account is %+v, %v", other, err)
	}
}

func (s suite) testLogos(t *testing.T) {
	d := s.open(t, Options{})
	shares := []string{"nonsense"}
	for _, picture := range []string{"first", "second"} {
		a, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{Logo: logo(picture)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := d.LogoByShare(t.Context(), a.LogoShare); err != nil || string(got.Data) != string(logo(picture).Data) || got.MediaType != "image/png" {
			t.Errorf("the logo is %q, %v", got.Data, err)
		}
		shares = append(shares, a.LogoShare)
	}
	if gone, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{NoLogo: true}, nil); err != nil || gone.LogoShare != "" {
		t.Errorf("after its removal the logo is at %q, %v", gone.LogoShare, err)
	}
	for _, share := range shares {
		if _, err := d.LogoByShare(t.Context(), share); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("at %s is %v", share, err)
		}
	}
}

func (s suite) testForms(t *testing.T) {
	d := s.open(t, Options{})
	for field, n := range map[string]db.NewForm{
		"name": {Project: "Leads"}, "project": {Name: "x"},
	} {
		_, _, err := d.CreateForm(t.Context(), "a", n)
		refusedField(t, err, field)
	}
	_, _, err := d.CreateForm(t.Context(), "a", db.NewForm{Name: "x", Project: "019b7e5a-3c00-7000-8000-000000000001"})
	refusedField(t, err, "project")
	n := db.NewForm{Name: "On our site", Project: "Leads", IdempotencyKey: "k"}
	made := form(t, d, n)
	if p, err := d.Project(t.Context(), "a", "Leads"); err != nil || p.ID != made.Project.ID || !made.Enabled || made.Share == "" {
		t.Errorf("made %+v for the project %+v, %v", made, p, err)
	}
	if again, repeated, err := d.CreateForm(t.Context(), "a", n); err != nil || !repeated || again != made {
		t.Errorf("a repetition gives %+v, %t, %v", again, repeated, err)
	}
	if _, err := d.Form(t.Context(), "b", made.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	if _, err := d.UpdateProject(t.Context(), "a", "Leads", db.ProjectChange{Name: new("Customers")}, nil); err != nil {
		t.Fatal(err)
	}
	if owner, f, err := d.FormByShare(t.Context(), made.Share); err != nil || owner != "a" || f.Project.Name != "Customers" {
		t.Errorf("its page is of %q: %+v, %v", owner, f, err)
	}
	changed, err := d.UpdateForm(t.Context(), "a", made.ID, db.FormChange{Name: new("Old"), Enabled: new(false)}, nil)
	if err != nil || changed.Name != "Old" || changed.Enabled || changed.Share != made.Share || changed.Revision == made.Revision {
		t.Errorf("changed to %+v, %v", changed, err)
	}
	if _, _, err := d.FormByShare(t.Context(), made.Share); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the page of a form that is switched off gives %v", err)
	}
	if page, err := d.Forms(t.Context(), "a", records); err != nil || page.Total != 1 || page.Rows[0] != changed {
		t.Errorf("the list has %+v, %v", page, err)
	}
	other := form(t, d, db.NewForm{Name: "Other", Project: "Other"})
	if err := d.DeleteForm(t.Context(), "a", other.ID, nil); err != nil {
		t.Fatal(err)
	}
	if err := d.DeleteProject(t.Context(), "a", "Customers", nil); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []db.Form{made, other} {
		if _, err := d.Form(t.Context(), "a", gone.ID); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("the form %s is there: %v", gone.Name, err)
		}
	}
}

func (s suite) testLeads(t *testing.T) {
	d := s.open(t, Options{})
	hook(t, d, db.NewWebhook{Events: []string{"lead.created"}})
	f := form(t, d, db.NewForm{Name: "On our site", Project: "Leads"})
	good := db.NewLead{URL: "https://Example.com", Email: " ada@example.com ", Name: "Ada", Message: "Please\ncall"}
	for field, spoil := range map[string]func(*db.NewLead){
		"url":     func(n *db.NewLead) { n.URL = "ftp://example.com" },
		"email":   func(n *db.NewLead) { n.Email = "Ada <ada@example.com>" },
		"name":    func(n *db.NewLead) { n.Name = "A\nB" },
		"message": func(n *db.NewLead) { n.Message = strings.Repeat("x", 2001) },
	} {
		bad := good
		spoil(&bad)
		_, err := d.CreateLead(t.Context(), f.Share, bad)
		refusedField(t, err, field)
	}
	r, err := d.CreateLead(t.Context(), f.Share, good)
	if err != nil || r.Project.Name != "Leads" || r.URL != "https://example.com/" || r.Share == "" || r.Status != db.Queued {
		t.Fatalf("the report is %+v, %v", r, err)
	}
	JobOf(t, d, r)
	due, _, err := d.ClaimDeliveries(t.Context(), db.Claiming{Places: 10, PerWebhook: 10})
	if err != nil || len(due) != 1 {
		t.Fatalf("due are %+v, %v", due, err)
	}
	want := db.Lead{Form: db.FormRef{ID: f.ID, Name: f.Name}, Email: "ada@example.com", Name: "Ada", Message: "Please\ncall"}
	if e := due[0].Event; e.Type != db.LeadCreated || e.Lead == nil || *e.Lead != want || e.Report == nil || e.Report.ID != r.ID || e.Project.Name != "Leads" {
		t.Errorf("told is %+v", e)
	}
	if _, err := d.UpdateAccount(t.Context(), "a", db.AccountChange{Privacy: new(db.Private)}, nil); err != nil {
		t.Fatal(err)
	}
	if r, err := d.CreateLead(t.Context(), f.Share, good); err != nil || r.Privacy != db.Private {
		t.Errorf("with private as the default the report is %+v, %v", r, err)
	}
	if _, err := d.UpdateForm(t.Context(), "a", f.ID, db.FormChange{Enabled: new(false)}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := d.CreateLead(t.Context(), f.Share, good); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("a form that is switched off takes a lead: %v", err)
	}
}

func (s suite) testAccountsMove(t *testing.T) {
	from, to := s.open(t, Options{}), s.open(t, Options{})
	fillAccount(t, from)
	Import(t, to, "", Export(t, from))
	want, err := from.Account(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	got, err := to.Account(t.Context(), "a")
	if want.Revision = got.Revision; err != nil || got != want {
		t.Errorf("moved as %+v (%v), not %+v", got, err, want)
	}
	if picture, err := to.LogoByShare(t.Context(), want.LogoShare); err != nil || string(picture.Data) != string(logo("x").Data) {
		t.Errorf("the logo moved as %q, %v", picture.Data, err)
	}
	forms, err := from.Forms(t.Context(), "a", records)
	if err != nil || forms.Total != 1 {
		t.Fatalf("forms: %+v, %v", forms, err)
	}
	moved, err := to.Form(t.Context(), "a", forms.Rows[0].ID)
	if moved.Project.ID = forms.Rows[0].Project.ID; err != nil || moved != forms.Rows[0] {
		t.Errorf("the form moved as %+v (%v), not %+v", moved, err, forms.Rows[0])
	}
	changed, err := to.UpdateAccount(t.Context(), "a", db.AccountChange{Lang: new("it")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	Import(t, to, "", Export(t, from))
	if kept, err := to.Account(t.Context(), "a"); err != nil || kept != changed {
		t.Errorf("a second import makes of %+v %+v, %v", changed, kept, err)
	}
}
