package api

import (
	"net/http"

	"sitegrade/db"
	"sitegrade/sortfilter"
)

func (a *API) listForms(x *request) error {
	return serveList(x, "/forms", sortfilter.FormParameters, a.store.Forms, func(f db.Form, b []byte) []byte { return f.AppendJSON(b, x.Base) })
}

func (a *API) showForm(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	f, err := a.store.Form(x.r.Context(), x.key.Account, id)
	if err != nil {
		return err
	}
	document := formDocument(f, x.Base)
	x.sendRecord(document, revisionTag(f.Revision, document))
	return nil
}

// createForm stores a form. With an Idempotency-Key it does so once.
func (a *API) createForm(x *request) error {
	n, err := a.readNewForm(x)
	if err != nil {
		return err
	}
	made, _, err := a.store.CreateForm(x.r.Context(), x.key.Account, n)
	if err != nil {
		return err
	}
	document := formDocument(made, x.Base)
	x.sendMade("/forms/"+made.ID.String(), document, revisionTag(made.Revision, document))
	return nil
}

func (a *API) readNewForm(x *request) (n db.NewForm, err error) {
	b, err := x.readBody()
	if err != nil {
		return n, err
	}
	n = db.NewForm{Name: b.text("name"), Project: b.text("project")}
	if enabled := b.boolean("enabled"); enabled != nil {
		n.Disabled = !*enabled
	}
	if wrong := b.finish(); wrong != nil {
		_, others := n.Validate(a.Now())
		return n, invalidFields(withOthers(wrong, others))
	}
	n.IdempotencyKey, err = idempotencyKey(x.r.Header)
	return n, err
}

func (a *API) updateForm(x *request) error {
	id, err := x.pathID()
	if err != nil {
		return err
	}
	b, err := x.readBody()
	if err != nil {
		return err
	}
	c := db.FormChange{Name: b.given("name"), Project: b.given("project"), Enabled: b.boolean("enabled")}
	if wrong := b.finish(); wrong != nil {
		return invalidFields(wrong)
	}
	f, err := a.store.UpdateForm(x.r.Context(), x.key.Account, id, c, x.formUnchanged)
	if err != nil {
		return err
	}
	document := formDocument(f, x.Base)
	x.sendChanged(http.StatusOK, document, revisionTag(f.Revision, document))
	return nil
}

func (a *API) deleteForm(x *request) error {
	return deleteRecord(x, a.store.DeleteForm, x.formUnchanged)
}
