package standalone

import (
	"html/template"
	"io"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// Site is what a crawl found, for a file that shows it without a server. Its texts are sentences or parts of them, in the language of the file.
type Site struct {
	URL       string
	Generated time.Time
	Score     *int // nil without a page
	Result    audit.Result
	Why       string
	Facts     []string // what was crawled
	Notes     []string // what was left out
	Issues    []Issue
	Broken    []Issue // an issue for each address that links lead to in vain
	Folders   []Score
	Worst     []Score // pages with the lowest scores
}

// Issue is something to mend, and where.
type Issue struct {
	Severity audit.Severity // "" for none
	Title    string
	Extent   string
	Advice   string
	Places   []Place
	More     int // places that are not shown
}

// Place is an address with an issue.
type Place struct {
	URL      string
	Evidence []audit.Evidence
}

// Score is the score of a part of a site.
type Score struct {
	Name  string
	Text  string // what the part is
	Score int
}

// siteView is the data of a file about a site.
type siteView struct {
	Site
	Title        string
	Policy       string
	Brand        *view.Brand // nil: there is no account
	Style        template.CSS
	Gauge        view.Gauge
	When         view.Instant
	FolderScores []scoreView
	WorstScores  []scoreView
	High         int // issues
	Medium       int
	Low          int
}

type scoreView struct {
	Score
	Gauge view.Gauge
}

func scoreViews(words *locale.Catalogue, scores []Score) []scoreView {
	var all []scoreView
	for _, s := range scores {
		all = append(all, scoreView{s, view.NewGauge(words, s.Score, audit.ResultOf(s.Score))})
	}
	return all
}

// WriteSite writes an HTML page about a site in the language of the words, of the same kind as Write's. The error is that of w.
func WriteSite(w io.Writer, words *locale.Catalogue, s Site) error {
	parts := standalone[words.Language()]()
	score := db.NoScore
	if s.Score != nil {
		score = *s.Score
	}
	shown := siteView{
		Site: s, Title: templates.Say(words, "site.title", s.URL), Policy: parts.policy, Style: parts.style, Gauge: view.NewGauge(words, score, s.Result),
		When: view.Moment(s.Generated), FolderScores: scoreViews(words, s.Folders), WorstScores: scoreViews(words, s.Worst),
	}
	for _, i := range s.Issues {
		switch i.Severity {
		case audit.High:
			shown.High++
		case audit.Medium:
			shown.Medium++
		case audit.Low:
			shown.Low++
		}
	}
	return parts.page.ExecuteTemplate(w, "standalonesite", shown)
}
