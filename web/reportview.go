package web

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/weburl"
)

// group is a category with its checks.
type group struct {
	audit.Category
	Gauge        gauge
	ToFix        int // without hints
	PassedChecks []audit.Outcome
	Inapplicable []audit.Outcome
}

// reportView is what the page of a report shows, to its owner or to those it is shared with.
type reportView struct {
	URL        string
	Host       string
	Gauge      gauge
	Generated  instant
	Unfinished bool
	Running    bool
	Failure    *audit.Failure
	Found      *audit.Report // nil before the first success
	ToFix      []issue       // without hints
	Hints      []issue       // of severity info
	Groups     []group
	Timings    []bar
	Sizes      []bar
	// DocumentTime and WholeTime are how long the document and the whole audit took.
	DocumentTime, WholeTime string

	Snippet *snippet // nil where it is not known
	History history  // empty before the second generation
}

func newReportView(r db.Report, found *audit.Report) reportView {
	view := reportView{
		URL: r.URL, Host: weburl.Restore(r.URL).Site(), Gauge: reportGauge(r), Generated: moment(r.GeneratedAt),
		Unfinished: r.Status.Unfinished(), Running: r.Status == db.Running, Failure: r.Failure, Found: found,
	}
	if found == nil {
		return view
	}
	view.ToFix, view.Hints = issues(found)
	view.Groups = groups(found)
	view.Timings = timingBars(found.Timings)
	view.Sizes = sizeBars(found)
	view.DocumentTime, view.WholeTime = audit.FormatMilliseconds(found.Timings.Document), audit.FormatMilliseconds(found.Timings.Total)
	if found.FinalURL != "" {
		view.Snippet = newSnippet(found)
	}
	return view
}

// issue is what a check found wrong, with the title of its category.
type issue struct {
	audit.Outcome
	CategoryTitle string
	Until         instant // the end of its being accepted; empty for none
	Accept        string  // the path of the form that accepts it; "" where it is not offered
}

// issues returns what failed or warns, the worst first, and apart from it what does not count for the score.
func issues(found *audit.Report) (toFix, hints []issue) {
	titles := map[string]string{}
	for _, c := range found.Categories {
		titles[c.ID] = c.Title
	}
	for _, outcome := range found.Problems() {
		shown := issue{Outcome: outcome, CategoryTitle: titles[outcome.Category]}
		if outcome.Accepted != nil {
			shown.Until = day(outcome.Accepted.ExpiresAt)
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
func groups(found *audit.Report) []group {
	var all []group
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
		all = append(all, group{
			Category: c, Gauge: categoryGauge(c.Score), ToFix: counting(withStatus(own, audit.Failed, audit.Warning)),
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

// bar is a small horizontal bar. At and Width are in percent of the longest.
type bar struct {
	Label, Text string
	At, Width   float64
}

// timingBars returns the phases of the document, each where the one before it ends.
func timingBars(t audit.Timings) []bar {
	phases := []struct {
		label string
		ms    float64
	}{{"Name lookup", t.DNS}, {"Connection", t.Connect}, {"Encryption", t.TLS}, {"First byte", t.TTFB}, {"Download", t.Download}}
	whole := t.DNS + t.Connect + t.TLS + t.TTFB + t.Download
	if whole <= 0 {
		return nil
	}
	var bars []bar
	at := 0.0
	for _, p := range phases {
		width := 100 * p.ms / whole
		text := audit.FormatMilliseconds(p.ms)
		if p.ms == 0 {
			text = "none"
		}
		bars = append(bars, bar{p.label, text, visible(at), visible(width)})
		at += width
	}
	return bars
}

// visible rounds to what can be seen.
func visible(length float64) float64 { return math.Round(10*length) / 10 }

func sizeBars(r *audit.Report) []bar {
	longest := max(r.Size, r.TransferSize)
	if longest <= 0 {
		return nil
	}
	width := func(n int64) float64 { return visible(100 * float64(n) / float64(longest)) }
	return []bar{
		{"Document", audit.FormatBytes(r.Size), 0, width(r.Size)},
		{"Transferred", audit.FormatBytes(r.TransferSize), 0, width(r.TransferSize)},
	}
}

// snippet is the page as search engines and social networks would show it. What is too wide is cut by the style sheet.
type snippet struct {
	Site, Trail        string
	Title, Description string
	CardTitle          string
	CardDescription    string
	CardImage          string // an address, shown as text: nothing is loaded from the page
}

func newSnippet(r *audit.Report) *snippet {
	return &snippet{
		Site: weburl.Restore(r.FinalURL).Site(), Trail: trail(r.FinalURL), Title: r.Page.Title, Description: r.Page.Description,
		CardTitle: cmp.Or(r.Page.OGTitle, r.Page.Title), CardDescription: cmp.Or(r.Page.OGDescription, r.Page.Description),
		CardImage: r.Page.OGImage,
	}
}

// trail returns the path of an address as search engines write it: "https://example.com › blog › a-post".
func trail(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	written := u.Scheme + "://" + u.Host
	for step := range strings.SplitSeq(strings.Trim(u.Path, "/"), "/") {
		if step != "" {
			written += " › " + step
		}
	}
	return written
}
