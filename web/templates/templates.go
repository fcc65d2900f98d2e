// Package templates has the HTML of all pages, and the functions and drawings that it is made with.
package templates

import (
	"embed"
	"html/template"
	"sync"

	"sitegrade/locale"
	"sitegrade/web/assets"
)

//go:embed *.html
var files embed.FS

// Set has the pages in all languages. A page is parsed when it is first asked for in a language: all of them in all languages take more memory
// than everything else of a small server.
type Set struct {
	assets  assets.Files
	mu      sync.Mutex
	layouts map[locale.Language]*template.Template
	pages   map[pageKey]*template.Template
}

// pageKey is a page in a language.
type pageKey struct {
	language locale.Language
	name     string
}

// NewSet returns the pages with these assets.
func NewSet(a assets.Files) *Set {
	return &Set{assets: a, layouts: map[locale.Language]*template.Template{}, pages: map[pageKey]*template.Template{}}
}

// Page returns a page in a language, with the layout around it. A page that is not there is a fault of ours.
func (s *Set) Page(l locale.Language, name string) *template.Template {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := pageKey{l, name}
	if page, ok := s.pages[key]; ok {
		return page
	}
	if s.layouts[l] == nil {
		s.layouts[l] = template.Must(template.New("layout").Funcs(functions(s.assets, locale.For(l))).ParseFS(files,
			"layout.html", "parts.html", "result.html", "checks.html", "previews.html", "history.html", "crawlparts.html", "toldparts.html"))
	}
	page := template.Must(template.Must(s.layouts[l].Clone()).ParseFS(files, name+".html"))
	s.pages[key] = page
	return page
}

// Standalone returns the templates "standalone" and "standalonesite" of files that show reports without a server, in a language.
func Standalone(a assets.Files, l locale.Language) *template.Template {
	page := NewSet(a).Page(l, "shared")
	// There is no server behind such a file whose pages about checks a link could lead to.
	page.Funcs(template.FuncMap{"explained": func(string) bool { return false }})
	return template.Must(page.ParseFS(files, "standalone.html", "standalonesite.html"))
}

// functions are what templates may call. The words of pages are in the catalogue's section "ui": {{t "reports.title"}} writes ui.reports.title,
// {{t "pager.of" .From .To}} fills its placeholders, and {{linked "reports.none" "/"}} writes a sentence with a link; {{with around "report.audited"}} has
// what stands before and behind a time in a sentence. What a method of the data says is asked for with the words: {{.Privacies words}}.
func functions(a assets.Files, words *locale.Catalogue) template.FuncMap {
	return template.FuncMap{
		"around":    func(id string, values ...any) (Around, error) { return around(words, id, values) },
		"asset":     a.Path,
		"day":       words.Day,
		"explained": explained,
		"grouped":   func(n int) string { return words.Count(int64(n)) },
		"lang":      func() string { return string(words.Language()) },
		"linkable":  linkable,
		"linked":    func(id, path string, values ...any) (template.HTML, error) { return linked(words, id, path, values) },
		"moment":    words.Moment,
		"pieces":    Pieces,
		"shorten":   Shorten,
		"words":     func() *locale.Catalogue { return words },
		"t":         func(id string, values ...any) string { return Say(words, id, values...) },
	}
}

// Section is what the ids of the words of pages begin with in a catalogue.
const Section = "ui."
