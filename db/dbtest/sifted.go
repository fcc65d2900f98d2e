package dbtest

import (
	"fmt"
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// testSiftedLists asks for lists for which no index is made.
func (s suite) testSiftedLists(t *testing.T) {
	d := s.open(t, Options{})
	began := time.Now().Add(-time.Hour)
	names := makeSifted(t, d, began)
	for _, c := range []struct {
		change func(*sortfilter.Query)
		want   string
	}{
		{func(q *sortfilter.Query) { q.SortBy = sortfilter.ByScore }, "high fallen again low new dead"},
		{func(q *sortfilter.Query) { q.SortBy, q.Ascending = sortfilter.ByScore, true }, "low again fallen high dead new"},
		{func(q *sortfilter.Query) { q.SortBy, q.Result = sortfilter.ByScore, "decent" }, "fallen again"},
		{func(q *sortfilter.Query) { q.Status = "failed" }, "fallen dead"},
		{func(q *sortfilter.Query) { q.Status, q.Ascending, q.SortBy = "done", true, sortfilter.ByURL }, "high low"},
		{func(q *sortfilter.Query) { q.Status = "queued" }, "again"},
		{func(q *sortfilter.Query) { q.Status = "running" }, "new"},
		{func(q *sortfilter.Query) { q.Privacy = "1" }, "fallen high"},
		{func(q *sortfilter.Query) { q.Privacy, q.Search = "1", "HIGH" }, "high"},
		{func(q *sortfilter.Query) { q.Privacy = "2" }, ""},
		{func(q *sortfilter.Query) { q.Since = began.Add(2 * time.Minute) }, "fallen again high"},
		{func(q *sortfilter.Query) { q.Until = began.Add(3 * time.Minute) }, "high low"},
		{func(q *sortfilter.Query) { q.Since, q.Until = began.Add(2*time.Minute), began.Add(3*time.Minute) }, "high"},
		{func(q *sortfilter.Query) { q.Status, q.Project = "failed", "nowhere" }, ""},
	} {
		q := Query(c.change)
		page, err := d.Reports(t.Context(), "a", q)
		got := ""
		for i, r := range page.Rows {
			if i > 0 {
				got += " "
			}
			got += names[r.URL]
		}
		if err != nil || got != c.want || page.Total != len(page.Rows) {
			t.Errorf("%+v: %q of %d, not %q, %v", q, got, page.Total, c.want, err)
		}
	}
	q := Query(func(q *sortfilter.Query) { q.SortBy, q.PerPage, q.Page = sortfilter.ByScore, 4, 2 })
	if page, err := d.Reports(t.Context(), "a", q); err != nil || page.Total != 6 || len(page.Rows) != 2 || names[page.Rows[1].URL] != "dead" {
		t.Errorf("the second page: %s, %v", fmt.Sprint(page), err)
	}
}

// makeSifted makes reports that differ in what lists are sifted by, generated minute by minute from a moment on, and returns the name of each
// address.
func makeSifted(t *testing.T, d db.Store, began time.Time) map[string]string {
	names := map[string]string{}
	make := func(name string, score int, failure *audit.Failure, change db.Change) db.Report {
		r := Create(t, d, "https://"+name+".example/")
		names[r.URL] = name
		if score >= 0 {
			if err := d.FinishReport(t.Context(), JobOf(t, d, r), Findings(r.URL, audit.ResultOf(score), score, began.Add(time.Duration(len(names))*time.Minute)), nil); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, change, nil); err != nil {
			t.Fatal(err)
		}
		if failure != nil {
			if err := d.FinishReport(t.Context(), JobOf(t, d, r), nil, failure); err != nil {
				t.Fatal(err)
			}
		}
		return r
	}
	private := db.Private
	dead := &audit.Failure{Code: audit.CodeDNS, Detail: "There is no such name."}
	make("low", 10, nil, db.Change{})
	make("high", 95, nil, db.Change{Privacy: &private})
	make("dead", -1, dead, db.Change{})
	make("again", 60, nil, db.Change{Regenerate: true})
	make("fallen", 60, dead, db.Change{Regenerate: true, Privacy: &private})
	claim(t, d, JobOf(t, d, make("new", -1, nil, db.Change{})), true)
	return names
}
