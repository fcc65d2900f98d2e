package web

import (
	"bytes"
	"embed"
	"html/template"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"sitegrade/web/assets"
)

//go:embed templates
var templateFiles embed.FS

// pages are the templates, by the name of the page. Each has the layout around it.
type pages map[string]*template.Template

var pageNames = []string{"login", "failure", "reports", "projects", "new", "report", "project", "keys", "shared", "password", "delete", "docs", "checkindex", "check",
	"schedules", "schedule",
	"crawls", "crawl", "crawlpages", "crawllinks", "crawlissue"}

// loadPages parses the embedded templates, which a test has parsed before.
func loadPages(a assets.Files) pages {
	layout := template.Must(template.New("layout").Funcs(functions(a)).ParseFS(templateFiles,
		"templates/layout.html", "templates/parts.html", "templates/result.html", "templates/checks.html", "templates/previews.html", "templates/history.html",
		"templates/crawlparts.html", "templates/toldparts.html"))
	loaded := pages{}
	for _, name := range pageNames {
		page := template.Must(layout.Clone())
		loaded[name] = template.Must(page.ParseFS(templateFiles, "templates/"+name+".html"))
	}
	return loaded
}

// functions are what templates may call.
func functions(a assets.Files) template.FuncMap {
	return template.FuncMap{
		"asset":     a.Path,
		"count":     count,
		"explained": explained,
		"linkable":  linkable,
		"pieces":    pieces,
		"shorten":   shorten,
	}
}

// frame is what the layout needs to know.
type frame struct {
	Title       string // without the name of the product
	Description string // "" for that of the product
	Canonical   string // absolute; "" for none
	Index       bool   // search engines may list the page
	Refresh     int    // seconds until a browser without scripts loads the page again; 0: not
	Here        string // the entry of the navigation that is marked
	SignedIn    bool
	MayChange   bool
	Account     string
	Token       string
	Card        *card // for search engines and social networks; nil for none
}

// card is what search engines and social networks are told of a page.
type card struct {
	Image      string // an address
	Structured structured
}

// structured says in schema.org's words what the page is.
type structured struct {
	Context     string `json:"@context"`
	Type        string `json:"@type"`
	Name        string `json:"name"`
	Description string `json:"description"`
	URL         string `json:"url"`
	Modified    string `json:"dateModified,omitempty"`
	Language    string `json:"inLanguage"`
}

// addCard fills in the card of a page with a description and a canonical address. modified is a time of RFC 3339; "" for none.
func (f *frame) addCard(a assets.Files, base, modified string) {
	image, err := a.Path("card.png")
	if err != nil {
		return
	}
	f.Card = &card{base + image, structured{
		Context: "https://schema.org", Type: "WebPage", Name: f.Title, Description: f.Description, URL: f.Canonical, Modified: modified, Language: "en",
	}}
}

// frame returns a page's frame for this visitor. here marks an entry of the navigation.
func (v *visit) frame(title, here string) frame {
	return frame{
		Title: title, Here: here, SignedIn: v.signedIn(), MayChange: v.mayChange(), Account: v.key.Account, Token: v.token(),
	}
}

// plainFrame is a frame that is the same for everybody.
func plainFrame(title string) frame { return frame{Title: title} }

// buffers are used again for pages, which are written whole before they are sent.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// sendPage renders a page and sends it, compressed where the browser takes that.
func (w *Web) sendPage(v *visit, status int, name string, data any) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := w.pages[name].ExecuteTemplate(b, "layout", data); err != nil {
		w.Log.Error("a page cannot be rendered", slog.String("page", name), slog.Any("cause", err), slog.String("request_id", v.ID))
		http.Error(v, "Something went wrong. The server's log has more under the request "+v.ID+".", http.StatusInternalServerError)
		return
	}
	body, coding := assets.Compressed(v.r.Header.Get("Accept-Encoding"), b.Bytes())
	h := v.Header()
	h.Set("Vary", "Accept-Encoding")
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	v.send(status, "text/html; charset=utf-8", body)
}

// count writes a number with its noun: count 1 "page" is "1 page", count 1200 "page" is "1,200 pages".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if strings.HasSuffix(noun, "s") {
		noun += "e"
	}
	return grouped(n) + " " + noun + "s"
}

// grouped writes a number with commas between the thousands.
func grouped(n int) string {
	digits := strconv.Itoa(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// linkable reports whether a text is an address that a link may lead to.
func linkable(address string) bool {
	return strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://")
}

// shorten cuts a text after n characters, with an ellipsis in the place of the last.
func shorten(n int, s string) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return strings.TrimSpace(string(runes[:n-1])) + "…"
}
