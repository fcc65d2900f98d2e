package view

import (
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
)

// RunningText says what a crawl is doing.
func RunningText(c db.Crawl) string {
	switch {
	case c.Stopping:
		return "The crawl is being stopped."
	case c.Status == db.CrawlQueued:
		return "The crawl waits for its turn."
	case c.Progress.Queued == 0 && c.Progress.UnderWay == 0 && c.Progress.Found > 0:
		return "All addresses were asked for; the report of the site is being made."
	}
	return "The site is being crawled."
}

// CrawlRow is a crawl as the list shows it.
type CrawlRow struct {
	db.Crawl
	Gauge   Gauge
	Created Instant
}

// NewCrawlRow returns a crawl with its drawing.
func NewCrawlRow(words *locale.Catalogue, c db.Crawl) CrawlRow {
	return CrawlRow{c, CrawlGauge(words, c), Moment(c.CreatedAt)}
}

// Address is that of the crawl as people say it.
func (c CrawlRow) Address() string { return strings.TrimPrefix(c.URL, "https://") }

// State is where the crawl stands: a colour and a word.
func (c CrawlRow) State() State { return CrawlState(c.Crawl, c.Gauge) }

// CrawlState is where a crawl stands whose score is drawn as g.
func CrawlState(c db.Crawl, g Gauge) State {
	switch {
	case c.Stopping && c.Status.Unfinished():
		return State{Class: "busy", Text: "Stopping"}
	case c.Status == db.CrawlQueued:
		return State{Class: "busy", Text: "Queued"}
	case c.Status == db.CrawlRunning:
		return State{Class: "busy", Text: "Running"}
	case c.Status == db.CrawlFailed:
		return State{Class: "bad", Text: "Failed"}
	case c.Status == db.CrawlStopped:
		return State{Class: g.Class, Text: "Stopped"}
	}
	return State{Class: g.Class, Text: g.Verdict}
}

// CrawlGauge draws the score of a site.
func CrawlGauge(words *locale.Catalogue, c db.Crawl) Gauge { return CategoryGauge(words, c.Score) }

// ModeTexts say how crawls find addresses, by mode.
var ModeTexts = map[string]string{
	string(db.CrawlLinks): "Follow links", string(db.CrawlSitemaps): "Only what sitemaps list", string(db.CrawlList): "Only the addresses of a list",
}

// CrawlStatusTexts are the words for the statuses of crawls; that of "" is for all of them.
var CrawlStatusTexts = map[string]string{"": "All", "queued": "Queued", "running": "Running", "done": "Done", "stopped": "Stopped", "failed": "Failed"}
