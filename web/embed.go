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

// embedField is one field of the form, as it was filled in.
type embedField struct {
	Name, Value, Wrong          string
	Label, Type, Auto, Optional string
	Most                        int
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
	return w.sendForm(v, http.StatusOK, account, embedPage{Path: db.EmbedPath + form.Share, Fields: embedFields(db.NewLead{}, nil)})
}

// takeLead takes what somebody wrote into a form.
func (w *Web) takeLead(v *visit) error {
	wait := w.forms.Enter(v.Client, w.Now())
	account, form, err := w.store.FormByShare(v.r.Context(), v.params.ByName("share"))
	if err != nil {
		return err
	}
	page := embedPage{Path: db.EmbedPath + form.Share, Wait: wait}
	posted, err := v.form()
	if err != nil {
		return err
	}
	n := db.NewLead{Email: posted.Get("email"), Name: posted.Get("name"), Message: posted.Get("message")}
	if typed := posted.Get("url"); typed != "" {
		n.URL = weburl.Complete(typed)
	}
	page.Fields = embedFields(n, nil)
	if wait > 0 {
		v.Header().Set("Retry-After", strconv.Itoa(wait))
		return w.sendForm(v, http.StatusTooManyRequests, account, page)
	}
	report, err := w.store.CreateLead(v.r.Context(), form.Share, n)
	if wrong := view.Faults(v.words, err); wrong != nil {
		page.Fields = embedFields(n, wrong)
		return w.sendForm(v, http.StatusUnprocessableEntity, account, page)
	}
	if err != nil {
		return err
	}
	page.Thanks = true
	page.Report = report.ShareURL("")
	return w.sendForm(v, http.StatusOK, account, page)
}

func (w *Web) sendForm(v *visit, status int, account string, page embedPage) (err error) {
	if page.Brand, err = w.brandOf(v.r.Context(), account); err != nil {
		return err
	}
	v.frameable()
	w.sendPage(v, status, "embed", page)
	return nil
}

// embedFields returns the fields of the form with what was written into them, and what is wrong with that.
func embedFields(n db.NewLead, wrong map[string]string) []embedField {
	fields := []embedField{
		{Name: "url", Value: n.URL, Label: "Address of your page", Type: "text", Auto: "url", Most: 2048},
		{Name: "email", Value: n.Email, Label: "Your mail address", Type: "email", Auto: "email", Most: 254},
		{Name: "name", Value: n.Name, Label: "Your name", Type: "text", Auto: "name", Optional: "optional", Most: 100},
		{Name: "message", Value: n.Message, Label: "Message", Optional: "optional", Most: 2000},
	}
	for i := range fields {
		fields[i].Wrong = wrong[fields[i].Name]
	}
	return fields
}
