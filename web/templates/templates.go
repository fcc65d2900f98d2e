// Package templates has the HTML of all pages, and the functions and drawings that it is made with.
package templates

import (
	"embed"
	"html/template"

	"sitegrade/web/assets"
)

//go:embed *.html
var files embed.FS

// Pages are the templates, by the name of the page. Each has the layout around it.
type Pages map[string]*template.Template

var pageNames = []string{
	"login", "failure", "delete", "settings", "forms", "form", "keys",
	"reports", "selected", "new", "report", "shared", "password", "embed",
	"projects", "project", "projectissue",
	"schedules", "schedule", "webhooks", "webhook",
	"crawls", "crawl", "crawlpages", "crawllinks", "crawlissue",
	"docs", "checkindex", "check",
}

// Load parses the embedded templates, which a test has parsed before.
func Load(a assets.Files) Pages {
	layout := template.Must(template.New("layout").Funcs(functions(a)).ParseFS(files,
		"layout.html", "parts.html", "result.html", "checks.html", "previews.html", "history.html", "crawlparts.html", "toldparts.html"))
	loaded := Pages{}
	for _, name := range pageNames {
		page := template.Must(layout.Clone())
		loaded[name] = template.Must(page.ParseFS(files, name+".html"))
	}
	return loaded
}

// Standalone returns the templates "standalone" and "standalonesite" of files that show reports without a server.
func Standalone(a assets.Files) *template.Template {
	page := template.Must(Load(a)["shared"].Clone())
	// There is no server behind such a file whose pages about checks a link could lead to.
	page.Funcs(template.FuncMap{"explained": func(string) bool { return false }})
	return template.Must(page.ParseFS(files, "standalone.html", "standalonesite.html"))
}

// functions are what templates may call.
func functions(a assets.Files) template.FuncMap {
	return template.FuncMap{
		"asset":     a.Path,
		"count":     Count,
		"explained": explained,
		"grouped":   Grouped,
		"linkable":  linkable,
		"pieces":    Pieces,
		"shorten":   Shorten,
	}
}
