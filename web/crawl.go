package web

import (
	"net/http"
	"strings"

	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
	"sitegrade/weburl"
)

// crawlPlace is a crawl on a page: whose it is, where its pages are, and whether its owner looks at it.
type crawlPlace struct {
	db.Crawl
	account string
	Base    string // the path that its pages begin with
	Lang    string // the language that its address asks for; "" for none
	Own     bool
	frame   func(title string) frame
}

// Host is the site.
func (p crawlPlace) Host() string { return weburl.Restore(p.URL).Site() }

// Running reports whether there is more to come.
func (p crawlPlace) Running() bool { return p.Status.Unfinished() }

// To returns the path of a page about the crawl that asks for the same language. path may have a query.
func (p crawlPlace) To(path string) string {
	switch {
	case p.Lang == "":
		return p.Base + path
	case strings.Contains(path, "?"):
		return p.Base + path + "&lang=" + p.Lang
	}
	return p.Base + path + "?lang=" + p.Lang
}

// ofCrawl returns a handler of a page about a crawl that the path names.
func (w *Web) ofCrawl(show func(*visit, crawlPlace) error) handler {
	return func(v *visit) error {
		id, err := v.pathID()
		if err != nil {
			return err
		}
		c, err := w.store.Crawl(v.r.Context(), v.key.Account, id)
		if err != nil {
			return err
		}
		if _, err := w.speakFor(v, v.key.Account, c.Project.ID); err != nil {
			return err
		}
		return show(v, crawlPlace{
			Crawl: c.In(v.words.Language()), account: v.key.Account, Base: crawlsRoute + "/" + id.String(), Lang: v.asked(), Own: true,
			frame: func(title string) frame { return v.frame(title, "crawls") },
		})
	}
}

// crawlPage is the data of the page of a crawl, which is the site report once it has ended.
type crawlPage struct {
	frame
	crawlPlace
	Gauge     view.Gauge
	State     view.State
	Created   view.Instant
	Finished  view.Instant
	Took      string // "" before the end
	Shares    view.Shares
	Statuses  []view.StatusBar
	Issues    []view.SiteIssue // across pages
	OnPages   []view.SiteIssue // of the project's reports as they are now, without hints
	Hints     []view.SiteIssue // likewise, of severity info
	Broken    []view.LinkRow   // the first
	BrokenAll int
	Folders   []view.FolderRow
	Notice    string
}

func (w *Web) showCrawl(v *visit, p crawlPlace) error {
	page := crawlPage{
		crawlPlace: p, frame: p.frame(siteTitle(v, p)), Gauge: view.CrawlGauge(v.words, p.Crawl), Created: view.Moment(p.CreatedAt), Finished: view.Moment(p.FinishedAt),
		Notice: v.notice(),
	}
	page.State = view.CrawlState(v.words, p.Crawl, page.Gauge)
	if p.Running() {
		page.Refresh = 5
	} else if err := w.addFindings(v, &page); err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "crawl", page)
	return nil
}

func siteTitle(v *visit, p crawlPlace) string {
	host := templates.Shorten(view.HostLength, p.Host())
	if p.Score == nil {
		return v.say("crawl.for", host)
	}
	return v.say("crawl.title", host, *p.Score)
}

// addFindings adds what a crawl that has ended found.
func (w *Web) addFindings(v *visit, page *crawlPage) error {
	found, err := w.store.CrawlOverview(v.r.Context(), page.account, page.ID)
	if err != nil {
		return err
	}
	if !page.StartedAt.IsZero() {
		page.Took = view.Spoken(page.FinishedAt.Sub(page.StartedAt))
	}
	if s := page.Summary; s != nil {
		page.Shares = view.NewShares(db.Counts{Total: s.Pages, Good: s.Good, Decent: s.Decent, Bad: s.Bad})
	}
	page.Statuses, page.Issues, page.Folders, page.BrokenAll = view.StatusBars(v.words, found.Statuses), page.linked(view.SiteIssues(v.words, page.Base, found.Checks)), view.FolderRows(v.words, found.Folders), found.Broken
	if page.OnPages, page.Hints, err = w.pageIssues(v, page.crawlPlace); err != nil || found.Broken == 0 {
		return err
	}
	q, err := sortfilter.Parse("status=broken&per_page=10", sortfilter.CrawlLinkParameters)
	if err != nil {
		return err
	}
	broken, err := w.store.CrawlLinks(v.r.Context(), page.account, page.ID, q)
	page.Broken = view.LinkRows(v.words, broken.Rows)
	return err
}

// pageIssues returns the checks of pages that fail on reports of the project now, the worst first, and apart from them what does not count.
func (w *Web) pageIssues(v *visit, p crawlPlace) (toFix, hints []view.SiteIssue, err error) {
	q, err := sortfilter.Parse("per_page=100", sortfilter.IssueParameters)
	if err != nil {
		return nil, nil, err
	}
	page, err := w.store.Issues(v.r.Context(), p.account, p.Project.ID.String(), q)
	toFix, hints = view.PageIssues(v.words, p.Base, page.Rows)
	return p.linked(toFix), p.linked(hints), err
}

// linked returns issues whose pages ask for the same language.
func (p crawlPlace) linked(issues []view.SiteIssue) []view.SiteIssue {
	for i := range issues {
		issues[i].Page = p.To(view.IssuePath("", issues[i].ID))
	}
	return issues
}

func (w *Web) stopCrawl(v *visit, p crawlPlace) error {
	if _, err := w.store.StopCrawl(v.r.Context(), p.account, p.ID, nil); err != nil {
		return err
	}
	return v.see(p.To("?done=stopping"))
}

func (w *Web) confirmCrawlDelete(v *visit, p crawlPlace) error {
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("crawl.delete-title"), "crawls"), What: v.say("crawl.delete"),
		Detail: v.say("crawl.delete-detail", p.URL), Back: p.To(""),
	})
	return nil
}

func (w *Web) deleteCrawl(v *visit, p crawlPlace) error {
	if err := w.store.DeleteCrawl(v.r.Context(), p.account, p.ID, nil); err != nil {
		return err
	}
	return v.see(crawlsRoute + "?done=crawl")
}
