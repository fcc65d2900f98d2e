package view

import (
	"html/template"
	"slices"
	"strconv"

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
}

// HasReport reports whether the address is a page, which has a report.
func (r AddressRow) HasReport() bool { return r.Report != uuid.Nil }

// Clicks says how far the address is from the start.
func (r AddressRow) Clicks() string {
	switch {
	case r.Depth < 0:
		return "no links lead here"
	case r.Depth == 0:
		return "the start"
	}
	return templates.Count(r.Depth, "click")
}

// NewAddressRow returns an address of a crawl with its words and its drawing.
func NewAddressRow(words *locale.Catalogue, p db.CrawlPage) AddressRow {
	row := AddressRow{CrawlPage: p, StatusText: statusText(p.Status), StatusClass: statusClass(p.Status), ReasonText: reasonTexts[p.Reason]}
	if p.Score != nil {
		row.Gauge = NewGauge(words, *p.Score, audit.ResultOf(*p.Score)).HTML()
	}
	return row
}

var reasonTexts = map[string]string{
	"redirect": "redirects", "client_error": "an error", "server_error": "an error of the server", "no_answer": "no response",
	"robots_txt": "forbidden by robots.txt", "not_html": "not HTML", "noindex": "noindex", "canonical": "another address is canonical",
}

// StatusChoices are the statuses that addresses of the crawl have, and that which is filtered by.
func StatusChoices(counts []db.StatusCount, selected int) []Choice {
	values, texts := []string{""}, map[string]string{"": "Any status"}
	add := func(status int) {
		value := strconv.Itoa(status)
		values, texts[value] = append(values, value), statusText(status)
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
func IndexableChoices(selected *bool) []Choice {
	chosen := ""
	if selected != nil {
		chosen = strconv.FormatBool(*selected)
	}
	return Choices([]string{"", "true", "false"}, chosen, map[string]string{"": "All", "true": "Indexable", "false": "Not indexable"})
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
func LinkRows(links []db.CrawlLink) []LinkRow {
	var rows []LinkRow
	for _, l := range links {
		row := LinkRow{l, statusText(l.Status), statusClass(l.Status)}
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
