package web

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/view"
	"sitegrade/weburl"
)

// crawlsRoute is the path of the list of crawls, which has the form that starts one.
const crawlsRoute = "/crawls"

// crawlsPage is the data of the list of crawls.
type crawlsPage struct {
	frame
	crawlForm
	Query    sortfilter.Query
	Statuses []view.Choice
	Project  string // the name of the project that is filtered by; "" for all
	Filtered bool
	Rows     []view.CrawlRow
	Pages    view.Pager
	Notice   string
	Reload   bool // some crawl is unfinished
}

// crawlForm is what is filled in to start a crawl, and what is wrong with it.
type crawlForm struct {
	URL, URLs, ProjectName     string
	MaxPages, MaxDepth         string
	Include, Exclude           string
	Headers                    string // lines of "Name: value"; a crawl never shows them again
	Mode                       db.CrawlMode
	Privacy                    db.Privacy
	Wrong                      map[string]string // by field; that of "" is about the whole form
	DefaultPages, MostPages    int
	MostURLs, MostPatternCount int
}

// newCrawlForm returns a form with nothing in it.
func newCrawlForm() crawlForm {
	return crawlForm{
		Mode: db.CrawlLinks, Privacy: db.Private, DefaultPages: db.DefaultCrawlPages, MostPages: db.MaxCrawlPages, MostURLs: db.MaxCrawlURLs,
		MostPatternCount: db.MaxCrawlPatterns, MaxPages: strconv.Itoa(db.DefaultCrawlPages),
	}
}

// Modes are the options of how a crawl finds addresses.
func (f crawlForm) Modes(words *locale.Catalogue) []view.Choice {
	return view.Options(words, "modes", db.CrawlModes, f.Mode)
}

// Privacies are the options of who may see the reports that a crawl makes.
func (f crawlForm) Privacies(words *locale.Catalogue) []view.Choice {
	return view.PrivacyChoices(words, f.Privacy)[:2]
}

// IsOpen reports whether the fold of the form has something that must be seen.
func (f crawlForm) IsOpen() bool {
	for field := range f.Wrong {
		if field != "" && field != "url" {
			return true
		}
	}
	return f.URLs+f.Include+f.Exclude+f.MaxDepth+f.Headers != "" || f.Mode != db.CrawlLinks
}

// field is an input of the form: its name, and what is wrong with it.
type field struct{ Name, Wrong string }

// Field returns an input of the form for the templates of what is wrong.
func (f crawlForm) Field(name string) field { return field{name, f.Wrong[name]} }

func (w *Web) listCrawls(v *visit) error {
	form := newCrawlForm()
	asked := v.r.URL.Query()
	form.URL, form.ProjectName = asked.Get("url"), asked.Get("for")
	if id, err := uuid.Parse(asked.Get("again")); err == nil {
		if c, err := w.store.Crawl(v.r.Context(), v.key.Account, id); err == nil {
			form = crawlFormOf(c)
		}
	}
	return w.sendCrawls(v, http.StatusOK, v.r.URL.RawQuery, form)
}

// crawlFormOf returns a form with what a crawl was asked to do. The addresses of a list are not in it.
func crawlFormOf(c db.Crawl) crawlForm {
	f := newCrawlForm()
	f.URL, f.ProjectName, f.Mode, f.Privacy, f.MaxPages = c.URL, c.Project.Name, c.Mode, c.Privacy, strconv.Itoa(c.MaxPages)
	f.Include, f.Exclude = strings.Join(c.Include, "\n"), strings.Join(c.Exclude, "\n")
	if c.MaxDepth > 0 {
		f.MaxDepth = strconv.Itoa(c.MaxDepth)
	}
	if c.Mode == db.CrawlList {
		f.URL = ""
	}
	return f
}

