package dbtest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"sitegrade/db"
)

func (s suite) testSharedPages(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	if owner, got, _, err := d.ReportByShare(t.Context(), r.Share); err != nil || owner != "a" || got.ID != r.ID {
		t.Fatalf("by share: %q, %+v, %v", owner, got, err)
	}
	if _, err := d.CreateReport(t.Context(), "b", db.NewReport{URL: "https://example.com/"}); err != nil {
		t.Fatal(err)
	}
	private := db.Private
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Privacy: &private}, nil); err != nil {
		t.Fatal(err)
	}
	for _, share := range []string{r.Share, "", "nonsense", strings.Repeat("A", 22), r.Share + "A"} {
		if _, _, _, err := d.ReportByShare(t.Context(), share); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("share %q: %v", share, err)
		}
		if _, _, err := d.SharedReport(t.Context(), share); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("share %q without what was found: %v", share, err)
		}
	}
}

// testSharedSites sets who may see the site of a project, and finds it by its address.
func (s suite) testSharedSites(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	if p, err := d.Project(t.Context(), "a", "example.com"); err != nil || p.Privacy != db.Private || p.Share != "" {
		t.Fatalf("a new project is %+v, %v", p, err)
	}
	public, private, password, word, long := db.Public, db.Private, db.Password, "word", strings.Repeat("x", db.MaxPassword+1)
	beyond := db.Password + 1
	for _, step := range []struct {
		change db.ProjectChange
		wrong  string
		want   db.Privacy
	}{
		{db.ProjectChange{Password: &word}, "password", db.Private},
		{db.ProjectChange{Privacy: &password}, "password", db.Private},
		{db.ProjectChange{Privacy: &password, Password: &long}, "password", db.Private},
		{db.ProjectChange{Privacy: &beyond}, "privacy", db.Private},
		{db.ProjectChange{Privacy: &password, Password: &word}, "", db.Password},
		{db.ProjectChange{Privacy: &password}, "", db.Password},
		{db.ProjectChange{NoBudget: true}, "", db.Password},
		{db.ProjectChange{Privacy: &private}, "", db.Private},
		{db.ProjectChange{Privacy: &password}, "password", db.Private},
		{db.ProjectChange{Privacy: &public}, "", db.Public},
	} {
		_, err := d.UpdateProject(t.Context(), "a", "example.com", step.change, nil)
		if step.wrong != "" {
			refusedField(t, err, step.wrong)
		} else if err != nil {
			t.Fatal(err)
		}
		p, err := d.Project(t.Context(), "a", "example.com")
		if err != nil || p.Privacy != step.want || (p.PasswordHash != "") != (step.want == db.Password) || (p.Share == "") != (step.want == db.Private) {
			t.Fatalf("after %+v: %+v, %v", step.change, p, err)
		}
	}
	p, err := d.Project(t.Context(), "a", "example.com")
	if err != nil {
		t.Fatal(err)
	}
	if owner, found, err := d.SharedProject(t.Context(), p.Share); err != nil || owner != "a" || found.ID != p.ID {
		t.Errorf("by its address it is %q, %+v, %v", owner, found, err)
	}
	if _, _, err := d.SharedReport(t.Context(), p.Share); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("as that of a report its address gives %v", err)
	}
	if _, err := d.UpdateProject(t.Context(), "a", "example.com", db.ProjectChange{Privacy: &private}, nil); err != nil {
		t.Fatal(err)
	}
	for _, share := range []string{p.Share, r.Share, "", "nonsense", p.Share + "a"} {
		if _, _, err := d.SharedProject(t.Context(), share); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("share %q: %v", share, err)
		}
	}
}

// testSharedSitesMove holds that a move by export and import keeps the addresses of sites and who may see them.
func (s suite) testSharedSitesMove(t *testing.T) {
	from, to := s.open(t, Options{}), s.open(t, Options{})
	public, password, word := db.Public, db.Password, "word"
	for name, c := range map[string]db.ProjectChange{"open": {Privacy: &public}, "locked": {Privacy: &password, Password: &word}, "closed": {}} {
		if _, err := from.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.com/", Project: name}); err != nil {
			t.Fatal(err)
		}
		if _, err := from.UpdateProject(t.Context(), "a", name, c, nil); err != nil {
			t.Fatal(err)
		}
	}
	var lines strings.Builder
	if err := from.Export(t.Context(), "", &lines); err != nil {
		t.Fatal(err)
	}
	Import(t, to, "", lines.String())
	for _, name := range []string{"open", "locked", "closed"} {
		before, err := from.Project(t.Context(), "a", name)
		if err != nil {
			t.Fatal(err)
		}
		after, err := to.Project(t.Context(), "a", name)
		if err != nil || after.Privacy != before.Privacy || after.PasswordHash != before.PasswordHash || after.Share != before.Share {
			t.Errorf("%s was %+v and is %+v, %v", name, before, after, err)
		}
	}
	for _, line := range []string{`"privacy":3`, `"privacy":2`, `"password_hash":"x"`, `"privacy":0,"password_hash":"x"`} {
		if _, err := to.Import(t.Context(), "", strings.NewReader(`{"kind":"project","name":"wrong",`+line+`}`), nil); err == nil {
			t.Errorf("a project with %s is taken", line)
		}
	}
}

// testSharedPagesOfManyAccounts finds the pages of accounts that came after others were looked for, also one whose id is of no form that
// Sitegrade makes.
func (s suite) testSharedPagesOfManyAccounts(t *testing.T) {
	d := s.open(t, Options{})
	for i := range 100 {
		account := fmt.Sprint("account ", i)
		line := fmt.Sprintf(`{"kind":"report","account":%q,"url":"https://example.com/","result":"good","id":"%08x-0000-4000-8000-000000000000"}`, account, i)
		if i%2 == 0 {
			line = fmt.Sprintf(`{"kind":"report","account":%q,"url":"https://example.com/","result":"good"}`, account)
		}
		if _, err := d.Import(t.Context(), "", strings.NewReader(line), nil); err != nil {
			t.Fatal(err)
		}
		page, err := d.Reports(t.Context(), account, Query(nil))
		if err != nil || len(page.Rows) != 1 {
			t.Fatalf("reports of %s: %+v, %v", account, page, err)
		}
		if owner, got, err := d.SharedReport(t.Context(), page.Rows[0].Share); err != nil || owner != account || got.ID != page.Rows[0].ID {
			t.Fatalf("the page of %s leads to %q, %v", account, owner, err)
		}
	}
}
