package dbtest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// records is the query for the first page of a list by creation.
var records = sortfilter.Query{SortBy: sortfilter.ByCreated, Ascending: true, PerPage: 100, Page: 1}

// hook makes a webhook of the account "a".
func hook(t *testing.T, d db.Store, n db.NewWebhook) db.Webhook {
	t.Helper()
	if n.URL == "" {
		n.URL = "https://hooks.example/in"
	}
	if n.Secret == "" {
		n.Secret = "whsec_x"
	}
	w, _, err := d.CreateWebhook(t.Context(), "a", n)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// refusedField fails unless an error is about one field.
func refusedField(t *testing.T, err error, field string) {
	t.Helper()
	var invalid *db.InvalidError
	if !errors.As(err, &invalid) || len(invalid.Fields) != 1 || invalid.Fields[0].Field != field {
		t.Errorf("the error is %v, not about %s", err, field)
	}
}

func secretOf(s db.WebhookSignature) string { return "secret of " + string(s) }

func (s suite) testWebhooks(t *testing.T) {
	d := s.open(t, Options{})
	Create(t, d, "https://example.com/")
	for field, n := range map[string]db.NewWebhook{
		"events":    {URL: "https://a.example/", Events: []string{"report.eaten"}},
		"url":       {URL: "ftp://a.example/", Events: []string{"report.done"}},
		"format":    {URL: "https://a.example/", Events: []string{"report.done"}, Format: "fax"},
		"signature": {URL: "https://a.example/", Events: []string{"report.done"}, Signature: "v2"},
		"project":   {URL: "https://a.example/", Events: []string{"report.done"}, Project: "unknown"},
	} {
		_, _, err := d.CreateWebhook(t.Context(), "a", n)
		refusedField(t, err, field)
	}
	n := db.NewWebhook{URL: "https://a.example/?x=1", Events: []string{"report.failed", "report.done", "report.done"}, Project: "example.com", Secret: "whsec_1", IdempotencyKey: "k"}
	made := hook(t, d, n)
	if len(made.Events) != 2 || made.Events[0] != db.ReportDone || made.Project.Name != "example.com" || made.Format != db.FormatStandard || !made.Enabled {
		t.Errorf("made %+v", made)
	}
	if again, repeated, err := d.CreateWebhook(t.Context(), "a", n); err != nil || !repeated || again.ID != made.ID {
		t.Errorf("a repetition gives %s, %t, %v", again.ID, repeated, err)
	}
	n.URL = "https://b.example/"
	if _, _, err := d.CreateWebhook(t.Context(), "a", n); !errors.Is(err, db.ErrIdempotencyMismatch) {
		t.Errorf("another webhook with that key gives %v", err)
	}
	off := false
	changed, err := d.UpdateWebhook(t.Context(), "a", made.ID, db.WebhookChange{Rotate: true, NewSecret: secretOf, Enabled: &off}, nil)
	if err != nil || changed.Enabled || len(changed.SecretsAt(time.Now())) != 2 || len(changed.SecretsAt(time.Now().Add(25*time.Hour))) != 1 {
		t.Errorf("changed %+v, %v", changed, err)
	}
	if same, err := d.UpdateWebhook(t.Context(), "a", made.ID, db.WebhookChange{Enabled: &off}, nil); err != nil || same.Revision != changed.Revision {
		t.Errorf("a change of nothing gives %+v, %v", same, err)
	}
	if _, err := d.UpdateWebhook(t.Context(), "a", made.ID, db.WebhookChange{Test: true}, nil); err == nil {
		t.Error("a disabled webhook is tested")
	}
	v1a, unknown := "v1a", "unknown"
	if changed, err = d.UpdateWebhook(t.Context(), "a", made.ID, db.WebhookChange{Signature: &v1a, NewSecret: secretOf}, nil); err != nil || changed.Secrets[0].Text != "secret of v1a" {
		t.Errorf("with another signature it is %+v, %v", changed, err)
	}
	_, err = d.UpdateWebhook(t.Context(), "a", made.ID, db.WebhookChange{Project: &unknown, Events: []string{}}, nil)
	if invalid, ok := errors.AsType[*db.InvalidError](err); !ok || len(invalid.Fields) != 2 {
		t.Errorf("two faults give %v", err)
	}
	if _, err := d.Webhook(t.Context(), "b", made.ID); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("another account gets %v", err)
	}
	hook(t, d, db.NewWebhook{URL: "mailto:a@example.com", Events: []string{"report.failed"}})
	if page, err := d.Webhooks(t.Context(), "a", records); err != nil || page.Total != 2 || page.Rows[1].Format != db.FormatEmail {
		t.Errorf("the list is %+v, %v", page, err)
	}
	if err := d.DeleteProject(t.Context(), "a", "example.com", nil); err != nil {
		t.Fatal(err)
	}
	if page, err := d.Webhooks(t.Context(), "a", records); err != nil || page.Total != 1 {
		t.Errorf("without the project the list is %+v, %v", page, err)
	}
}

