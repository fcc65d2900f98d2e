package web

import (
	"html/template"
	"io"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
)

// StandaloneSite is what a crawl found, for a file that shows it without a server. Its texts are sentences or parts of them.
type StandaloneSite struct {
	URL       string
	Generated time.Time
	Score     *int // nil without a page
	Result    audit.Result
	Why       string
	Facts     []string // what was crawled
	Notes     []string // what was left out
	Issues    []StandaloneIssue
	Broken    []StandaloneIssue // an issue for each address that links lead to in vain
	Folders   []StandaloneScore
	Worst     []StandaloneScore // pages with the lowest scores
}

// StandaloneIssue is something to mend, and where.
type StandaloneIssue struct {
	Severity audit.Severity // "" for none
	Title    string
	Extent   string
	Advice   string
	Places   []StandalonePlace
	More     int // places that are not shown
}

// StandalonePlace is an address with an issue.
type StandalonePlace struct {
	URL      string
	Evidence []audit.Evidence
}

// StandaloneScore is the score of a part of a site.
type StandaloneScore struct {
	Name  string
	Text  string // what the part is
	Score int
}

// siteView is the data of a file about a site.
type siteView struct {
	StandaloneSite
	Title        string
	Policy       string
	Style        template.CSS
	Gauge        gauge
	When         instant
	FolderScores []scoreView
	WorstScores  []scoreView
	High         int // issues
	Medium       int
	Low          int
}

type scoreView struct {
	StandaloneScore
	Gauge gauge
}

func scoreViews(scores []StandaloneScore) []scoreView {
	var all []scoreView
	for _, s := range scores {
		all = append(all, scoreView{s, newGauge(s.Score, audit.ResultOf(s.Score))})
	}
	return all
}

// WriteStandaloneSite writes an HTML page about a site, of the same kind as WriteStandalone's. The error is that of w.
func WriteStandaloneSite(w io.Writer, s StandaloneSite) error {
	parts := standalone()
	score := db.NoScore
	if s.Score != nil {
		score = *s.Score
	}
	view := siteView{
		StandaloneSite: s, Title: "The site " + s.URL, Policy: parts.policy, Style: parts.style, Gauge: newGauge(score, s.Result),
		When: moment(s.Generated), FolderScores: scoreViews(s.Folders), WorstScores: scoreViews(s.Worst),
	}
	for _, i := range s.Issues {
		switch i.Severity {
		case audit.High:
			view.High++
		case audit.Medium:
			view.Medium++
		case audit.Low:
			view.Low++
		}
	}
	return parts.page.ExecuteTemplate(w, "standalonesite", view)
}
