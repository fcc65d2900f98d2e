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
