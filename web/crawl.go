package web

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/sortfilter"
	"sitegrade/weburl"
)

// crawlPlace is a crawl on a page: whose it is, where its pages are, and whether its owner looks at it.
type crawlPlace struct {
	db.Crawl
	account string
	Base    string // the path that its pages begin with
	Own     bool
	frame   func(title string) frame
}

// Host is the site.
func (p crawlPlace) Host() string { return weburl.Restore(p.URL).Site() }

// Running reports whether there is more to come.
func (p crawlPlace) Running() bool { return p.Status.Unfinished() }

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
		return show(v, crawlPlace{
			Crawl: c, account: v.key.Account, Base: crawlsRoute + "/" + id.String(), Own: true,
			frame: func(title string) frame { return v.frame(title, "crawls") },
		})
	}
}

// crawlPage is the data of the page of a crawl, which is the site report once it has ended.
type crawlPage struct {
	frame
	crawlPlace
	Gauge     gauge
	State     state
	Created   instant
	Finished  instant
	Took      string // "" before the end
	Shares    shares
	Statuses  []statusBar
	Issues    []siteIssue // across pages
	OnPages   []siteIssue // of the project's reports as they are now, without hints
	Hints     []siteIssue // likewise, of severity info
	Broken    []linkRow   // the first
	BrokenAll int
	Folders   []folderRow
	Notice    string
}

// siteIssue is a check that fails at addresses of a site.
type siteIssue struct {
	audit.Explanation
	Title     string // what is wrong
	Addresses int
	Change    string // of Addresses since the crawl before; "" where there is nothing to say
	Page      string // the path of its page
	Across    bool   // it is a check across pages
}

// statusBar is how many addresses gave a response with a status.
type statusBar struct {
	Status    int
	Text      string
	Class     string
	Addresses int
	Width     float64
}

// folderRow is a folder with its score drawn.
type folderRow struct {
	db.CrawlFolder
	Name   string
	Gauge  gauge
	Shares shares
}

func (w *Web) showCrawl(v *visit, p crawlPlace) error {
	page := crawlPage{
		crawlPlace: p, frame: p.frame(siteTitle(p)), Gauge: crawlGauge(p.Crawl), Created: moment(p.CreatedAt), Finished: moment(p.FinishedAt),
		Notice: notices[v.r.URL.Query().Get("done")],
	}
	page.State = crawlState(p.Crawl, page.Gauge)
	if p.Running() {
		page.Refresh = 5
	} else if err := w.addFindings(v, &page); err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "crawl", page)
	return nil
}

func siteTitle(p crawlPlace) string {
	host := shorten(titleHost, p.Host())
	if p.Score == nil {
		return "Site report for " + host
	}
	return "Site " + host + ": " + strconv.Itoa(*p.Score) + " of 100"
}

// addFindings adds what a crawl that has ended found.
func (w *Web) addFindings(v *visit, page *crawlPage) error {
	found, err := w.store.CrawlOverview(v.r.Context(), page.account, page.ID)
	if err != nil {
		return err
	}
	if !page.StartedAt.IsZero() {
		page.Took = spoken(page.FinishedAt.Sub(page.StartedAt))
	}
	if s := page.Summary; s != nil {
		page.Shares = newShares(db.Counts{Total: s.Pages, Good: s.Good, Decent: s.Decent, Bad: s.Bad})
	}
	page.Statuses, page.Issues, page.Folders, page.BrokenAll = statusBars(found.Statuses), siteIssues(page.Base, found.Checks), folderRows(found.Folders), found.Broken
	if page.OnPages, page.Hints, err = w.pageIssues(v, page.crawlPlace); err != nil || found.Broken == 0 {
		return err
	}
	q, err := sortfilter.Parse("status=broken&per_page=10", sortfilter.CrawlLinkParameters)
	if err != nil {
		return err
	}
	broken, err := w.store.CrawlLinks(v.r.Context(), page.account, page.ID, q)
	page.Broken = linkRows(broken.Rows)
	return err
}

