package templates

import (
	"html/template"
	"strings"
	"sync"
)

// Drawings are small parts of pages that look alike again and again: a list has one of each in every row, and a template takes longer than
// all else of the row. So each is made once for what it shows, of which there are a few hundred.
var (
	drawingTemplates = template.Must(template.ParseFS(files, "drawings.html"))
	drawings         sync.Map // a template.HTML for what it shows
)

// Drawn returns what the template of that name makes of shown, which is of a comparable type that no other template has.
func Drawn(name string, shown any) template.HTML {
	if drawing, ok := drawings.Load(shown); ok {
		return drawing.(template.HTML)
	}
	var b strings.Builder
	if err := drawingTemplates.ExecuteTemplate(&b, name, shown); err != nil {
		panic(err) // it is written into memory, and tests draw all of them
	}
	drawing := template.HTML(b.String())
	drawings.Store(shown, drawing)
	return drawing
}
