package worker

import (
	"strings"
	"testing"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
)

// TestMessagesInAllLanguages holds that what mails and chats say has words in each language, and other ones than in English.
func TestMessagesInAllLanguages(t *testing.T) {
	old, project := 82, db.ProjectRef{Name: "Shop"}
	report := &db.Report{URL: "https://shop.example/", Project: project, Score: 63, Result: audit.Decent}
	for _, e := range []db.Event{
		{Type: db.ReportDone, Report: report},
		{Type: db.ReportFailed, Report: &db.Report{Project: project, Score: db.NoScore, Failure: &audit.Failure{Detail: "The server did not respond in time."}}},
		{Type: db.ReportRegressed, Report: report, OldScore: &old, OldResult: audit.Good},
		{Type: db.ReportRegressed, Report: report, OldScore: &old, OldResult: audit.Decent},
		{Type: db.BudgetBroken, Budgeted: &db.Project{ProjectRef: project, Budget: db.Budget{MinScore: &old}}},
		{Type: db.BudgetMet, Budgeted: &db.Project{ProjectRef: project}},
		{Type: db.CrawlDone, Crawl: &db.Crawl{Project: project}},
		{Type: db.LeadCreated, Report: report, Lead: &db.Lead{Name: "Ada"}},
		{Type: db.WebhookDisabled, Webhook: &db.WebhookFault{Format: db.FormatSlack, Reason: "The mail server could not be reached."}},
		{Type: db.WebhookTest},
	} {
		english := summaryOf(locale.For(locale.English), e, "https://seo.example")
		for _, l := range locale.Languages()[1:] {
			s := summaryOf(locale.For(l), e, "https://seo.example")
			said := []string{s.Title, s.Text, s.Action}
			for _, f := range s.Facts {
				said = append(said, f.Name)
			}
			if s.Lang != string(l) || s.Title == english.Title || s.Text != "" && s.Text == english.Text || strings.Contains(strings.Join(said, " "), "ui.mail") {
				t.Errorf("%s: %s: %q", l, e.Type, said)
			}
		}
	}
}
