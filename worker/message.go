package worker

import (
	"fmt"
	"slices"
	"strconv"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/jsonappend"
	"sitegrade/notify"
)

// maxDiff is how many bytes a diff may take of the 20,000 that a delivery has.
const maxDiff = 14_000

// messageOf returns an event as receivers are told it. Addresses in it begin with base.
func messageOf(e db.Event, base string) (notify.Message, error) {
	data, err := dataOf(e, base)
	return notify.Message{ID: e.ID.String(), Type: string(e.Type), Time: e.At, Data: data, Summary: summaryOf(e, base)}, err
}

// dataOf returns the member "data" of the standard format: the report as lists show it, or what else the event is about.
func dataOf(e db.Event, base string) ([]byte, error) {
	b := []byte("{")
	field := func(name string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(jsonappend.String(b, name), ':')
	}
	if e.Report != nil {
		field("report")
		b = e.Report.AppendJSON(b, base)
	}
	if e.Lead != nil {
		b = e.Lead.AppendJSON(append(b, ','))
	}
	if e.Diff != nil {
		field("diff")
		b = e.Diff.Shortened(maxDiff).AppendJSON(b)
	}
	if e.Crawl != nil {
		field("crawl")
		b = e.Crawl.AppendJSON(b)
	}
	if e.Budgeted != nil {
		field("project")
		b = e.Budgeted.AppendJSON(b, base)
	}
	if e.Webhook != nil {
		field("webhook")
		b = append(b, `{"id":`...)
		b = jsonappend.UUID(b, e.Webhook.ID)
		b = append(b, `,"format":`...)
		b = jsonappend.String(b, string(e.Webhook.Format))
		b = append(b, `,"reason":`...)
		b = append(jsonappend.String(b, e.Webhook.Reason), '}')
	}
	return append(b, '}'), nil
}

// summaryOf returns an event in words.
func summaryOf(e db.Event, base string) notify.Summary {
	switch e.Type {
	case db.ReportDone, db.ReportFailed, db.ReportRegressed:
		return reportSummary(e, base)
	case db.CrawlDone:
		return crawlSummary(e, base)
	case db.BudgetBroken, db.BudgetMet:
		return budgetSummary(e, base)
	case db.LeadCreated:
		return leadSummary(e, base)
	case db.WebhookDisabled:
		return notify.Summary{
			Title: "A webhook is switched off",
			Text:  fmt.Sprintf("We no longer deliver to a webhook of the format %s. %s Switch it on again when it is mended.", e.Webhook.Format, e.Webhook.Reason),
			Link:  base + "/", Action: "Open Sitegrade", Lang: "en",
		}
	}
	return notify.Summary{
		Title: "This is a test",
		Text:  "It works: this is where Sitegrade will tell you what happens to your pages.",
		Link:  base + "/", Action: "Open Sitegrade", Good: true, Lang: "en",
	}
}

// leadSummary tells who wrote into a form.
func leadSummary(e db.Event, base string) notify.Summary {
	l := e.Lead
	s := notify.Summary{
		Title: "Somebody wrote into the form " + l.Form.Name, Text: l.Message, URL: e.Report.URL, Good: true, Lang: "en",
		Link: base + "/reports/" + e.Report.ID.String(), Action: "Open the report",
		Facts: []notify.Fact{{Name: "Mail", Value: l.Email}},
	}
	if l.Name != "" {
		s.Facts = append(s.Facts, notify.Fact{Name: "Name", Value: l.Name})
	}
	return s
}

// budgetSummary tells that a project keeps its budget no longer, or again, and which report made the difference where it was one.
func budgetSummary(e db.Event, base string) notify.Summary {
	p := e.Budgeted
	s := notify.Summary{
		Title: p.Name + " keeps its budget again", Text: "All its reports do.", Good: true, Lang: "en",
		Link: base + "/?project=" + p.ID.String(), Action: "Open the project", Facts: []notify.Fact{{Name: "Project", Value: p.Name}},
	}
	if e.Type == db.BudgetBroken {
		s.Title, s.Text, s.Good = p.Name+" breaks its budget", "At least one of its reports does not keep what the project promises.", false
	}
	for _, name := range db.BudgetTerms() {
		if value := p.Budget.Term(name); value != nil {
			s.Facts = append(s.Facts, notify.Fact{Name: budgetWords[name], Value: strconv.Itoa(*value)})
		}
	}
	if r := e.Report; r != nil {
		s.URL, s.Link, s.Action = r.URL, base+"/reports/"+r.ID.String(), "Open the report"
		if r.Score != db.NoScore {
			s.New = &r.Score
		}
	}
	return s
}