// claimed returns what is due, of which there must be so many, and when the next is.
func claimed(t *testing.T, d db.Store, want int) ([]db.DueDelivery, time.Time) {
	t.Helper()
	due, next, err := d.ClaimDeliveries(t.Context(), db.Claiming{Places: 100, PerWebhook: 2})
	if err != nil || len(due) != want {
		t.Fatalf("%d deliveries are due (%v), not %d", len(due), err, want)
	}
	return due, next
}

func (s suite) testEventsAreDelivered(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000).UTC()
	d := s.open(t, Options{Now: func() time.Time { return now }})
	r := Create(t, d, "https://example.com/")
	Finish(t, d, r, audit.Good) // nobody is told
	w := hook(t, d, db.NewWebhook{Events: []string{"report.done", "report.regressed"}})
	hook(t, d, db.NewWebhook{URL: "https://b.example/", Events: []string{"report.failed"}})
	claimed(t, d, 0)
	if _, _, err := d.UpdateReport(t.Context(), "a", r.ID, db.Change{Regenerate: true}, nil); err != nil {
		t.Fatal(err)
	}
	Finish(t, d, r, audit.Bad)
	due, _ := claimed(t, d, 2)
	first, second := due[0], due[1]
	if first.Event.Diff == nil || first.Event.Diff.From != 1 || first.Event.Diff.To != 2 {
		t.Errorf("the differences are %+v", first.Event.Diff)
	}
	if first.Type != db.ReportDone || second.Type != db.ReportRegressed || second.Event.OldResult != audit.Good || second.Event.Report.Result != audit.Bad || first.Webhook.ID != w.ID {
		t.Errorf("due are %+v and %+v", first, second)
	}
	claimed(t, d, 0) // all are taken
	later := now.Add(5 * time.Second)
	finish(t, d, first, db.Attempted{Attempt: db.Attempt{At: now, Status: 200}, Delivered: true})
	finish(t, d, second, db.Attempted{Attempt: db.Attempt{At: now, Status: 503, Detail: "busy"}, Next: later})
	if _, next := claimed(t, d, 0); !next.Equal(later) {
		t.Errorf("the next is due at %s", next)
	}
	if stats, err := d.DeliveryStats(t.Context()); err != nil || stats.Pending != 1 || !stats.OldestPending.Equal(now) {
		t.Errorf("the numbers are %+v, %v", stats, err)
	}
	now = later
	again, _ := claimed(t, d, 1)
	if again[0].Event.ID != second.Event.ID || len(again[0].Attempts) != 1 || again[0].Tries != 1 {
		t.Errorf("again due is %+v", again[0])
	}
	finish(t, d, again[0], db.Attempted{Attempt: db.Attempt{At: now, Status: 400}})
	query := records
	query.Status = "failed"
	page, err := d.Deliveries(t.Context(), "a", w.ID, query)
	if err != nil || page.Total != 1 || len(page.Rows[0].Attempts) != 2 {
		t.Errorf("failed are %+v, %v", page, err)
	}
	if _, err := d.Resend(t.Context(), "a", w.ID, second.ID, nil); err != nil {
		t.Fatal(err)
	}
	claimed(t, d, 1)
	if shown, err := d.Delivery(t.Context(), "a", w.ID, second.ID); err != nil || shown.Status != db.DeliveryPending || len(shown.Attempts) != 2 {
		t.Errorf("resent is %+v, %v", shown, err)
	}
	if _, err := d.Resend(t.Context(), "a", w.ID, uuid.Max, nil); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("an unknown delivery gives %v", err)
	}
	if removed, err := d.DeleteOldDeliveries(t.Context(), now.Add(time.Hour)); err != nil || removed != 1 {
		t.Errorf("%d were removed, %v", removed, err)
	}
}

func (s suite) testDisabledWebhookIsToldNothing(t *testing.T) {
	d := s.open(t, Options{})
	w := hook(t, d, db.NewWebhook{Events: []string{"report.done"}})
	if _, err := d.UpdateWebhook(t.Context(), "a", w.ID, db.WebhookChange{Test: true}, nil); err != nil {
		t.Fatal(err)
	}
	due, _ := claimed(t, d, 1)
	finish(t, d, due[0], db.Attempted{Attempt: db.Attempt{Status: 503}, Next: time.Now().Add(time.Hour)})
	off := false
	if _, err := d.UpdateWebhook(t.Context(), "a", w.ID, db.WebhookChange{Enabled: &off}, nil); err != nil {
		t.Fatal(err)
	}
	if shown, err := d.Delivery(t.Context(), "a", w.ID, due[0].ID); err != nil || shown.Status != db.DeliveryFailed {
		t.Errorf("when its webhook is disabled it is %+v, %v", shown, err)
	}
	_, err := d.Resend(t.Context(), "a", w.ID, due[0].ID, nil)
	refusedField(t, err, "resend")
	Finish(t, d, Create(t, d, "https://example.com/"), audit.Good)
	if _, next := claimed(t, d, 0); !next.IsZero() {
		t.Errorf("it is told something at %s", next)
	}
}

