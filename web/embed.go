package web

import (
	"net/http"
	"strconv"
	"time"

	"sitegrade/db"
	"sitegrade/web/view"
	"sitegrade/weburl"
)

// embedRoute is the path of the pages that other sites frame.
const embedRoute = db.EmbedPath + ":share"

// How often one client may post into forms: so many times within the period.
const (
	formPosts  = 20
	formPeriod = time.Minute
)

// embedPolicy is policy for a page that any site may frame. It runs no script.
const embedPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors *"

// embedPage is the data of a form that other sites frame, or of the thanks for what was written into it.
type embedPage struct {
	Brand  *view.Brand
	Path   string
	Fields []embedField
	Wait   int    // seconds until another post; 0: now
	Thanks bool   // it was taken
	Report string // the path of the report's page; "" when it is private
}

// newEmbedPage returns the page of a form in the language of its project, of what belongs to both.
func (w *Web) newEmbedPage(v *visit, account string, form db.Form) (embedPage, error) {
	owner, err := w.speakFor(v, account, form.Project.ID)
	return embedPage{Brand: view.NewBrand(owner), Path: v.asking(db.EmbedPath + form.Share)}, err
}

// embedField is one field of the form, as it was filled in.
type embedField struct {
	Name, Value, Wrong string
	Label, Type, Auto  string
	Optional           bool
	Most               int
}

// frameable has any site frame the response, and keeps it out of search engines. A page that is framed must know no visitor.
func (v *visit) frameable() {
	h := v.Header()
	h.Del("X-Frame-Options")
	h.Set("Content-Security-Policy", embedPolicy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("X-Robots-Tag", "noindex")
}

// showForm shows the form at an address.
func (w *Web) showForm(v *visit) error {
	account, form, err := w.store.FormByShare(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	page, err := w.newEmbedPage(v, account, form)
	if err != nil {
		return err
	}
	page.Fields = v.embedFields(db.NewLead{}, nil)
	w.sendForm(v, http.StatusOK, page)
	return nil
}

// takeLead takes what somebody wrote into a form.
func (w *Web) takeLead(v *visit) error {
	wait := w.forms.Enter(v.Client, w.Now())
	account, form, err := w.store.FormByShare(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	posted, err := v.form()
	if err != nil {
		return err
	}
	page, err := w.newEmbedPage(v, account, form)
	if err != nil {
		return err
	}
	n := db.NewLead{Email: posted.Get("email"), Name: posted.Get("name"), Message: posted.Get("message")}
	if typed := posted.Get("url"); typed != "" {
		n.URL = weburl.Complete(typed)
	}
	page.Fields, page.Wait = v.embedFields(n, nil), wait
	if wait > 0 {
		v.Header().Set("Retry-After", strconv.Itoa(wait))
		w.sendForm(v, http.StatusTooManyRequests, page)
		return nil
	}
	report, err := w.store.CreateLead(v.r.Context(), form.Share, n)
	if wrong := view.Faults(v.words, err); wrong != nil {
		page.Fields = v.embedFields(n, wrong)
		w.sendForm(v, http.StatusUnprocessableEntity, page)
		return nil
	}
	if err != nil {
		return err
	}
	page.Thanks = true
	if path := report.ShareURL(""); path != "" {
		page.Report = v.asking(path)
	}
	w.sendForm(v, http.StatusOK, page)
	return nil
}

func (w *Web) sendForm(v *visit, status int, page embedPage) {
	v.frameable()
	w.sendPage(v, status, "embed", page)
}

// embedFields returns the fields of the form with what was written into them, and what is wrong with that.
func (v *visit) embedFields(n db.NewLead, wrong map[string]string) []embedField {
	fields := []embedField{
		{Name: "url", Value: n.URL, Type: "text", Auto: "url", Most: 2048},
		{Name: "email", Value: n.Email, Type: "email", Auto: "email", Most: 254},
		{Name: "name", Value: n.Name, Type: "text", Auto: "name", Optional: true, Most: 100},
		{Name: "message", Value: n.Message, Optional: true, Most: 2000},
	}
	for i := range fields {
		fields[i].Label = v.say("embed." + fields[i].Name)
		if wrong[fields[i].Name] != "" {
			fields[i].Wrong = v.say("embed." + fields[i].Name + "-wrong")
		}
	}
	return fields
}
