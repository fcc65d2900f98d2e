package view

import (
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// RunningText says what a crawl is doing.
func RunningText(words *locale.Catalogue, c db.Crawl) string {
	doing := "running"
	switch {
	case c.Stopping:
		doing = "stopping"
	case c.Status == db.CrawlQueued:
		doing = "queued"
	case c.Progress.Queued == 0 && c.Progress.UnderWay == 0 && c.Progress.Found > 0:
		doing = "ending"
	}
	return templates.Say(words, "crawl.is-"+doing)
}

// CrawlRow is a crawl as the list shows it.
type CrawlRow struct {
	db.Crawl
	Gauge   Gauge
	Created Instant
	State   State
}

// NewCrawlRow returns a crawl with its drawing.
func NewCrawlRow(words *locale.Catalogue, c db.Crawl) CrawlRow {
	g := CrawlGauge(words, c)
	return CrawlRow{c.In(words.Language()), g, Moment(c.CreatedAt), CrawlState(words, c, g)}
}

// Address is that of the crawl as people say it.
func (c CrawlRow) Address() string { return strings.TrimPrefix(c.URL, "https://") }

// CrawlState is where a crawl stands whose score is drawn as g: a colour and a word.
func CrawlState(words *locale.Catalogue, c db.Crawl, g Gauge) State {
	class, status := g.Class, string(c.Status)
	switch {
	case c.Status == db.CrawlEnded:
		return State{Class: g.Class, Text: g.Verdict}
	case c.Status.Unfinished():
		class = "busy"
		if c.Stopping {
			status = "stopping"
		}
	case c.Status == db.CrawlFailed:
		class = "bad"
	}
	return State{Class: class, Text: templates.Say(words, "statuses."+status)}
}

// CrawlGauge draws the score of a site.
func CrawlGauge(words *locale.Catalogue, c db.Crawl) Gauge { return CategoryGauge(words, c.Score) }
