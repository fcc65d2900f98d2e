package web

import (
	"errors"

	"github.com/google/uuid"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/web/templates"
	"sitegrade/web/view"
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

// speakFor chooses the language of something that belongs to a project, and returns the account. others come behind the account's.
func (w *Web) speakFor(v *visit, account string, project uuid.UUID, others ...string) (db.Account, error) {
	a, err := w.store.Account(v.r.Context(), account)
	if err != nil {
		return db.Account{}, err
	}
	p, err := w.store.Project(v.r.Context(), account, project.String())
	if err != nil && !errors.Is(err, db.ErrNotFound) { // deleted since
		return db.Account{}, err
	}
	v.speak(append([]string{p.Lang, a.Lang}, others...)...)
	return a, nil
}

// say returns words of pages: those of ui.<id> in the language of the page.
func (v *visit) say(id string, values ...any) string {
	return templates.Say(v.words, id, values...)
}

// asked returns the language that the address of the page asks for, which its links and forms go on asking for; "" for none.
func (v *visit) asked() string {
	code := v.r.URL.Query().Get("lang")
	if _, ok := locale.Parse(code); !ok {
		return ""
	}
	return code
}

// asking returns a path that asks for the language that the address of the page asks for.
func (v *visit) asking(path string) string {
	if code := v.asked(); code != "" {
		return path + "?lang=" + code
	}
	return path
}

// tongues are the languages that visitors may read a page in.
type tongues struct {
	All        []view.Choice
	Kept       []keptField   // what else the address says
	Alternates []view.Choice // the address of each, where search engines may list them
}

// tongues returns the languages of a page whose address has these parameters beside the language.
func (v *visit) tongues(parameters ...string) *tongues {
	t := &tongues{}
	for _, name := range parameters {
		if value := v.r.URL.Query().Get(name); value != "" {
			t.Kept = append(t.Kept, keptField{name, value})
		}
	}
	for _, l := range locale.Languages() {
		t.All = append(t.All, view.Choice{Value: string(l), Text: l.Name(), Selected: l == v.words.Language()})
	}
	return t
}
