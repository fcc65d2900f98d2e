package web

import (
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
)

// crawlList is what the lists of a crawl have in common.
type crawlList struct {
	frame
	crawlPlace
	listChoices // of which Sizes alone are shown
	Orders      []choice
	Query       sortfilter.Query
	Pages       pager
	Path        string // of the list
}

// newCrawlList returns a list without its rows.
func newCrawlList(v *visit, p crawlPlace, title, path, noun string, parameters []sortfilter.Parameter, q sortfilter.Query, total int) crawlList {
	return crawlList{
		frame: p.frame(title), crawlPlace: p, listChoices: newListChoices(parameters, q), Query: q, Path: path,
		Orders: choices([]string{"asc", "desc"}, q.Direction(), map[string]string{"asc": "Nearest first", "desc": "Farthest first"}),
		Pages:  newPager(path, noun, q, total, v.r.URL.RawQuery),
	}
}

// addressRow is an address of a crawl as the list shows it.
type addressRow struct {
	db.CrawlPage
	Gauge       template.HTML // empty unless it is a page
	StatusText  string
	StatusClass string
	ReasonText  string
}

// HasReport reports whether the address is a page, which has a report.
func (r addressRow) HasReport() bool { return r.Report != uuid.Nil }

// Clicks says how far the address is from the start.
func (r addressRow) Clicks() string {
	switch {
	case r.Depth < 0:
		return "no links lead here"
	case r.Depth == 0:
		return "the start"
	}
	return count(r.Depth, "click")
}

// addressesPage is the data of the list of a crawl's addresses.
type addressesPage struct {
	crawlList
	Rows       []addressRow
	Statuses   []choice
	Indexables []choice
}

var reasonTexts = map[string]string{
	"redirect": "redirects", "client_error": "an error", "server_error": "an error of the server", "no_answer": "no response",
	"robots_txt": "forbidden by robots.txt", "not_html": "not HTML", "noindex": "noindex", "canonical": "another address is canonical",
}

func (w *Web) listCrawlPages(v *visit, p crawlPlace) error {
	q, err := sortfilter.Parse(v.r.URL.RawQuery, sortfilter.CrawlPageParameters)
	if err != nil {
		return err
	}
	page, err := w.store.CrawlPages(v.r.Context(), p.account, p.ID, q)
	if err != nil {
		return err
	}
	found, err := w.store.CrawlOverview(v.r.Context(), p.account, p.ID)
	if err != nil {
		return err
	}
	shown := addressesPage{
		crawlList: newCrawlList(v, p, "Addresses of "+shorten(titleHost, p.Host()), p.Base+"/pages", "address", sortfilter.CrawlPageParameters, q, page.Total),
		Statuses:  statusChoices(found.Statuses, q.HTTPStatus), Indexables: indexableChoices(q.Indexable),
	}
	for _, r := range page.Rows {
		row := addressRow{CrawlPage: r, StatusText: statusText(r.Status), StatusClass: statusClass(r.Status), ReasonText: reasonTexts[r.Reason]}
		if r.Score != nil {
			row.Gauge = newGauge(*r.Score, audit.ResultOf(*r.Score)).HTML()
		}
		shown.Rows = append(shown.Rows, row)
	}
	w.sendPage(v, http.StatusOK, "crawlpages", shown)
	return nil
}

// statusChoices are the statuses that addresses of the crawl have, and that which is filtered by.
func statusChoices(counts []db.StatusCount, selected int) []choice {
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
	return choices(values, chosen, texts)
}

func indexableChoices(selected *bool) []choice {
	chosen := ""
	if selected != nil {
		chosen = strconv.FormatBool(*selected)
	}
	return choices([]string{"", "true", "false"}, chosen, map[string]string{"": "All", "true": "Indexable", "false": "Not indexable"})
}

// linkRow is an address that pages link, as the list shows it.
type linkRow struct {
	db.CrawlLink
	StatusText  string
	StatusClass string
}

