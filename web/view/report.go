// Package view turns what is stored into what pages show: words, colours, drawings, and lengths of bars. It knows no requests.
package view

import (
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
	"sitegrade/weburl"
)

// HostLength is how many characters of a host fit into a title that search engines do not cut.
const HostLength = 26

// ReportTitle returns what the page of a report is called.
func ReportTitle(words *locale.Catalogue, r db.Report) string {
	host := templates.Shorten(HostLength, weburl.Restore(r.URL).Site())
	if r.Score == db.NoScore {
		return templates.Say(words, "report.for", host)
	}
	return templates.Say(words, "report.title", host, ReportGauge(words, r).Label)
}

// Group is a category with its checks.
type Group struct {
	audit.Category
	Gauge        Gauge
	ToFix        int // without hints
	PassedChecks []audit.Outcome
	Inapplicable []audit.Outcome
}

// Report is what the page of a report shows, to its owner or to those it is shared with.
type Report struct {
	URL        string
	Host       string
	Gauge      Gauge
	Generated  Instant
	Unfinished bool
	Running    bool
	Failure    *audit.Failure
	Remedy     string        // what to do about the failure
	Found      *audit.Report // nil before the first success
	Final      string        // where the page answered, if that is elsewhere than its URL; "" if not
	Sums       Sums          // of what the page lists
	ToFix      []Issue       // without hints
	Hints      []Issue       // of severity info
	Groups     []Group
	Timings    []Bar
	Sizes      []Bar

	Snippet *Snippet // nil where it is not known
	History History  // empty before the second generation
}

// Files are the files that a report can be had as.
type Files struct {
	Path string // what the paths of all begin with
	Lang string // the language that links ask for; "" for none
}

// Link returns where a file is.
func (f Files) Link(name string) string {
	if f.Lang == "" {
		return f.Path + name
	}
	return f.Path + name + "?lang=" + f.Lang
}

// NewReport returns what there is to show of a report; found is nil before its first success.
func NewReport(words *locale.Catalogue, r db.Report, found *audit.Report) Report {
	found = found.In(words.Language())
	view := Report{
		URL: r.URL, Host: weburl.Restore(r.URL).Site(), Gauge: ReportGauge(words, r), Generated: Moment(r.GeneratedAt),
		Unfinished: r.Status.Unfinished(), Running: r.Status == db.Running, Found: found,
	}
	if r.Failure != nil {
		view.Failure, view.Remedy = audit.FailureIn(words.Language(), r.Failure), remedy(words, string(r.Failure.Code))
	}
	if found == nil {
		return view
	}
	view.ToFix, view.Hints = issues(found)
	view.Groups = groups(words, found)
	view.Sums = sums(view.ToFix, view.Groups)
	if found.FinalURL != r.URL {
		view.Final = found.FinalURL
	}
	view.Timings = timingBars(words, found.Timings)
	view.Sizes = sizeBars(words, found)
	if found.FinalURL != "" {
		view.Snippet = newSnippet(found)
	}
	return view
}

// remedy says what to do about a failure with a code.
func remedy(words *locale.Catalogue, code string) string {
	id := "remedies." + strings.ReplaceAll(code, "_", "-")
	if !words.Has(templates.Section + id) {
		id = "remedies.other"
	}
	return templates.Say(words, id)
}

// Sums counts what the page lists, which is less than audit.Summary where visitors do not see everything. The failures by severity and the
// warnings are together what there is to fix.
type Sums struct{ High, Medium, Low, Warnings, Passed int }

func sums(toFix []Issue, groups []Group) Sums {
	var s Sums
	for _, issue := range toFix {
		switch {
		case issue.Status == audit.Warning:
			s.Warnings++
		case issue.Severity == audit.High:
			s.High++
		case issue.Severity == audit.Medium:
			s.Medium++
		default:
			s.Low++
		}
	}
	for _, g := range groups {
		s.Passed += len(g.PassedChecks)
	}
	return s
}

// Issue is what a check found wrong, with the title of its category.
type Issue struct {
	audit.Outcome
	CategoryTitle string
	Until         Instant // the end of its being accepted; empty for none
	Accept        string  // the path of the form that accepts it; "" where it is not offered
}

// issues returns what failed or warns, the worst first, and apart from it what does not count for the score.
func issues(found *audit.Report) (toFix, hints []Issue) {
	titles := map[string]string{}
	for _, c := range found.Categories {
		titles[c.ID] = c.Title
	}
	for _, outcome := range found.Problems() {
		shown := Issue{Outcome: outcome, CategoryTitle: titles[outcome.Category]}
		if outcome.Accepted != nil {
			shown.Until = Day(outcome.Accepted.ExpiresAt)
		}
		if outcome.Severity == audit.Info {
			hints = append(hints, shown)
			continue
		}
		toFix = append(toFix, shown)
	}
	return toFix, hints
}

func withStatus(checks []audit.Outcome, statuses ...audit.Status) []audit.Outcome {
	var some []audit.Outcome
	for _, c := range checks {
		if slices.Contains(statuses, c.Status) {
			some = append(some, c)
		}
	}
	return some
}

// groups returns the categories with their checks, those without any left out.
func groups(words *locale.Catalogue, found *audit.Report) []Group {
	var all []Group
	for _, c := range found.Categories {
		var own []audit.Outcome
		for _, check := range found.Checks {
			if check.Category == c.ID {
				own = append(own, check)
			}
		}
		if len(own) == 0 {
			continue
		}
		all = append(all, Group{
			Category: c, Gauge: CategoryGauge(words, c.Score), ToFix: counting(withStatus(own, audit.Failed, audit.Warning)),
			PassedChecks: withStatus(own, audit.Passed), Inapplicable: withStatus(own, audit.NotApplicable),
		})
	}
	return all
}

// counting says how many outcomes count for the score.
func counting(outcomes []audit.Outcome) int {
	n := 0
	for _, o := range outcomes {
		if o.Severity != audit.Info {
			n++
		}
	}
	return n
}
