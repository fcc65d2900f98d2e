package web

import (
	"net/http"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// crawlList is what the lists of a crawl have in common.
type crawlList struct {
	frame
	crawlPlace
	view.ListChoices // of which Sizes alone are shown
	Orders           []view.Choice
	Query            sortfilter.Query
	Pages            view.Pager
	Path             string // of the list, without a query
	All              string // of the whole list
}

// newCrawlList returns a list without its rows, whose path begins with that of the crawl.
func newCrawlList(v *visit, p crawlPlace, title, path, noun string, parameters []sortfilter.Parameter, q sortfilter.Query, total int) crawlList {
	return crawlList{
		frame: p.frame(title), crawlPlace: p, ListChoices: view.NewListChoices(v.words, parameters, q), Query: q, Path: p.Base + path, All: p.To(path),
		Orders: view.Choices([]string{"asc", "desc"}, q.Direction(), map[string]string{"asc": v.say("crawl.nearest"), "desc": v.say("crawl.farthest")}),
		Pages:  view.NewPager(p.Base+path, noun, q, total, v.r.URL.RawQuery),
	}
}

// addressesPage is the data of the list of a crawl's addresses.
type addressesPage struct {
	crawlList
	Rows       []view.AddressRow
	Statuses   []view.Choice
	Indexables []view.Choice
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
		crawlList: newCrawlList(v, p, v.say("crawl.addresses-of", templates.Shorten(view.HostLength, p.Host())), "/pages", "address", sortfilter.CrawlPageParameters, q, page.Total),
		Statuses:  view.StatusChoices(v.words, found.Statuses, q.HTTPStatus), Indexables: view.IndexableChoices(v.words, q.Indexable),
	}
	for _, r := range page.Rows {
		shown.Rows = append(shown.Rows, view.NewAddressRow(v.words, r))
	}
	w.sendPage(v, http.StatusOK, "crawlpages", shown)
	return nil
}

// linksPage is the data of the list of links.
type linksPage struct {
	crawlList
	Rows   []view.LinkRow
	Broken []view.Choice
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
		crawlList: newCrawlList(v, p, v.say("crawl.links-of", templates.Shorten(view.HostLength, p.Host())), "/links", "address", sortfilter.CrawlLinkParameters, q, page.Total),
		Broken:    view.Choices([]string{"", "broken"}, q.Status, map[string]string{"": v.say("crawl.any-link"), "broken": v.say("crawl.only-broken")}),
		Rows:      view.LinkRows(v.words, page.Rows),
	}
	w.sendPage(v, http.StatusOK, "crawllinks", shown)
	return nil
}

// issuePage is the data of the page of an issue of a site.
type issuePage struct {
	crawlList
	audit.Explanation
	Heading string // what is wrong
	Rows    []view.IssueRow
}

func (w *Web) showCrawlIssue(v *visit, p crawlPlace) error {
	check, known := audit.ExplainIn(v.words.Language(), v.params.ByName("check"))
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
		crawlList:   newCrawlList(v, p, check.Name, view.IssuePath("", check.ID), "address", sortfilter.IssueRowParameters, q, page.Total),
		Explanation: check, Heading: audit.TitleIn(v.words.Language(), check.ID, audit.Failed),
	}
	for _, row := range page.Rows {
		shown.Rows = append(shown.Rows, view.IssueRow{IssueRow: row})
	}
	w.sendPage(v, http.StatusOK, "crawlissue", shown)
	return nil
}

// readIssue returns what a check across pages found in this crawl, or one of a page in the project as it is now.
func (w *Web) readIssue(v *visit, p crawlPlace, check string, q sortfilter.Query) (page db.Page[db.IssueRow], err error) {
	if !view.IsAcross(check) {
		return w.store.IssueRows(v.r.Context(), p.account, p.Project.ID.String(), check, q)
	}
	named, err := w.store.CrawlIssues(v.r.Context(), p.account, p.ID, check, q)
	page.Total = named.Total
	for _, r := range named.Rows {
		page.Rows = append(page.Rows, db.IssueRow{URL: r.URL, Report: r.Report, Evidence: r.Evidence})
	}
	return page, err
}