// More is how many pages link the address beside those that are shown.
func (r linkRow) More() int { return r.Sources - len(r.First) }

// linksPage is the data of the list of links.
type linksPage struct {
	crawlList
	Rows   []linkRow
	Broken []choice
}

func (w *Web) listCrawlLinks(v *visit, p crawlPlace) error {
	q, err := sortfilter.Parse(v.r.URL.RawQuery, sortfilter.CrawlLinkParameters)
	if err != nil {
		return err
	}
	page, err := w.store.CrawlLinks(v.r.Context(), p.account, p.ID, q)
	if err != nil {
		return err
	}
	shown := linksPage{
		crawlList: newCrawlList(v, p, "Links of "+shorten(titleHost, p.Host()), p.Base+"/links", "address", sortfilter.CrawlLinkParameters, q, page.Total),
		Broken:    choices([]string{"", "broken"}, q.Status, map[string]string{"": "All", "broken": "Broken"}),
		Rows:      linkRows(page.Rows),
	}
	w.sendPage(v, http.StatusOK, "crawllinks", shown)
	return nil
}

func linkRows(links []db.CrawlLink) []linkRow {
	var rows []linkRow
	for _, l := range links {
		row := linkRow{l, statusText(l.Status), statusClass(l.Status)}
		if l.Broken {
			row.StatusClass = "bad"
		}
		rows = append(rows, row)
	}
	return rows
}

// issuePage is the data of the page of an issue of a site.
type issuePage struct {
	crawlList
	audit.Explanation
	Heading string // what is wrong
	Rows    []issueRow
}

// issueRow is an address that a check names.
type issueRow struct{ db.IssueRow }

// HasReport reports whether the address has a report.
func (r issueRow) HasReport() bool { return r.Report != uuid.Nil }

func (w *Web) showCrawlIssue(v *visit, p crawlPlace) error {
	check, known := audit.Explain(v.params.ByName("check"))
	if !known {
		return notFound
	}
	q, err := sortfilter.Parse(v.r.URL.RawQuery, sortfilter.IssueRowParameters)
	if err != nil {
		return err
	}
	page, err := w.readIssue(v, p, check.ID, q)
	if err != nil {
		return err
	}
	shown := issuePage{
		crawlList:   newCrawlList(v, p, check.Name, issuePath(p.Base, check.ID), "address", sortfilter.IssueRowParameters, q, page.Total),
		Explanation: check, Heading: audit.TitleFor(check.ID, audit.Failed),
	}
	for _, row := range page.Rows {
		shown.Rows = append(shown.Rows, issueRow{row})
	}
	w.sendPage(v, http.StatusOK, "crawlissue", shown)
	return nil
}

// isAcross reports whether a check is one across pages.
func isAcross(check string) bool {
	return slices.ContainsFunc(audit.SiteChecks(), func(c audit.SiteCheck) bool { return c.ID == check })
}

// readIssue returns what a check across pages found in this crawl, or one of a page in the project as it is now.
func (w *Web) readIssue(v *visit, p crawlPlace, check string, q sortfilter.Query) (page db.Page[db.IssueRow], err error) {
	if !isAcross(check) {
		return w.store.IssueRows(v.r.Context(), p.account, p.Project.ID.String(), check, q)
	}
	named, err := w.store.CrawlIssues(v.r.Context(), p.account, p.ID, check, q)
	page.Total = named.Total
	for _, r := range named.Rows {
		page.Rows = append(page.Rows, db.IssueRow{URL: r.URL, Report: r.Report, Evidence: r.Evidence})
	}
	return page, err
}

// folderName returns the last step of a folder's address; all of it for the site.
func folderName(f db.CrawlFolder) string {
	if f.Level == 0 {
		return f.URL
	}
	above := strings.TrimSuffix(f.URL, "/")
	return above[strings.LastIndex(above, "/")+1:] + "/"
}