// budgetWords are the terms of a budget in words.
var budgetWords = map[string]string{
	"min_score": "Least score", "max_drop": "Greatest drop", "max_high": "Most failures of high severity", "max_medium": "Most failures of medium severity",
}

func reportSummary(e db.Event, base string) notify.Summary {
	r := e.Report
	s := notify.Summary{
		URL: r.URL, Link: base + "/reports/" + r.ID.String(), Action: "Open the report", Old: e.OldScore, Lang: "en",
		Facts: []notify.Fact{{Name: "Project", Value: r.Project.Name}},
	}
	if e.Diff != nil {
		s.Problems, s.Facts = changes(*e.Diff, s.Facts)
	}
	if r.Score != db.NoScore && e.Type != db.ReportFailed {
		s.New = &r.Score
	}
	switch {
	case e.Type == db.ReportFailed:
		s.Title = r.Project.Name + ": a page could not be audited"
		if r.Failure != nil {
			s.Text = r.Failure.Detail
		}
	case e.Type == db.ReportRegressed:
		s.Title = r.Project.Name + " got worse" + change(e)
		s.Text = "The page was " + e.OldResult.String() + " and is " + r.Result.String() + " now."
		if e.OldResult == r.Result {
			s.Text = "The page is still " + r.Result.String() + ", but something important broke."
		}
	default:
		s.Title = r.Project.Name + ": a report is done" + change(e)
		s.Text = "The page is " + r.Result.String() + "."
		s.Good = r.Result == audit.Good
	}
	return s
}

// changes returns what broke, and the facts with how many checks broke and how many were mended.
func changes(d db.Diff, facts []notify.Fact) (problems []string, _ []notify.Fact) {
	broke := slices.Concat(d.Regressed, d.Returned)
	for _, severity := range []audit.Severity{audit.High, audit.Medium, audit.Low} {
		for _, e := range broke {
			if e.Severity == severity {
				problems = append(problems, e.Title)
			}
		}
	}
	for _, f := range []notify.Fact{{Name: "New problems", Value: strconv.Itoa(len(broke))}, {Name: "Fixed", Value: strconv.Itoa(len(d.Fixed))}} {
		if f.Value != "0" {
			facts = append(facts, f)
		}
	}
	return problems, facts
}

func crawlSummary(e db.Event, base string) notify.Summary {
	c := e.Crawl
	s := notify.Summary{
		Title: c.Project.Name + ": a crawl has ended", URL: c.URL, Link: base + "/", Action: "Open Sitegrade", New: c.Score, Lang: "en",
		Facts: []notify.Fact{{Name: "Addresses", Value: strconv.Itoa(c.Progress.Found)}}, Good: c.Score != nil && c.Result == audit.Good,
	}
	if c.Status == db.CrawlStopped {
		s.Title = c.Project.Name + ": a crawl was stopped"
	}
	if c.Summary != nil {
		s.Text = c.Summary.Why
		s.Facts = append(s.Facts, notify.Fact{Name: "Pages", Value: strconv.Itoa(c.Summary.Pages)})
	}
	return s
}

// change returns how the score of a report changed, for the end of a title; "" before there are two.
func change(e db.Event) string {
	if e.OldScore == nil || e.Report.Score == db.NoScore {
		return ""
	}
	return fmt.Sprintf(": %d to %d", *e.OldScore, e.Report.Score)
}

// digestSubject returns what a mail is called that tells of several events.
func digestSubject(messages []notify.Message) string {
	return fmt.Sprintf("%d things happened: %s, and more", len(messages), messages[0].Summary.Title)
}
