package view

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// SiteIssue is a check that fails at addresses of a site.
type SiteIssue struct {
	audit.Explanation
	Title     string // what is wrong
	Addresses int
	Change    string // of Addresses since the crawl before; "" where there is nothing to say
	Page      string // the path of its page
	Across    bool   // it is a check across pages
}

// StatusBar is how many addresses gave a response with a status.
type StatusBar struct {
	Status    int
	Text      string
	Class     string
	Addresses int
	Width     float64
}

// FolderRow is a folder with its score drawn.
type FolderRow struct {
	db.CrawlFolder
	Name   string
	Gauge  Gauge
	Shares Shares
}

// SiteIssues returns the checks with the worst first: by severity, and then by how many addresses they name.
func SiteIssues(words *locale.Catalogue, base string, checks []db.CheckCount) []SiteIssue {
	var all []SiteIssue
	for _, c := range checks {
		e, _ := audit.ExplainIn(words.Language(), c.Check) // every check across pages is explained
		all = append(all, SiteIssue{Explanation: e, Title: audit.TitleIn(words.Language(), c.Check, audit.Failed), Addresses: c.Addresses, Page: IssuePath(base, c.Check), Across: true})
	}
	slices.SortStableFunc(all, func(a, b SiteIssue) int {
		return cmp.Or(cmp.Compare(b.Severity.Weight(), a.Severity.Weight()), cmp.Compare(b.Addresses, a.Addresses))
	})
	return all
}

// IssuePath returns the path of the page of an issue.
func IssuePath(base, check string) string { return base + "/issues/" + check }

// PageIssues returns the checks of pages that fail on reports of a project, given the worst first, and apart from them what does not count.
func PageIssues(words *locale.Catalogue, base string, issues []db.Issue) (toFix, hints []SiteIssue) {
	for _, i := range issues {
		e, known := audit.ExplainIn(words.Language(), i.Check)
		shown := SiteIssue{Explanation: e, Title: audit.TitleIn(words.Language(), i.Check, audit.Failed), Addresses: i.Pages, Change: ChangeText(words, i.Change), Page: IssuePath(base, i.Check)}
		switch {
		case !known || IsAcross(i.Check):
		case i.Severity == audit.Info:
			hints = append(hints, shown)
		default:
			toFix = append(toFix, shown)
		}
	}
	return toFix, hints
}

// ChangeText says how a number has changed; "" where that is not known or nothing has.
func ChangeText(words *locale.Catalogue, change *int) string {
	switch {
	case change == nil || *change == 0:
		return ""
	case *change > 0:
		return templates.Say(words, "crawl.more-than-before", *change)
	}
	return templates.Say(words, "crawl.fewer-than-before", -*change)
}

// StatusBars returns a bar for each status, in proportion to the most frequent.
func StatusBars(words *locale.Catalogue, counts []db.StatusCount) []StatusBar {
	most := 1
	for _, c := range counts {
		most = max(most, c.Addresses)
	}
	var bars []StatusBar
	for _, c := range counts {
		bars = append(bars, StatusBar{c.Status, statusText(words, c.Status), statusClass(c.Status), c.Addresses, visible(100 * float64(c.Addresses) / float64(most))})
	}
	return bars
}

// statusText returns a status of HTTP with its name, which is the same in all languages: "404 Not Found".
func statusText(words *locale.Catalogue, status int) string {
	if status == 0 {
		return templates.Say(words, "crawl.no-response")
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

// FolderRows names each folder by its last step, the site by its address.
func FolderRows(words *locale.Catalogue, folders []db.CrawlFolder) []FolderRow {
	var rows []FolderRow
	for _, f := range folders {
		rows = append(rows, FolderRow{
			CrawlFolder: f, Name: folderName(f), Gauge: NewGauge(words, f.Score, audit.ResultOf(f.Score)),
			Shares: NewShares(db.Counts{Total: f.Pages, Good: f.Good, Decent: f.Decent, Bad: f.Bad}),
		})
	}
	return rows
}

// Spoken returns how long something took in the two largest units: "2 min 5 s".
func Spoken(d time.Duration) string {
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

// IsAcross reports whether a check is one across pages.
func IsAcross(check string) bool {
	return slices.ContainsFunc(audit.SiteChecks(), func(c audit.SiteCheck) bool { return c.ID == check })
}

// folderName returns the last step of a folder's address; all of it for the site.
func folderName(f db.CrawlFolder) string {
	if f.Level == 0 {
		return f.URL
	}
	above := strings.TrimSuffix(f.URL, "/")
	return above[strings.LastIndex(above, "/")+1:] + "/"
}
