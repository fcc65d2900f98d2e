package dbtest

import (
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
)

func (s suite) testNewsComeAfterTheCommit(t *testing.T) {
	d := s.open(t, Options{})
	var heard []db.News
	cancel := d.Subscribe(func(n db.News) { heard = append(heard, n) })
	expect := func(what string, want ...db.News) {
		t.Helper()
		if len(heard) != len(want) || len(want) > 0 && heard[0] != want[0] {
			t.Errorf("%s: heard %+v, not %+v", what, heard, want)
		}
		heard = nil
	}
	queued, deleted := db.News{Account: "a", Queued: true}, db.News{Account: "a", Deleted: true}
	r := Create(t, d, "https://example.com/")
	expect("a create", queued)
	if _, err := d.CreateReport(t.Context(), "a", db.NewReport{URL: "ftp://x"}); err == nil {
		t.Error("ftp is taken")
	}
	expect("a create that was refused")
	Finish(t, d, r, audit.Good)
	expect("the end of an audit")
	private := db.Private
	for _, step := range []struct {
		change db.Change
		want   []db.News
	}{{db.Change{Privacy: &private}, nil}, {db.Change{Regenerate: true}, []db.News{queued}}} {
		if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, step.change, nil); err != nil {
			t.Fatal(err)
		}
		expect("an update", step.want...)
	}
	if err := d.DeleteReport(t.Context(), "a", r.ID, nil); err != nil {
		t.Fatal(err)
	}
	expect("a deletion", deleted)
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	expect("the deletion of a project", deleted)
	for line, want := range map[string][]db.News{
		`{"kind":"report","account":"a","url":"https://example.com/1","result":"good"}`: nil,
		`{"kind":"report","account":"a","url":"https://example.com/2"}`:                 {queued},
	} {
		if _, err := d.Import(t.Context(), "", strings.NewReader(line), nil); err != nil {
			t.Fatal(err)
		}
		expect("an import", want...)
	}
	cancel()
	Create(t, d, "https://example.com/")
	expect("a create after the end")
}