// sendCrawls sends the list with its form.
func (w *Web) sendCrawls(v *visit, status int, query string, form crawlForm) error {
	q, err := sortfilter.Parse(query, sortfilter.CrawlParameters)
	if err != nil {
		return err
	}
	page, err := w.store.Crawls(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	statuses := append([]string{""}, sortfilter.Values(sortfilter.CrawlParameters, "status")...)
	shown := crawlsPage{
		frame: v.frame(v.say("layout.sites"), "crawls"), crawlForm: form, Query: q, Statuses: view.Options(v.words, "statuses", statuses, q.Status),
		Filtered: q.Search != "" || q.Status != "" || q.Project != "", Pages: view.NewPager(crawlsRoute, "crawl", q, page.Total, query),
		Notice: v.notice(),
	}
	if q.Project != "" {
		shown.Project = w.projectName(v, q.Project)
	}
	for _, c := range page.Rows {
		shown.Rows = append(shown.Rows, view.NewCrawlRow(v.words, c))
		shown.Reload = shown.Reload || c.Status.Unfinished()
	}
	w.sendPage(v, status, "crawls", shown)
	return nil
}

// startCrawl makes a crawl of what the form says, or sends it again with what is wrong at each field.
func (w *Web) startCrawl(v *visit) error {
	form, wanted := postedCrawl(v.posted)
	headers, unreadable := db.ParseCrawlHeaders(strings.Split(form.Headers, "\n")...)
	wanted.Headers = headers
	_, _, err := wanted.Normalised()
	if form.Wrong = view.Faults(v.words, err); unreadable != nil {
		form.Wrong = map[string]string{"headers": view.Fault(v.words, unreadable.Error())}
	}
	if w.isForbidden(wanted.URL) {
		form.Wrong = map[string]string{"url": view.Fault(v.words, audit.ForbiddenDetail)}
	}
	if form.Wrong == nil {
		if wait := w.Limits.Call(v.key.ID, w.Now()).Wait; wait > 0 {
			v.Header().Set("Retry-After", strconv.Itoa(wait))
			form.Wrong = map[string]string{"": v.say("failed.wait", wait)}
			return w.sendCrawls(v, http.StatusTooManyRequests, "", form)
		}
		made, _, err := w.store.CreateCrawl(v.r.Context(), v.key.Account, wanted)
		if err == nil {
			return v.see(crawlsRoute + "/" + made.ID.String())
		}
		if form.Wrong = view.Faults(v.words, err); form.Wrong == nil {
			return err
		}
	}
	return w.sendCrawls(v, http.StatusUnprocessableEntity, "", form)
}

// postedCrawl returns the form as it was filled in, and the crawl that it asks for.
func postedCrawl(posted url.Values) (crawlForm, db.NewCrawl) {
	f := newCrawlForm()
	text := func(name string) string { return strings.TrimSpace(posted.Get(name)) }
	f.URL, f.URLs, f.ProjectName, f.Mode = text("url"), posted.Get("urls"), text("project"), db.CrawlMode(text("mode"))
	f.MaxPages, f.MaxDepth, f.Include, f.Exclude = text("max_pages"), text("max_depth"), posted.Get("include"), posted.Get("exclude")
	f.Headers = posted.Get("headers")
	if text("privacy") == "0" {
		f.Privacy = db.Public
	}
	wanted := db.NewCrawl{
		Mode: string(f.Mode), Project: f.ProjectName, Privacy: &f.Privacy, MaxPages: postedNumber(f.MaxPages), MaxDepth: postedNumber(f.MaxDepth),
		Include: filledLines(f.Include), Exclude: filledLines(f.Exclude),
	}
	if f.Mode == db.CrawlList {
		wanted.URLs = completed(filledLines(f.URLs))
	} else if f.URL != "" {
		wanted.URL = weburl.Complete(f.URL)
	}
	return f, wanted
}

// postedNumber returns the number of a field; nil for an empty one, and 0, which is never possible, for what is not a number.
func postedNumber(text string) *int {
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > math.MaxInt32 {
		n = 0
	}
	return &n
}

// filledLines returns the lines of a text that are not empty, without spaces around them.
func filledLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

func completed(typed []string) []string {
	all := slices.Clone(typed)
	for i, address := range all {
		all[i] = weburl.Complete(address)
	}
	return all
}

// showNewestCrawl leads from a project to its newest crawl, or where there is none to the form that starts one.
func (w *Web) showNewestCrawl(v *visit) error {
	project, err := w.projectByID(v)
	if err != nil {
		return err
	}
	newest, err := w.newestCrawl(v.r.Context(), v.key.Account, project.ID, "")
	if errors.Is(err, db.ErrNotFound) {
		return v.see(crawlsRoute + "?" + url.Values{"project": {project.ID.String()}, "for": {project.Name}}.Encode())
	}
	if err != nil {
		return err
	}
	return v.see(crawlsRoute + "/" + newest.ID.String())
}
