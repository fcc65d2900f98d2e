package view

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// AddressRow is an address of a crawl as the list shows it.
type AddressRow struct {
	db.CrawlPage
	Gauge       template.HTML // empty unless it is a page
	StatusText  string
	StatusClass string
	ReasonText  string
	Clicks      string // how far it is from the start
}

// HasReport reports whether the address is a page, which has a report.
func (r AddressRow) HasReport() bool { return r.Report != uuid.Nil }

// clicksText says how far an address is from the start.
func clicksText(words *locale.Catalogue, depth int) string {
	switch {
	case depth < 0:
		return templates.Say(words, "crawl.no-way")
	case depth == 0:
		return templates.Say(words, "crawl.start")
	}
	return templates.Say(words, "crawl.clicks", depth)
}

// NewAddressRow returns an address of a crawl with its words and its drawing.
func NewAddressRow(words *locale.Catalogue, p db.CrawlPage) AddressRow {
	row := AddressRow{CrawlPage: p, StatusText: statusText(words, p.Status), StatusClass: statusClass(p.Status), Clicks: clicksText(words, p.Depth)}
	if p.Reason != "" {
		row.ReasonText = templates.Say(words, "unindexed."+strings.ReplaceAll(p.Reason, "_", "-"))
	}
	if p.Score != nil {
		row.Gauge = NewGauge(words, *p.Score, audit.ResultOf(*p.Score)).HTML()
	}
	return row
}

// StatusChoices are the statuses that addresses of the crawl have, and that which is filtered by.
func StatusChoices(words *locale.Catalogue, counts []db.StatusCount, selected int) []Choice {
	values, texts := []string{""}, map[string]string{"": templates.Say(words, "statuses.any")}
	add := func(status int) {
		value := strconv.Itoa(status)
		values, texts[value] = append(values, value), statusText(words, status)
	}
	for _, c := range counts {
		if c.Status != 0 {
			add(c.Status)
		}
	}
	chosen := ""
	if selected != 0 {
		chosen = strconv.Itoa(selected)
		if !slices.Contains(values, chosen) {
			add(selected)
		}
	}
	return Choices(values, chosen, texts)
}

// IndexableChoices are whether search engines may list an address; nil is both.
func IndexableChoices(words *locale.Catalogue, selected *bool) []Choice {
	chosen := ""
	if selected != nil {
		chosen = strconv.FormatBool(*selected)
	}
	return Choices([]string{"", "true", "false"}, chosen, map[string]string{
		"": templates.Say(words, "crawl.any"), "true": templates.Say(words, "crawl.indexable"), "false": templates.Say(words, "crawl.not-indexable"),
	})
}

// LinkRow is an address that pages link, as the list shows it.
type LinkRow struct {
	db.CrawlLink
	StatusText  string
	StatusClass string
}

// More is how many pages link the address beside those that are shown.
func (r LinkRow) More() int { return r.Sources - len(r.First) }

// LinkRows returns the rows of addresses that pages link; those that do not work are red.
func LinkRows(words *locale.Catalogue, links []db.CrawlLink) []LinkRow {
	var rows []LinkRow
	for _, l := range links {
		row := LinkRow{l, statusText(words, l.Status), statusClass(l.Status)}
		if l.Broken {
			row.StatusClass = "bad"
		}
		rows = append(rows, row)
	}
	return rows
}

// IssueRow is an address that a check names.
type IssueRow struct{ db.IssueRow }

// HasReport reports whether the address has a report.
func (r IssueRow) HasReport() bool { return r.Report != uuid.Nil }