// siteIssues returns the checks with the worst first: by severity, and then by how many addresses they name.
func siteIssues(base string, checks []db.CheckCount) []siteIssue {
	var all []siteIssue
	for _, c := range checks {
		e, _ := audit.Explain(c.Check) // every check across pages is explained
		all = append(all, siteIssue{Explanation: e, Title: audit.TitleFor(c.Check, audit.Failed), Addresses: c.Addresses, Page: issuePath(base, c.Check), Across: true})
	}
	slices.SortStableFunc(all, func(a, b siteIssue) int {
		return cmp.Or(cmp.Compare(b.Severity.Weight(), a.Severity.Weight()), cmp.Compare(b.Addresses, a.Addresses))
	})
	return all
}

// issuePath returns the path of the page of an issue.
func issuePath(base, check string) string { return base + "/issues/" + check }

// pageIssues returns the checks of pages that fail on reports of the project now, the worst first, and apart from them what does not count.
func (w *Web) pageIssues(v *visit, p crawlPlace) (toFix, hints []siteIssue, err error) {
	q, err := sortfilter.Parse("per_page=100", sortfilter.IssueParameters)
	if err != nil {
		return nil, nil, err
	}
	page, err := w.store.Issues(v.r.Context(), p.account, p.Project.ID.String(), q)
	for _, i := range page.Rows {
		e, known := audit.Explain(i.Check)
		shown := siteIssue{Explanation: e, Title: i.Title, Addresses: i.Pages, Change: changeText(i.Change), Page: issuePath(p.Base, i.Check)}
		switch {
		case !known || isAcross(i.Check):
		case i.Severity == audit.Info:
			hints = append(hints, shown)
		default:
			toFix = append(toFix, shown)
		}
	}
	return toFix, hints, err
}

// changeText says how a number has changed; "" where that is not known or nothing has.
func changeText(change *int) string {
	switch {
	case change == nil || *change == 0:
		return ""
	case *change > 0:
		return grouped(*change) + " more than before"
	}
	return grouped(-*change) + " fewer than before"
}

func statusBars(counts []db.StatusCount) []statusBar {
	most := 1
	for _, c := range counts {
		most = max(most, c.Addresses)
	}
	var bars []statusBar
	for _, c := range counts {
		bars = append(bars, statusBar{c.Status, statusText(c.Status), statusClass(c.Status), c.Addresses, visible(100 * float64(c.Addresses) / float64(most))})
	}
	return bars
}

// statusText returns a status of HTTP in words: "404 Not Found".
func statusText(status int) string {
	if status == 0 {
		return "No response"
	}
	text := strconv.Itoa(status)
	if name := http.StatusText(status); name != "" {
		text += " " + name
	}
	return text
}

// statusClass returns the colour of a status.
func statusClass(status int) string {
	switch {
	case status >= 200 && status < 300:
		return "good"
	case status >= 300 && status < 400:
		return "decent"
	case status >= 400:
		return "bad"
	}
	return "none"
}

// folderRows names each folder by its last step, the site by its address.
func folderRows(folders []db.CrawlFolder) []folderRow {
	var rows []folderRow
	for _, f := range folders {
		rows = append(rows, folderRow{
			CrawlFolder: f, Name: folderName(f), Gauge: newGauge(f.Score, audit.ResultOf(f.Score)),
			Shares: newShares(db.Counts{Total: f.Pages, Good: f.Good, Decent: f.Decent, Bad: f.Bad}),
		})
	}
	return rows
}

// spoken returns how long something took in the two largest units: "2 min 5 s".
func spoken(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h > 0:
		return strconv.Itoa(h) + " h " + strconv.Itoa(m) + " min"
	case m > 0:
		return strconv.Itoa(m) + " min " + strconv.Itoa(s) + " s"
	}
	return strconv.Itoa(max(1, s)) + " s"
}

func (w *Web) stopCrawl(v *visit, p crawlPlace) error {
	if _, err := w.store.StopCrawl(v.r.Context(), p.account, p.ID, nil); err != nil {
		return err
	}
	return v.see(p.Base + "?done=stopping")
}

func (w *Web) confirmCrawlDelete(v *visit, p crawlPlace) error {
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame("Delete a crawl", "crawls"), What: "Delete this crawl?",
		Detail: "The site report of " + p.URL + " will be gone for good. The reports of its pages stay.", Back: p.Base,
	})
	return nil
}

func (w *Web) deleteCrawl(v *visit, p crawlPlace) error {
	if err := w.store.DeleteCrawl(v.r.Context(), p.account, p.ID, nil); err != nil {
		return err
	}
	return v.see(crawlsRoute + "?done=crawl")
}
