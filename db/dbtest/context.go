package dbtest

import (
	"context"
	"errors"
	"io"
	"testing"

	"sitegrade/auth"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// testEndedContext holds that no method does anything for a caller that has gone.
func (s suite) testEndedContext(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]func() error{
		"CreateReport":    func() error { _, err := d.CreateReport(ended, "a", db.NewReport{URL: r.URL}); return err },
		"Report":          func() error { _, _, err := d.Report(ended, "a", r.ID); return err },
		"Status":          func() error { _, err := d.Status(ended, "a", r.ID); return err },
		"ReportByShare":   func() error { _, _, _, err := d.ReportByShare(ended, r.Share); return err },
		"SharedReport":    func() error { _, _, err := d.SharedReport(ended, r.Share); return err },
		"DeleteReport":    func() error { return d.DeleteReport(ended, "a", r.ID, nil) },
		"Reports":         func() error { _, err := d.Reports(ended, "a", sortfilter.Query{}); return err },
		"Generations":     func() error { _, err := d.Generations(ended, "a", r.ID, sortfilter.Query{}); return err },
		"Generation":      func() error { _, _, _, err := d.Generation(ended, "a", r.ID, 1); return err },
		"Diff":            func() error { _, err := d.Diff(ended, "a", r.ID, 0, 0); return err },
		"Projects":        func() error { _, err := d.Projects(ended, "a", sortfilter.Query{}); return err },
		"Project":         func() error { _, err := d.Project(ended, "a", r.Project.Name); return err },
		"AccountsWaiting": func() error { _, err := d.AccountsWaiting(ended); return err },
		"Waiting":         func() error { _, err := d.Waiting(ended, "a", db.Job{}, 1); return err },
		"Claim":           func() error { _, err := d.Claim(ended, JobOf(t, d, r)); return err },
		"KeptResponse":    func() error { _, err := d.KeptResponse(ended, "a", db.NewReport{IdempotencyKey: "k"}); return err },
		"DeleteExpired":   func() error { _, err := d.DeleteExpired(ended); return err },
		"KeyByHash":       func() error { _, err := d.KeyByHash(ended, auth.Hash{}); return err },
		"Keys":            func() error { _, err := d.Keys(ended, "a"); return err },
		"Export":          func() error { return d.Export(ended, "a", io.Discard) },
		"Check":           func() error { _, err := d.Check(ended); return err },
	} {
		if err := call(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if status, err := d.Status(t.Context(), "a", r.ID); err != nil || status != db.Queued {
		t.Errorf("the report is %v: %v", status, err)
	}
}
