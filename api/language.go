package api

import (
	"strings"

	"sitegrade/audit"
	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
)

// languageParameter is the parameter that asks for words in a language. The API heeds no header and no setting for that: a client gets the same words
// until it asks for others.
const languageParameter = "lang"

// worded lets a handler show its words in the language that the request asks for. A language that there is not is an error before anything
// is done.
func worded(handle handler) handler {
	return func(x *request) error {
		if err := x.readLanguage(); err != nil {
			return err
		}
		return handle(x)
	}
}

func (x *request) readLanguage() error {
	if !strings.Contains(x.r.URL.RawQuery, languageParameter) {
		return nil
	}
	if _, err := sortfilter.Parse(x.r.URL.RawQuery, nil); err != nil {
		return err
	}
	code := x.r.URL.Query().Get(languageParameter)
	l, known := locale.Parse(code)
	if !known && code != "" {
		return invalidFields([]fieldError{{Field: languageParameter, Detail: "must be one of " + strings.Join(locale.Codes(), ", ")}})
	}
	x.lang = l
	return nil
}

// The functions that follow give records in the language of the request.

func (x *request) report(r db.Report) db.Report {
	r.Failure = audit.FailureIn(x.lang, r.Failure)
	return r
}

func (x *request) generation(g db.Generation) *db.Generation {
	g.Failure = audit.FailureIn(x.lang, g.Failure)
	return &g
}

func (x *request) issue(i db.Issue) db.Issue {
	i.Title = audit.TitleIn(x.lang, i.Check, audit.Failed)
	return i
}