func finish(t *testing.T, d db.Store, due db.DueDelivery, a db.Attempted) {
	t.Helper()
	if err := d.FinishDelivery(t.Context(), due, a); err != nil {
		t.Fatal(err)
	}
}

func (s suite) testWebhookIsGivenUp(t *testing.T) {
	d := s.open(t, Options{})
	r := Create(t, d, "https://example.com/")
	dead := hook(t, d, db.NewWebhook{Events: []string{"report.done"}})
	other := hook(t, d, db.NewWebhook{URL: "https://b.example/", Events: []string{"webhook.disabled"}})
	Finish(t, d, r, audit.Good)
	if _, err := d.UpdateWebhook(t.Context(), "a", dead.ID, db.WebhookChange{Test: true}, nil); err != nil {
		t.Fatal(err)
	}
	due, _ := claimed(t, d, 2)
	finish(t, d, due[0], db.Attempted{Attempt: db.Attempt{Status: 410}, Disable: "It is gone."})
	if w, err := d.Webhook(t.Context(), "a", dead.ID); err != nil || w.Enabled || w.DisabledReason != "It is gone." {
		t.Errorf("the webhook is %+v, %v", w, err)
	}
	told, _ := claimed(t, d, 1)
	if told[0].Webhook.ID != other.ID || told[0].Event.Webhook.ID != dead.ID {
		t.Errorf("told is %+v", told[0])
	}
	if err := d.DeleteWebhook(context.Background(), "a", dead.ID, nil); err != nil {
		t.Fatal(err)
	}
	finish(t, d, due[1], db.Attempted{Delivered: true}) // it was deleted since
	if page, err := d.Deliveries(t.Context(), "a", dead.ID, records); !errors.Is(err, db.ErrNotFound) {
		t.Errorf("the deliveries of a deleted webhook are %+v, %v", page, err)
	}
}

// testDeliveriesShareThePlaces has an account whose receivers never answer, and one by mail.
func (s suite) testDeliveriesShareThePlaces(t *testing.T) {
	now := time.UnixMilli(1_800_000_000_000).UTC()
	d := s.open(t, Options{Now: func() time.Time { return now }})
	test := func(account string, w db.Webhook, times int) {
		t.Helper()
		for range times {
			if _, err := d.UpdateWebhook(t.Context(), account, w.ID, db.WebhookChange{Test: true}, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 10 {
		test("a", hook(t, d, db.NewWebhook{Events: []string{"report.done"}}), 3)
	}
	other, _, err := d.CreateWebhook(t.Context(), "b", db.NewWebhook{URL: "https://b.example/", Events: []string{"report.done"}, Secret: "whsec_x"})
	if err != nil {
		t.Fatal(err)
	}
	mail, _, err := d.CreateWebhook(t.Context(), "b", db.NewWebhook{URL: "mailto:b@example.com", Events: []string{"report.done"}, Secret: "whsec_x"})
	if err != nil {
		t.Fatal(err)
	}
	test("b", other, 1)
	test("b", mail, db.MaxDigest+3)
	later := now.Add(time.Minute)
	c := db.Claiming{Places: 10, PerWebhook: 2, NotBefore: func(w uuid.UUID) time.Time {
		if w == mail.ID {
			return later
		}
		return time.Time{}
	}}
	due, next, err := d.ClaimDeliveries(t.Context(), c)
	if err != nil || len(due) != 6 || !next.Equal(later) {
		t.Fatalf("%d are taken (%v) and the next at %s, not 5 of account a, 1 of b, and the mail at %s", len(due), err, next, later)
	}
	now = later
	digest, next, err := d.ClaimDeliveries(t.Context(), c)
	if err != nil || len(digest) != db.MaxDigest || digest[0].Webhook.ID != mail.ID || !next.IsZero() {
		t.Errorf("the mail tells of %d, %v, the next at %s", len(digest), err, next)
	}
	for _, one := range digest {
		if rest, _, err := d.ClaimDeliveries(t.Context(), c); err != nil || len(rest) != 0 {
			t.Fatalf("beside a mail %d are taken, %v", len(rest), err)
		}
		finish(t, d, one, db.Attempted{Delivered: true})
	}
	if rest, _, err := d.ClaimDeliveries(t.Context(), c); err != nil || len(rest) != 3 {
		t.Errorf("after the mail %d are taken, %v", len(rest), err)
	}
}

// wantTold looks at what is told while a crawl runs: of the report that somebody asked for, and of the page that got worse.
func wantTold(t *testing.T, d db.Store, done, regressed uuid.UUID) {
	t.Helper()
	told := claimedAs(t, d, 2)
	if e := told[0].Event; e.Type != db.ReportDone || e.Report.ID != done {
		t.Errorf("told is %+v", e)
	}
	if e := told[1].Event; e.Type != db.ReportRegressed || e.Report.ID != regressed {
		t.Errorf("told is %+v", e)
	}
}
