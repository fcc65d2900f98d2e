package worker

import (
	"cmp"
	"slices"
	"strconv"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/jsonappend"
	"sitegrade/locale"
	"sitegrade/notify"
)

// maxDiff is how many bytes a diff may take of the 20,000 that a delivery has.
const maxDiff = 14_000

// messageOf returns an event as receivers are told it. Addresses in it begin with base.
func messageOf(words *locale.Catalogue, e db.Event, base string) (notify.Message, error) {
	data, err := dataOf(e, base)
	return notify.Message{ID: e.ID.String(), Type: string(e.Type), Time: e.At, Data: data, Summary: summaryOf(words, e, base)}, err
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

// say returns words of what is told: those of ui.mail.<id>.
func say(words *locale.Catalogue, id string, values ...any) string {
	return words.Fill("ui.mail."+id, values...)
}

// summaryOf returns an event in words.
func summaryOf(words *locale.Catalogue, e db.Event, base string) notify.Summary {
	s := notify.Summary{
		Title: say(words, "test"), Text: say(words, "test-text"), Link: base + "/", Action: say(words, "open-sitegrade"), Good: true,
	}
	switch e.Type {
	case db.ReportDone, db.ReportFailed, db.ReportRegressed:
		s = reportSummary(words, e, base)
	case db.CrawlDone:
		s = crawlSummary(words, e, base)
	case db.BudgetBroken, db.BudgetMet:
		s = budgetSummary(words, e, base)
	case db.LeadCreated:
		s = leadSummary(words, e, base)
	case db.WebhookDisabled:
		s.Title, s.Text, s.Good = say(words, "disabled"), say(words, "disabled-text", string(e.Webhook.Format), words.Translate(e.Webhook.Reason, "ui.attempts")), false
	}
	s.Lang = string(words.Language())
	return s
}

// leadSummary tells who wrote into a form.
func leadSummary(words *locale.Catalogue, e db.Event, base string) notify.Summary {
	l := e.Lead
	s := notify.Summary{
		Title: say(words, "lead", l.Form.Name), Text: l.Message, URL: e.Report.URL, Good: true,
		Link: base + "/reports/" + e.Report.ID.String(), Action: say(words, "open-report"),
		Facts: []notify.Fact{{Name: say(words, "address"), Value: l.Email}},
	}
	if l.Name != "" {
		s.Facts = append(s.Facts, notify.Fact{Name: say(words, "name"), Value: l.Name})
	}
	return s
}

// budgetSummary tells that a project keeps its budget no longer, or again, and which report made the difference where it was one.
func budgetSummary(words *locale.Catalogue, e db.Event, base string) notify.Summary {
	p := e.Budgeted
	s := notify.Summary{
		Title: say(words, "budget-met", p.Name), Text: say(words, "budget-met-text"), Good: true,
		Link: base + "/?project=" + p.ID.String(), Action: say(words, "open-project"), Facts: []notify.Fact{{Name: say(words, "project"), Value: p.Name}},
	}
	if e.Type == db.BudgetBroken {
		s.Title, s.Text, s.Good = say(words, "budget-broken", p.Name), say(words, "budget-broken-text"), false
	}
	for _, name := range db.BudgetTerms() {
		if value := p.Budget.Term(name); value != nil {
			s.Facts = append(s.Facts, notify.Fact{Name: say(words, name), Value: strconv.Itoa(*value)})
		}
	}
	if r := e.Report; r != nil {
		s.URL, s.Link, s.Action = r.URL, base+"/reports/"+r.ID.String(), say(words, "open-report")
		if r.Score != db.NoScore {
			s.New = &r.Score
		}
	}
	return s
}

func reportSummary(words *locale.Catalogue, e db.Event, base string) notify.Summary {
	r := e.Report
	s := notify.Summary{
		URL: r.URL, Link: base + "/reports/" + r.ID.String(), Action: say(words, "open-report"), Old: e.OldScore,
		Facts: []notify.Fact{{Name: say(words, "project"), Value: r.Project.Name}},
	}
	if e.Diff != nil {
		s.Problems, s.Facts = changes(words, e.Diff.In(words.Language()), s.Facts)
	}
	if r.Score != db.NoScore && e.Type != db.ReportFailed {
		s.New = &r.Score
	}
	switch e.Type {
	case db.ReportFailed:
		s.Title = say(words, "failed", r.Project.Name)
		if r.Failure != nil {
			s.Text = audit.FailureIn(words.Language(), r.Failure).Detail
		}
	case db.ReportRegressed:
		s.Title = title(words, "worse", e)
		s.Text = say(words, "worse-text", rated(words, e.OldResult), rated(words, r.Result))
		if e.OldResult == r.Result {
			s.Text = say(words, "still", rated(words, r.Result))
		}
	default:
		s.Title, s.Text, s.Good = title(words, "done", e), say(words, "done-text", rated(words, r.Result)), r.Result == audit.Good
	}
	return s
}

// rated returns a result as a word within a sentence.
func rated(words *locale.Catalogue, r audit.Result) string {
	return say(words, cmp.Or(r.String(), "none"))
}

// title returns the title of an event of a report, with both scores where there are two.
func title(words *locale.Catalogue, id string, e db.Event) string {
	if e.OldScore == nil || e.Report.Score == db.NoScore {
		return say(words, id, e.Report.Project.Name)
	}
	return say(words, id+"-scores", e.Report.Project.Name, *e.OldScore, e.Report.Score)
}

// changes returns what broke, and the facts with how many checks broke and how many were mended.
func changes(words *locale.Catalogue, d db.Diff, facts []notify.Fact) (problems []string, _ []notify.Fact) {
	broke := slices.Concat(d.Regressed, d.Returned)
	for _, severity := range []audit.Severity{audit.High, audit.Medium, audit.Low} {
		for _, e := range broke {
			if e.Severity == severity {
				problems = append(problems, e.Title)
			}
		}
	}
	for _, f := range []notify.Fact{{Name: say(words, "new-problems"), Value: strconv.Itoa(len(broke))}, {Name: say(words, "fixed"), Value: strconv.Itoa(len(d.Fixed))}} {
		if f.Value != "0" {
			facts = append(facts, f)
		}
	}
	return problems, facts
}

func crawlSummary(words *locale.Catalogue, e db.Event, base string) notify.Summary {
	c := e.Crawl.In(words.Language())
	s := notify.Summary{
		Title: say(words, "crawl-done", c.Project.Name), URL: c.URL, Link: base + "/crawls/" + c.ID.String(), Action: say(words, "open-crawl"), New: c.Score,
		Facts: []notify.Fact{{Name: say(words, "addresses"), Value: words.Count(int64(c.Progress.Found))}}, Good: c.Score != nil && c.Result == audit.Good,
	}
	if c.Status == db.CrawlStopped {
		s.Title = say(words, "crawl-stopped", c.Project.Name)
	}
	if c.Summary != nil {
		s.Text = c.Summary.Why
		s.Facts = append(s.Facts, notify.Fact{Name: say(words, "pages"), Value: words.Count(int64(c.Summary.Pages))})
	}
	return s
}

// digestSubject returns what a mail is called that tells of several events.
func digestSubject(words *locale.Catalogue, messages []notify.Message) string {
	return say(words, "digest", len(messages), messages[0].Summary.Title)
}
