package dbtest

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"sitegrade/db"
)

// testProjectNamedLikeTheIDOfAnother holds that an id means the project that has it.
func (s suite) testProjectNamedLikeTheIDOfAnother(t *testing.T) {
	d := s.open(t, Options{})
	first := Create(t, d, "https://example.com/")
	second, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "https://example.org/", Project: first.Project.ID.String()})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := d.Project(t.Context(), "a", first.Project.ID.String()); err != nil || p.ID != first.Project.ID {
		t.Errorf("the id leads to %+v, %v", p, err)
	}
	if err := d.DeleteProject(t.Context(), "a", first.Project.ID.String(), nil); err != nil {
		t.Fatal(err)
	}
	for id, gone := range map[uuid.UUID]bool{first.ID: true, second.ID: false} {
		if _, err := d.Status(t.Context(), "a", id); errors.Is(err, db.ErrNotFound) != gone {
			t.Errorf("report %s: %v", id, err)
		}
	}
}
