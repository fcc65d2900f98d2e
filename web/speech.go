package web

import (
	"sitegrade/locale"
	"sitegrade/web/templates"
)

// speak chooses the language of the page: that of the parameter lang, else the first of these that is one (those of a project and of its
// account, as they stored it), else what the browser asks for.
func (v *visit) speak(stored ...string) {
	for _, code := range append([]string{v.r.URL.Query().Get("lang")}, stored...) {
		if l, ok := locale.Parse(code); ok {
			v.words = locale.For(l)
			return
		}
	}
	v.words = locale.For(locale.Match(v.r.Header.Get("Accept-Language")))
}

// say returns words of pages: those of ui.<id> in the language of the page.
func (v *visit) say(id string, values ...any) string {
	return templates.Say(v.words, id, values...)
}
