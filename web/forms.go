package web

import (
	"crypto/rand"
	"net/http"
	"strings"

	"sitegrade/db"
	"sitegrade/locale"
	"sitegrade/sortfilter"
	"sitegrade/web/templates"
	"sitegrade/web/view"
)

// formsRoute is the path of the list of forms that other sites frame, which has the form that makes one.
const formsRoute = "/forms"

// formFields are what is filled in to make or change a form, and what is wrong with it.
type formFields struct {
	faults
	Name, Project string
	Enabled       bool
	Once          string // what makes fields that are sent twice make one form
}

// formRow is a form as the list shows it.
type formRow struct{ db.Form }

// State is where the form stands: a colour and a word.
func (f formRow) State(words *locale.Catalogue) view.State {
	if f.Enabled {
		return view.State{Class: "good", Text: templates.Say(words, "schedules.on")}
	}
	return view.State{Text: templates.Say(words, "schedules.off")}
}

// formsPage is the data of the list of forms.
type formsPage struct {
	frame
	Form   formFields
	Query  sortfilter.Query
	Rows   []formRow
	Pages  view.Pager
	Notice string
}

func (w *Web) listForms(v *visit) error {
	return w.sendForms(v, http.StatusOK, v.r.URL.RawQuery, formFields{Enabled: true})
}

func (w *Web) sendForms(v *visit, status int, query string, fields formFields) error {
	q, err := sortfilter.Parse(query, sortfilter.FormParameters)
	if err != nil {
		return err
	}
	page, err := w.store.Forms(v.r.Context(), v.key.Account, q)
	if err != nil {
		return err
	}
	if fields.Once == "" {
		fields.Once = rand.Text()
	}
	shown := formsPage{
		frame: v.frame(v.say("settings.forms"), "settings"), Form: fields, Query: q, Notice: v.notice(),
		Pages: view.NewPager(formsRoute, "form", q, page.Total, query),
	}
	for _, f := range page.Rows {
		shown.Rows = append(shown.Rows, formRow{f})
	}
	w.sendPage(v, status, "forms", shown)
	return nil
}

// postedFormFields returns the fields as they were filled in.
func (v *visit) postedFormFields() formFields {
	return formFields{
		Name: strings.TrimSpace(v.posted.Get("name")), Project: strings.TrimSpace(v.posted.Get("project")), Enabled: v.posted.Get("enabled") != "",
		Once: v.posted.Get("once"),
	}
}

// createForm makes a form and leads to its page, or says what is wrong at each field.
func (w *Web) createForm(v *visit) error {
	fields := v.postedFormFields()
	n := db.NewForm{Name: fields.Name, Project: fields.Project}
	if fields.Once != "" {
		n.IdempotencyKey = "form-" + fields.Once
	}
	made, _, err := w.store.CreateForm(v.r.Context(), v.key.Account, n)
	if err == nil {
		return v.see(formsRoute + "/" + made.ID.String() + "?done=form")
	}
	if fields.faults = view.Faults(v.words, err); fields.faults == nil {
		return err
	}
	return w.sendForms(v, http.StatusUnprocessableEntity, "", fields)
}

// formPage is the data of the page of one form.
type formPage struct {
	frame
	formRow
	Fields  formFields
	Address string // of the page that other sites frame
	Code    string // that frames it
	Notice  string
}

func (w *Web) formByPath(v *visit) (db.Form, error) {
	id, err := v.pathID()
	if err != nil {
		return db.Form{}, err
	}
	return w.store.Form(v.r.Context(), v.key.Account, id)
}

func (w *Web) showOwnForm(v *visit) error {
	f, err := w.formByPath(v)
	if err != nil {
		return err
	}
	return w.sendOwnForm(v, http.StatusOK, f, formFields{Name: f.Name, Project: f.Project.Name, Enabled: f.Enabled})
}

func (w *Web) sendOwnForm(v *visit, status int, f db.Form, fields formFields) error {
	address := v.Base + db.EmbedPath + f.Share
	w.sendPage(v, status, "form", formPage{
		frame: v.frame(v.say("forms.title"), "settings"), formRow: formRow{f}, Fields: fields, Address: address, Notice: v.notice(),
		Code: `<iframe src="` + address + `" title="` + v.say("forms.frame") + `" width="100%" height="560" style="border:0"></iframe>`,
	})
	return nil
}

// updateForm changes a form, or says what is wrong at each field.
func (w *Web) updateForm(v *visit) error {
	f, err := w.formByPath(v)
	if err != nil {
		return err
	}
	fields := v.postedFormFields()
	change := db.FormChange{Name: &fields.Name, Project: &fields.Project, Enabled: &fields.Enabled}
	if _, err = w.store.UpdateForm(v.r.Context(), v.key.Account, f.ID, change, nil); err == nil {
		return v.see(formsRoute + "/" + f.ID.String() + "?done=form")
	}
	if fields.faults = view.Faults(v.words, err); fields.faults == nil {
		return err
	}
	return w.sendOwnForm(v, http.StatusUnprocessableEntity, f, fields)
}

func (w *Web) confirmFormDelete(v *visit) error {
	f, err := w.formByPath(v)
	if err != nil {
		return err
	}
	w.sendPage(v, http.StatusOK, "delete", deletePage{
		frame: v.frame(v.say("forms.delete-title"), "settings"), What: v.say("forms.delete"),
		Detail: v.say("forms.delete-detail", f.Name), Back: formsRoute + "/" + f.ID.String(),
	})
	return nil
}

func (w *Web) deleteForm(v *visit) error {
	f, err := w.formByPath(v)
	if err != nil {
		return err
	}
	if err := w.store.DeleteForm(v.r.Context(), v.key.Account, f.ID, nil); err != nil {
		return err
	}
	return v.see(formsRoute + "?done=noform")
}
