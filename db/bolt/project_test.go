package bolt

import (
	"errors"
	"testing"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/db/dbtest"
	"sitegrade/sortfilter"
)

// TestReportsOfDeletedProjectsAreGoneAtOnce looks for reports whose project was deleted, while the file still has them.
func TestReportsOfDeletedProjectsAreGoneAtOnce(t *testing.T) {
	d := open(t)
	d.close() // nothing is removed before the next start
	done := finish(t, d, create(t, d, "https://example.com/done"), audit.Good)
	waits := finish(t, d, create(t, d, "https://example.com/waits"), audit.Good)
	if _, _, err := d.UpdateReport(t.Context(), "a", waits.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	job := dbtest.JobOf(t, d, waits)
	finish(t, d, create(t, d, "https://example.org/other"), audit.Good)
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	for name, err := range reach(t, d, done.ID, job) {
		if !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s gives %v", name, err)
		}
	}
	claimed, err := d.Claim(t.Context(), job)
	jobs, jobsErr := d.Waiting(t.Context(), "a", db.Job{}, 10)
	if claimed || len(jobs) > 0 || err != nil || jobsErr != nil {
		t.Errorf("claimed %t (%v), waiting %v (%v)", claimed, err, jobs, jobsErr)
	}
	for _, q := range []sortfilter.Query{query(nil), query(func(q *sortfilter.Query) { q.Search = "example" })} {
		urls(t, d, 1, q)
	}
}

// reach tries everything that reaches a report by its id or its share.
func reach(t *testing.T, d *DB, id uuid.UUID, job db.Job) map[string]error {
	var share string
	if err := d.view(t.Context(), "a", func(a *accountTx) (err error) {
		share, err = a.share(id)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	errs := map[string]error{}
	_, _, errs["Report"] = d.Report(t.Context(), "a", id)
	_, errs["Status"] = d.Status(t.Context(), "a", id)
	_, errs["Generations"] = d.Generations(t.Context(), "a", id, query(nil))
	_, _, _, errs["Generation"] = d.Generation(t.Context(), "a", id, 1)
	_, errs["Diff"] = d.Diff(t.Context(), "a", id, 1, 2)
	_, _, _, errs["ReportByShare"] = d.ReportByShare(t.Context(), share)
	_, _, errs["SharedReport"] = d.SharedReport(t.Context(), share)
	_, _, errs["UpdateReport"] = d.UpdateReport(t.Context(), "a", id, db.Change{Regenerate: true}, nil)
	errs["DeleteReport"] = d.DeleteReport(t.Context(), "a", id, nil)
	errs["FinishReport"] = d.FinishReport(t.Context(), job, dbtest.Findings(job.URL, audit.Good, 90, d.options.Now()), nil)
	return errs
}
