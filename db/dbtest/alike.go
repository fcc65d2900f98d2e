package dbtest

import (
	"testing"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
)

func (s suite) testPagesAlike(t *testing.T) {
	d := s.open(t, Options{})
	report := func(url, title string) db.Report {
		r := Create(t, d, url)
		found := Findings(url, audit.Good, 90, time.Now())
		found.Page = audit.Page{Title: title}
		if err := d.FinishReport(t.Context(), JobOf(t, d, r), found, nil); err != nil {
			t.Fatal(err)
		}
		return r
	}
	outcome := func(r db.Report) audit.Outcome {
		_, found, err := d.Report(t.Context(), "a", r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range found.Checks {
			if o.ID == "duplicate-title" {
				return o
			}
		}
		t.Fatal("no check duplicate-title")
		return audit.Outcome{}
	}
	one := report("https://example.com/1", "Same")
	report("https://example.com/1", "Same")
	report("https://example.org/1", "Same")
	if o := outcome(one); o.Status != audit.Passed {
		t.Errorf("the same page and another project: %+v", o)
	}
	two := report("https://example.com/2", "Same")
	if o := outcome(one); o.Status != audit.Failed || len(o.Evidence) != 1 || o.Evidence[0].URL != two.URL {
		t.Errorf("another page with the title: %+v", o)
	}
	Check(t, d)
	if err := d.DeleteReport(t.Context(), "a", two.ID, nil); err != nil {
		t.Fatal(err)
	}
	if o := outcome(one); o.Status != audit.Passed {
		t.Errorf("after the other page went: %+v", o)
	}
}
